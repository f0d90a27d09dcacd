import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TaskTraceEntry, TraceEntry } from '../../contracts/trace.ts';
import { createNarrator, createTurnSpan, type Narration, type Narrator } from '../../src/projections/narrator.ts';
import { phaseOf } from '../../src/projections/task-view.ts';
import { goldenLines } from '../support/golden/files.ts';
import { playGolden } from '../support/golden/scripts.ts';

const names = readdirSync(new URL('../traces', import.meta.url))
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.slice(0, -'.jsonl'.length));

const taskTraceOf = (entries: TaskTraceEntry[]) =>
  async function* (taskId: string) {
    yield* entries.filter(({ task_id }) => task_id === taskId);
  };

const narrateAll = async (entries: TaskTraceEntry[], narrate: Narrator): Promise<Narration[]> => {
  const all: Narration[] = [];
  for (const entry of entries) all.push(await narrate(entry));
  return all;
};

const read = (name: string): TaskTraceEntry[] => goldenLines(name) as unknown as TaskTraceEntry[];

describe('a narrator', () => {
  it.each(names)('narrates %s alike wherever it starts', async (name) => {
    const entries = read(name);
    const fromTheBeginning = createNarrator(() => {
      throw new Error('it has seen everything itself');
    });
    const isOneTask = new Set(entries.map(({ task_id }) => task_id)).size === 1;
    const narrate = isOneTask ? fromTheBeginning : createNarrator(taskTraceOf(entries));
    const whole = await narrateAll(entries, narrate);
    expect(whole.flatMap(({ progress }) => progress).length).toBeGreaterThan(0);
    for (const start of entries.keys()) {
      const late = createNarrator(taskTraceOf(entries));
      expect(await narrateAll(entries.slice(start), late)).toEqual(whole.slice(start));
    }
  });

  it.each(names)(
    'names the state and phase of each task of %s where an entry changes them, and only there',
    async (name) => {
      const { moments } = playGolden(name);
      const narrate = createNarrator(taskTraceOf(moments.map(({ entry }) => entry)));
      for (const { before, entry, after } of moments) {
        const isSame = before?.state === after.state && phaseOf(before) === phaseOf(after);
        const change = { task_id: entry.task_id, state: after.state, phase: phaseOf(after) };
        expect((await narrate(entry)).stateChange).toEqual(isSame ? null : change);
      }
    },
  );

  it('has no progress of a history that this machine does not fold, and continues with the next task', async () => {
    const entries = read('two-items-with-tools');
    const broken = entries.filter(({ event }) => event.type !== 'plan.made');
    const others = read('straight-answer').map((entry) => ({ ...entry, task_id: 'task_other' }));
    const narrate = createNarrator(taskTraceOf([...broken, ...others]));
    expect((await narrateAll(broken, narrate)).flatMap(({ progress }) => progress)).toEqual([]);
    expect((await narrateAll(others, narrate)).flatMap(({ progress }) => progress).length).toBeGreaterThan(0);
  });

  it('says nothing of what belongs to no task', async () => {
    const narrate = createNarrator(taskTraceOf([]));
    const event = { type: 'session.forked', from_session_id: 's0', from_task_id: 'task_1', at_seq: 3 } as const;
    const line = { v: 1, seq: 1, at: '2026-01-05T09:00:00.000Z', session_id: 's1', machine: 'tripact-task@1' } as const;
    expect(await narrate({ ...line, task_id: null, event, state: null, step_count: null, effects: [] })).toEqual({
      stateChange: null,
      progress: [],
      task: null,
    });
  });
});

/** The places of a golden trace's entries to one of its turns, by event. */
const placesOf = (name: string, turnId: string): string[] => {
  const placeOf = createTurnSpan(turnId);
  return (goldenLines(name) as unknown as TraceEntry[]).map((entry) => `${placeOf(entry)} ${entry.event.type}`);
};

const within = (places: string[]): string[] => places.filter((place) => !place.startsWith('outside'));

describe('a turn in its session', () => {
  it('reaches from where its task is opened to the question', () => {
    const places = within(placesOf('ask-and-answer', 'turn_1'));
    expect([places[0], places.at(-1)]).toEqual(['inside task.opened', 'last thought.made']);
    expect(places.filter((place) => place.startsWith('last'))).toHaveLength(1);
  });

  it('reaches from the answer to the end of the task', () => {
    const places = within(placesOf('ask-and-answer', 'turn_2'));
    expect([places[0], places.at(-1)]).toEqual(['inside answer.received', 'last replan.made']);
    expect(places.filter((place) => place.startsWith('last'))).toHaveLength(1);
  });

  it('that cancels is one entry', () => {
    const [cancel] = (goldenLines('cancelled-while-running') as unknown as TraceEntry[]).filter(
      ({ event }) => event.type === 'task.cancelled',
    );
    const { turn_id } = cancel!.event as { turn_id: string };
    expect(within(placesOf('cancelled-while-running', turn_id))).toEqual(['last task.cancelled']);
  });
});
