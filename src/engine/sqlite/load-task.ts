import { isDeepStrictEqual } from 'node:util';
import { ZodError, z } from 'zod';
import { Effect } from '../../../contracts/effect.ts';
import { TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import { TaskSnapshot, type TaskState } from '../../../contracts/task.ts';
import { isEnded } from '../../../machines/is-settled.ts';
import { EventNotAccepted, open, type Step, step, type Task } from '../../../machines/step.ts';
import { MACHINE } from '../../../machines/task-machine.ts';
import type { EntryRow, TaskRow } from './rows.ts';
import type { Statements } from './statements.ts';

/** Entries read at a time while folding: a page of memory, not a whole history. */
const PAGE = 500;

/** Why another version of the machine folds a history otherwise. */
export interface Disagreement {
  from: string;
  reason: string;
}

/** The event that pauses a task whose history this machine folds otherwise (SPEC 6, machine_changed). */
export const machineChanged = ({ from, reason }: Disagreement): TaskEvent => ({
  type: 'machine.changed',
  from,
  to: MACHINE,
  reason: `this history was made by ${from}; here ${reason}`,
});

/** A task folded from its snapshot and the entries after it. */
export interface LoadedTask {
  task: Task;
  /** What its last entry asked for and nobody answered yet. */
  open: Effect | null;
  /** Entries since the last snapshot. */
  unsnapped: number;
  /** Null when this machine folds the history as it was made. */
  disagreement: Disagreement | null;
}

const effectsOf = (text: string | null): Effect[] => (text === null ? [] : Effect.array().parse(JSON.parse(text)));

const difference = (folded: Step, row: EntryRow): string | null => {
  if (folded.task.state !== row.state) return `seq ${row.seq} led to '${row.state}', now to '${folded.task.state}'`;
  if (folded.task.context.step_count !== row.step_count) return `seq ${row.seq} counts other steps now`;
  if (!isDeepStrictEqual(folded.effects, effectsOf(row.effects))) return `seq ${row.seq} asks for other effects now`;
  return null;
};

/** Pages through a task's entries with a greater seq. */
export function* taskEntries(statements: Statements, row: TaskRow, after: number): Generator<EntryRow> {
  let from = after;
  for (;;) {
    const page = statements.taskEntriesAfter.all(row.session, from, row.id, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    from = last.seq;
  }
}

const openEffect = (statements: Statements, row: TaskRow, task: Task): Effect | null => {
  const openId = task.context.open_effect_id;
  if (openId === null) return null;
  const last = statements.lastEffects.get(row.session, row.id);
  return effectsOf(last?.effects ?? null).find(({ effect_id }) => effect_id === openId) ?? null;
};

const fold = (current: Step | null, row: EntryRow): Step => {
  const event: unknown = JSON.parse(row.event);
  if (current === null) return open(TaskOpened.parse(event));
  return step(current.task, TaskEvent.parse(event));
};

/** Why this machine can't take another one's event. */
const refusal = (error: unknown): string =>
  error instanceof ZodError ? `an event is read otherwise: ${z.prettifyError(error)}` : (error as Error).message;

/** What is left of a task that this machine folds otherwise from `seq` on: the other one's snapshot where that knows more. */
const salvaged = (current: Task, seq: number, saved: { seq: number; body: string } | undefined): Task => {
  const snapshot = saved === undefined || saved.seq < seq ? null : TaskSnapshot.safeParse(JSON.parse(saved.body));
  return snapshot?.success ? snapshot.data : current;
};

/**
 * Loads a task: its snapshot and the entries after it. A history of another machine version is folded from its beginning and
 * compared, so that a changed machine is noticed before it acts (SPEC 6, machine_changed). A task that ended acts no more,
 * so it is shown as it was left.
 */
export const loadTask = (statements: Statements, row: TaskRow): LoadedTask => {
  const saved = statements.snapshot.get(row.id);
  const isOurs = saved !== undefined && (saved.machine === MACHINE || isEnded(row.state as TaskState));
  const snapshot = isOurs ? TaskSnapshot.parse(JSON.parse(saved.body)) : null;
  let current: Step | null = snapshot === null ? null : { task: snapshot, effects: [] };
  let unsnapped = 0;
  let foreign: string | null = null;
  for (const entry of taskEntries(statements, row, snapshot === null ? row.first_seq - 1 : saved!.seq)) {
    unsnapped += 1;
    if (entry.machine !== MACHINE) foreign = entry.machine;
    try {
      const folded = fold(current, entry);
      const reason = foreign === null ? null : difference(folded, entry);
      current ??= folded;
      if (reason !== null) throw new EventNotAccepted(reason);
      current = folded;
    } catch (error) {
      if (foreign === null || current === null) throw error;
      const disagreement = { from: foreign, reason: refusal(error) };
      return { task: salvaged(current.task, entry.seq, saved), open: null, unsnapped, disagreement };
    }
  }
  if (current === null) throw new Error(`task ${row.task_id} has no entries`);
  return { task: current.task, open: openEffect(statements, row, current.task), unsnapped, disagreement: null };
};
