import { expect } from 'vitest';
import { fuzzService } from './fuzz-service.ts';

/** The variable that names the seed; each run prints it with the one that it chose. */
export const SEED_VARIABLE = 'FUZZ_SEED';

/** Longest that the service's event loop may be blocked, in milliseconds of CPU: beyond it every caller notices. */
const BLOCKED_MS_MAX = 250;

/** Requests for each time that it may be blocked for 50 ms: a collection of garbage on a busy machine takes as long. */
const REQUESTS_PER_BLOCK = 1_000;

/** Times that it may be blocked for 50 ms in a short run, most of which is the first use of everything. */
const BLOCKS_IN_SHORT_RUN = 2;

/** Fuzzes the service, and asserts that nothing failed, nothing was blocked, and the service serves as before. */
export const assertFuzz = async (seed: number, count: number): Promise<void> => {
  const { serve, faults, blocked, statuses } = await fuzzService(seed, count);
  const repeat = `repeat it with ${SEED_VARIABLE}=${seed}`;
  expect(faults, repeat).toEqual([]);
  expect(
    blocked.filter(({ cpuMs }) => cpuMs > BLOCKED_MS_MAX),
    repeat,
  ).toEqual([]);
  if (blocked.length > Math.max(BLOCKS_IN_SHORT_RUN, count / REQUESTS_PER_BLOCK)) expect(blocked, repeat).toEqual([]);
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
