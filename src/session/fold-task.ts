import { ZodError, z } from 'zod';
import { Effect, TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { isEnded, TaskSnapshot } from '../../contracts/task.ts';
import { EventNotAccepted, type Step, type Task } from '../../machines/step.ts';
import { MACHINE } from '../../machines/task-machine.ts';
import { disagreement, foldEvent, type Recorded } from '../history/fold.ts';
import type { Divergence, LoadedTask, TaskStatus } from './image.ts';

/** An entry as it is stored; `event` and `effects` are JSON. */
export interface StoredEntry {
  readonly seq: number;
  readonly machine: string;
  readonly state: string | null;
  readonly step_count: number | null;
  readonly event: string;
  readonly effects: string | null;
}

/** A snapshot as it is stored; `body` is JSON. */
export interface StoredSnapshot {
  readonly seq: number;
  readonly machine: string;
  readonly body: string;
}

/** All that the store has of one task. */
export interface StoredTask {
  readonly status: TaskStatus;
  /** How often `begun_effect`, where that is null the open one, was begun. */
  readonly begins: number;
  readonly begun_effect: number | null;
  readonly snapshot: StoredSnapshot | null;
  /** The task's entries in order: those behind its snapshot where that is used, else all. */
  readonly entries: readonly StoredEntry[];
  /** Of a task that runs, the effects of its last entry that asked for any, as JSON. */
  readonly lastEffects: string | null;
}

/** True where a task is folded from its snapshot: this machine's, or the last one of a task that acts no more. */
export const usesSnapshot = ({ state }: TaskStatus, { machine }: StoredSnapshot): boolean =>
  machine === MACHINE || (state !== 'running' && isEnded(state));

/** The event that pauses a task whose history this machine folds differently (SPEC 6, machine_changed). */
export const machineChanged = ({ from, reason }: Divergence): TaskEvent => ({
  type: 'machine.changed',
  from,
  to: MACHINE,
  reason: `this history was made by ${from}; here ${reason}`,
});

const effectsOf = (text: string | null): Effect[] => (text === null ? [] : Effect.array().parse(JSON.parse(text)));

/** In what an entry says otherwise than the fold, in words; null where they agree. */
export const differenceOf = (folded: Step, entry: Recorded & { readonly seq: number }): string | null => {
  const { seq } = entry;
  const found = disagreement(folded, entry);
  if (found === null) return null;
  if (found.what === 'state') return `seq ${seq} led to '${found.actual}', now to '${found.expected}'`;
  return `seq ${seq} ${found.what === 'effects' ? 'asks for other effects' : 'counts other steps'} now`;
};

const fold = (current: Step | null, { event }: StoredEntry): Step =>
  foldEvent(current?.task ?? null, (current === null ? TaskOpened : TaskEvent).parse(JSON.parse(event)));

const refusal = (error: unknown): string =>
  error instanceof ZodError ? `an event is read otherwise: ${z.prettifyError(error)}` : (error as Error).message;

/** The other machine's snapshot where it is newer than the last entry that both fold alike, else the task as folded so far. */
const lastGoodState = (current: Task, seq: number, saved: StoredSnapshot | null): Task => {
  const snapshot = saved === null || saved.seq < seq ? null : TaskSnapshot.safeParse(JSON.parse(saved.body));
  return snapshot?.success ? snapshot.data : current;
};

/** Folds a task from its snapshot and the entries after it. A history of another machine that acts on is compared from its beginning (SPEC 6). */
export const foldTask = (stored: StoredTask): LoadedTask => {
  const { status, snapshot: saved } = stored;
  const isUsed = saved !== null && usesSnapshot(status, saved);
  const snapshot = isUsed ? TaskSnapshot.parse(JSON.parse(saved.body)) : null;
  let current: Step | null = snapshot === null ? null : { task: snapshot, effects: [] };
  let unsnapped = 0;
  let foreign: string | null = null;
  for (const entry of stored.entries) {
    unsnapped += 1;
    if (entry.machine !== MACHINE) foreign = entry.machine;
    try {
      const folded = fold(current, entry);
      const reason = foreign === null ? null : differenceOf(folded, { ...entry, effects: effectsOf(entry.effects) });
      current ??= folded;
      if (reason !== null) throw new EventNotAccepted(reason);
      current = folded;
    } catch (error) {
      if (foreign === null || current === null) throw error;
      const divergence = { from: foreign, reason: refusal(error) };
      const task = lastGoodState(current.task, entry.seq, saved);
      return { status, task, open: null, begins: 1, unsnapped, divergence };
    }
  }
  if (current === null) throw new Error(`task ${status.task_id} has no entries`);
  const { task } = current;
  const number = task.context.open_effect;
  const openEffect =
    number === null ? null : (effectsOf(stored.lastEffects).find(({ effect }) => effect === number) ?? null);
  // Who asked for an effect has begun it, as far as anybody knows.
  const begins = (stored.begun_effect ?? number) === number ? stored.begins : 1;
  return { status, task, open: openEffect, begins, unsnapped, divergence: null };
};
