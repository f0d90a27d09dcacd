import { expect, it } from 'vitest';
import { replayInProcess } from '../../src/history/replay-in-process.ts';
import { goldenLines } from '../support/golden/files.ts';

const DEADLINE_MS = 60_000;

const text = (lines: readonly object[]): Buffer =>
  Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

it('a trace replays in its own process, which says whose tasks it has', async () => {
  const lines = goldenLines('paused-task-resumed-after-another');
  expect(await replayInProcess(text(lines), DEADLINE_MS)).toEqual({
    result: { ok: true, entries: lines.length, unchained: lines.length },
    tasks: ['task_1', 'task_2'],
  });
});

it('a trace that takes longer than it may is refused', async () => {
  await expect(replayInProcess(text(goldenLines('straight-answer')), 1)).rejects.toMatchObject({
    code: 'INPUT_TOO_LARGE',
  });
});

it('a trace that is not readable is refused with its line', async () => {
  await expect(replayInProcess(Buffer.from('{'), DEADLINE_MS)).rejects.toMatchObject({
    code: 'TRACE_NOT_READABLE',
    message: expect.stringContaining('Line 1'),
  });
});
