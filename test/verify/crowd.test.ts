import { expect, it } from 'vitest';
import { createVerifiers } from '../../src/verify/verifiers.ts';
import { callsInTurns } from '../support/turn-counts.ts';

/** Tasks that are verified in the same moment. */
const CROWD = 40;

it('commands that verify many tasks in the same moment are started a few in each turn of the event loop', async () => {
  const started = callsInTurns();
  const [verify] = createVerifiers([['true']], 60_000);
  const results = await Promise.all(
    Array.from({ length: CROWD }, () =>
      verify?.({
        session_id: 's1',
        task_id: 't',
        get workspace() {
          started.count();
          return '/';
        },
        language: 'en',
        signal: new AbortController().signal,
      }),
    ),
  );
  expect(results.filter((result) => result?.ok)).toHaveLength(CROWD);
  expect(started.most()).toBeLessThanOrEqual(8);
});
