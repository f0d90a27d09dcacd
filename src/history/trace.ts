import type { TaskTraceEntry, TraceEntry } from '../../contracts/trace.ts';
import type { Step, Task } from '../../machines/step.ts';
import { MACHINE } from '../../machines/task-machine.ts';
import { messageOf, ServiceError } from '../lib/errors.ts';
import type { Sha256 } from './chain.ts';
import { chainOrder } from './chain-order.ts';
import { type Difference, difference, remarked } from './difference.ts';
import { foldEntry, type Mismatch, type RefusedEvent } from './fold.ts';
import { readLine } from './read-line.ts';
import { isSameJson } from './same-json.ts';
import { seqOrder } from './seq-order.ts';

/** An entry that agrees with the machine. */
export interface FoldedEntry {
  ok: true;
  entry: TraceEntry;
  /** The entry's task before it; null if it opens the task, or belongs to none. */
  before: Task | null;
  /** The machine's step; null for an entry without a task. */
  step: Step | null;
}

const unaccepted = ({ state }: Task, { seq, event }: TaskTraceEntry): Difference =>
  difference(seq, 'event', `an event that '${state}' accepts`, event.type);

/**
 * A difference if the entry has no place in its task's history: it opens the task a second time or with another name,
 * comes before that, or belongs to another session.
 */
const misplaced = (before: Task | null, entry: TaskTraceEntry): Difference | null => {
  const { seq, event, task_id, session_id } = entry;
  if (event.type === 'task.opened') {
    if (before !== null) return unaccepted(before, entry);
    const own = { task_id: event.task_id, session_id: event.session_id };
    return isSameJson(own, { task_id, session_id }) ? null : difference(seq, event.type, { task_id, session_id }, own);
  }
  if (before === null) return difference(seq, 'event', 'task.opened', event.type);
  const own = before.context.session_id;
  return own === session_id ? null : difference(seq, 'session_id', own, session_id);
};

const asDifference = (seq: number, { what, expected, actual }: Mismatch | RefusedEvent): Difference =>
  difference(seq, what, expected, actual);

/** Compares the fold with the line. `written` is the line before its unknown fields were dropped. */
const foldLine = (before: Task | null, entry: TaskTraceEntry, written: { effects?: unknown }): Step | Difference => {
  const { seq, event } = entry;
  const { step, disagreement } = foldEntry(before, { event, recorded: entry });
  if (step === null) return remarked(asDifference(seq, disagreement), messageOf(disagreement.error));
  if (disagreement !== null) return asDifference(seq, disagreement);
  if (isSameJson(written.effects, step.effects)) return step;
  return difference(seq, 'effects', step.effects, 'the same with fields that no effect has');
};

const noTask = (entry: TraceEntry): FoldedEntry => ({ ok: true, entry, before: null, step: null });

/** A difference as reported for a line by an earlier machine. */
const toldOf = (found: Difference, { machine }: TraceEntry): Difference =>
  machine === MACHINE ? found : remarked(found, `made by ${machine}, folded by ${MACHINE}`);

/**
 * Folds a trace's lines, in Node and browsers, and compares each with the machine and with its chain (SPEC 12).
 * `gapless`: every gap in `seq` is a missing line.
 */
export const createTraceFold = (sha256: Sha256, { gapless = false } = {}) => {
  const checkSeq = seqOrder(gapless);
  const chains = chainOrder(sha256);
  const tasks = new Map<string, Task>();
  let entries = 0;

  const foldTaskEntry = (entry: TaskTraceEntry, line: unknown): FoldedEntry | Difference => {
    const before = tasks.get(entry.task_id) ?? null;
    const folded = misplaced(before, entry) ?? foldLine(before, entry, line as { effects?: unknown });
    if ('ok' in folded) return toldOf(folded, entry);
    tasks.set(entry.task_id, folded.task);
    return { ok: true, entry, before, step: folded };
  };

  return {
    /**
     * Folds the next line, parsed: returns the entry and its result, or the first difference, which ends the fold.
     * Throws `TRACE_NOT_READABLE`.
     */
    fold: (line: unknown): FoldedEntry | Difference => {
      entries += 1;
      const entry = readLine(line, entries);
      if ('ok' in entry) return entry;
      const disorder = checkSeq(entry);
      if (disorder !== null) return disorder;
      const folded = entry.task_id === null ? noTask(entry) : foldTaskEntry(entry, line);
      // A disagreement of the machine says more than the chain that it breaks.
      return folded.ok ? (chains.check(entry, line as object) ?? folded) : folded;
    },
    /** Call it after the last line. Throws `TRACE_NOT_READABLE` if there was none. */
    end: (): { entries: number; unchained?: number } => {
      if (entries === 0)
        throw new ServiceError('TRACE_NOT_READABLE', 'The trace has no entry; send one JSON object a line');
      const unchained = chains.unchained();
      return { entries, ...(unchained > 0 && { unchained }) };
    },
  };
};
