import { expect } from 'vitest';
import { fuzzService } from './fuzz-service.ts';

/** The variable that names the seed; each run prints it with the one that it chose. */
export const SEED_VARIABLE = 'FUZZ_SEED';

/** Longest that the service's event loop may be held, in milliseconds of CPU: beyond it every caller feels it. */
const HELD_MS_MAX = 250;

/** Requests for each time that it may be held for 50 ms: a collection of garbage on a busy machine takes as long. */
const REQUESTS_PER_HELD = 1_000;

/** Fuzzes the service, and asserts that nothing failed, nothing was held, and the service serves as before. */
export const assertFuzz = async (seed: number, count: number): Promise<void> => {
  const { serve, faults, held, statuses } = await fuzzService(seed, count);
  const repeat = `repeat it with ${SEED_VARIABLE}=${seed}`;
  expect(faults, repeat).toEqual([]);
  expect(
    held.filter(({ cpuMs }) => cpuMs > HELD_MS_MAX),
    repeat,
  ).toEqual([]);
  if (held.length > count / REQUESTS_PER_HELD) expect(held, repeat).toEqual([]);
  // Most requests have to get behind the checks of their form, or the fuzzing would test those alone.
  const served = [...statuses].reduce((sum, [status, times]) => sum + (status >= 200 && status < 300 ? times : 0), 0);
  expect(served).toBeGreaterThan(count / 4);

  const response = await fetch(`${serve.url}/v1/sessions/after-all/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'Add milk to my todos' }),
  });
  expect(await response.json()).toMatchObject({ status: 'answered', output: expect.stringContaining('milk') });
  serve.child.kill('SIGTERM');
  expect(await serve.ended).toMatchObject({ code: 0 });
};
