import { expect } from 'vitest';
import { fuzzService } from './fuzz-service.ts';

/** The variable that names the seed; each run prints it with the one that it chose. */
export const SEED_VARIABLE = 'FUZZ_SEED';

/** Fuzzes the service, and asserts that nothing failed and the service serves as before. */
export const assertFuzz = async (seed: number, count: number): Promise<void> => {
  const { serve, faults, statuses } = await fuzzService(seed, count);
  expect(faults, `repeat it with ${SEED_VARIABLE}=${seed}`).toEqual([]);
  // Many requests have to pass the checks of their form, or the fuzzing would test those alone.
  const served = [...statuses].reduce((sum, [status, times]) => sum + (status >= 200 && status < 300 ? times : 0), 0);
  expect(served).toBeGreaterThan(count / 5);

  const response = await fetch(`${serve.url}/v1/sessions/after-all/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'Add milk to my todos' }),
  });
  expect(await response.json()).toMatchObject({ status: 'answered', output: expect.stringContaining('milk') });
  serve.child.kill('SIGTERM');
  expect(await serve.ended).toMatchObject({ code: 0 });
};
