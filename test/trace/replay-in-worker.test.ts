import { expect, it } from 'vitest';
import { replayInWorker } from '../../src/engine/replay/replay-in-worker.ts';
import { goldenLines } from '../support/golden/files.ts';

const DEADLINE_MS = 60_000;

const text = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

it('a trace replays in a thread of its own, which says whose tasks it has', async () => {
  const lines = goldenLines('paused-task-resumed-after-another');
  expect(await replayInWorker(text(lines), DEADLINE_MS)).toEqual({
    result: { ok: true, entries: lines.length },
    tasks: ['task_1', 'task_2'],
  });
});

it('a trace that takes longer than it may is refused', async () => {
  await expect(replayInWorker(text(goldenLines('straight-answer')), 0)).rejects.toMatchObject({
    code: 'INPUT_TOO_LARGE',
  });
});
