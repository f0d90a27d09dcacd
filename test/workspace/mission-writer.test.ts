import { expect, it } from 'vitest';
import type { TaskSnapshot } from '../../contracts/task.ts';
import { createMissionWriter, type MissionEntry } from '../../src/workspace/mission-writer.ts';

const SESSION = { owner: 'local', session_id: 's1', key: 'local~s1', removals: 0 };

const task = {
  state: 'paused',
  context: {
    ...{ task_id: 'task_1', goal: 'Garden', language: 'en', plan_items: [], past_items: [], outcome: null },
    ...{ rounds_item_id: null, rounds: 0, iteration_count: 1, successful_steps: 0, failed_steps: 0, step_count: 1 },
    ...{ step_limit: 20, limits: { max_rounds_per_item: 12 }, last_thought_snapshot: null, pause_reason: null },
  },
} as unknown as TaskSnapshot;

const entry = (seq: number, event: object): MissionEntry => ({ seq, event }) as MissionEntry;

/** A writer whose folder can be written or not; `read` counts how often a history was read. */
const open = (canWrite: () => boolean) => {
  const read: number[] = [];
  const writer = createMissionWriter({
    eventsOf: async function* (_, after) {
      read.push(after);
      yield* [];
    },
    write: async (_session, _name, text) => {
      if (canWrite()) await text();
    },
  });
  return { writer, read };
};

it.each([
  ['that can be written', true],
  ['that can not be written', false],
])('nothing is kept in memory of a task that is settled, in a folder %s', async (_, canWrite) => {
  let isWritable = canWrite;
  const { writer, read } = open(() => isWritable);
  writer.take(SESSION.key, task, [entry(1, { type: 'task.opened' })]);
  await writer.now(SESSION, task);
  expect(read).toEqual([]);
  isWritable = true;
  writer.take(SESSION.key, task, [entry(2, { type: 'task.resumed', turn_id: 'turn_1' })]);
  writer.soon(SESSION, task);
  writer.flush();
  await expect.poll(() => read).toEqual([0]);
});
