import { describe, expect, it } from 'vitest';
import { MACHINE } from '../../machines/task-machine.ts';
import { replay } from '../../src/history/replay.ts';
import { goldenLines } from '../support/golden/files.ts';
import type { Line } from '../support/golden/tampering.ts';

const STRAIGHT = 'straight-answer';
const TWO_TASKS = 'paused-task-resumed-after-another';

const ofTask = (lines: Line[], task: string): Line[] => lines.filter((line) => line['task_id'] === task);

const shifted = (lines: Line[], by: number): Line[] =>
  lines.map((line) => ({ ...line, seq: Number(line['seq']) + by }));

async function* arriving(lines: Line[]): AsyncGenerator<Line> {
  yield* lines;
}

describe('replay', () => {
  it('takes lines as they arrive as well as lines at hand', async () => {
    const lines = goldenLines(STRAIGHT);
    expect(await replay(arriving(lines))).toEqual({ ok: true, entries: lines.length, unchained: lines.length });
  });

  it("takes a task's own trace, which leaves out what the session's other tasks did", async () => {
    expect(await replay(ofTask(goldenLines(TWO_TASKS), 'task_1'))).toEqual({ ok: true, entries: 6, unchained: 6 });
    expect(await replay(ofTask(goldenLines(TWO_TASKS), 'task_2'))).toEqual({ ok: true, entries: 4, unchained: 4 });
  });

  it('finds the gap of a whole session once a second task shows that it is one', async () => {
    const lines = shifted(goldenLines(TWO_TASKS), 0).map((line, i) => ({ ...line, seq: i < 2 ? i + 1 : i + 2 }));
    expect(await replay(lines)).toMatchObject({ ok: false, seq: 4, expected: 3, actual: 4 });
  });

  it("never takes a jump in a task's own trace for a gap, unless the lines are known to be a whole session", async () => {
    const later = shifted(goldenLines(STRAIGHT), 6);
    expect(await replay(later)).toEqual({ ok: true, entries: later.length, unchained: later.length });
    expect(await replay(later, { gapless: true })).toMatchObject({ ok: false, seq: 7, expected: 1, actual: 7 });
  });

  it('names what is expected and what the line says, in words too', async () => {
    const lines = goldenLines(STRAIGHT);
    const result = await replay(lines.with(2, { ...lines[2], state: 'acting' }));
    expect(result).toEqual({
      ok: false,
      seq: 3,
      expected: 'replanning',
      actual: 'acting',
      message: `seq 3: state: expected "replanning", actual "acting" (made by ${lines[2]!['machine']}, folded by ${MACHINE})`,
    });
  });

  it('names an event that the machine refuses', async () => {
    const lines = goldenLines(STRAIGHT);
    const event = { type: 'answer.received', turn_id: 'turn_1', text: 'Lima' };
    expect(await replay(lines.with(2, { ...lines[2], event }))).toMatchObject({
      seq: 3,
      expected: "an event that 'thinking' accepts",
      actual: 'answer.received',
    });
  });

  it('names an event that would break a law of the machine', async () => {
    const lines = goldenLines(STRAIGHT);
    const event = { ...(lines[1]!['event'] as object), plan: [{ id: '1', step: 'A', depends_on: ['1'] }] };
    expect(await replay(lines.with(1, { ...lines[1], event }))).toMatchObject({
      ok: false,
      seq: 2,
      actual: 'plan.made',
    });
  });

  it('refuses a task whose first line does not open it', async () => {
    expect(await replay(goldenLines(STRAIGHT).slice(1))).toMatchObject({ seq: 2, expected: 'task.opened' });
  });

  it("refuses a task's line that has strayed into another session", async () => {
    const lines = goldenLines(STRAIGHT);
    const strayed = { ...lines[2], session_id: 'elsewhere' };
    expect(await replay(lines.with(2, strayed))).toMatchObject({ seq: 3, expected: STRAIGHT, actual: 'elsewhere' });
  });

  it('names another machine before it reads what that machine wrote', async () => {
    const foreign = { v: 1, seq: 5, machine: 'tripact-task@99', event: { type: 'no_such.event' } };
    expect(await replay([foreign])).toMatchObject({ ok: false, seq: 5, actual: 'tripact-task@99' });
  });

  it.each([
    ['an unknown version', { ...goldenLines(STRAIGHT)[0], v: 2 }, /version 2.*version 1/],
    ['no object', 'hello', /Entry 1/],
    ['an unknown field', { ...goldenLines(STRAIGHT)[0], mood: 'good' }, /mood/],
    ['an unknown event', { ...goldenLines(STRAIGHT)[0], event: { type: 'no_such.event' } }, /event/],
    ['no session id of ours', { ...goldenLines(STRAIGHT)[0], session_id: '../x' }, /session_id/],
  ])('cannot read a line with %s, and says so', async (_what, line, message) => {
    await expect(replay([line])).rejects.toMatchObject({
      code: 'TRACE_NOT_READABLE',
      message: expect.stringMatching(message),
    });
  });
});
