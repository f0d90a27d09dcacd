import { z } from 'zod';
import { checked } from '../../../contracts/checked.ts';
import { SessionTraceEntry, TaskTraceEntry, TRACE_VERSION, type TraceEntry } from '../../../contracts/trace.ts';
import { open, type Step, step, type Task } from '../../../machines/step.ts';
import { MACHINE } from '../../../machines/task-machine.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type Difference, difference } from './difference.ts';
import { listFaultOf } from './list-fault.ts';
import { isSameJson } from './same-json.ts';
import { seqOrder } from './seq-order.ts';

/** Longest explanation of why a line is unreadable, in characters. */
const WHY_CHARS_MAX = 300;

/** How a trace is to be read. */
export interface TraceFoldOptions {
  /** The lines are known to be whole sessions: every jump of `seq` is then a missing line, even where one task is all there is. */
  gapless?: boolean;
  /** Most tasks in one trace, each of which is kept in memory; any number by default. Throws `INPUT_TOO_LARGE` beyond. */
  tasksMax?: number;
}

/** What has to be known of a line before its version lets the rest be read. */
const LineHead = z.object({ v: z.number(), seq: z.number().int().min(1), machine: z.string().max(200) });

const notReadable = (line: number, why: string): ServiceError =>
  new ServiceError('TRACE_NOT_READABLE', `Entry ${line} of the trace is not readable: ${why}`);

const parsed = <T>(schema: z.ZodType<T>, value: unknown, line: number): T => {
  const result = checked(schema, value);
  if (result.success) return result.data;
  throw notReadable(line, z.prettifyError(result.error).slice(0, WHY_CHARS_MAX));
};

/** A difference when another machine made the line. Throws `TRACE_NOT_READABLE` for another version, and for a list with an entry that fits none. */
const checkLine = (value: unknown, line: number): Difference | null => {
  const { v, seq, machine } = parsed(LineHead, value, line);
  if (v !== TRACE_VERSION) throw notReadable(line, `it has version ${v}; this service reads version ${TRACE_VERSION}`);
  if (machine !== MACHINE) return difference(seq, 'machine', MACHINE, machine);
  const fault = listFaultOf(value);
  if (fault !== null) throw notReadable(line, fault.slice(0, WHY_CHARS_MAX));
  return null;
};

/** The line as an entry. Throws `TRACE_NOT_READABLE` for what is none. */
const readEntry = (value: unknown, line: number): TraceEntry => {
  const isTask = (value as { task_id?: unknown }).task_id !== null;
  return isTask ? parsed(TaskTraceEntry, value, line) : parsed(SessionTraceEntry, value, line);
};

/** Folds one event into its task. What the machine refuses, for whatever reason, is a difference: it can't have happened. */
const foldEvent = (task: Task | undefined, { seq, event, task_id, session_id }: TaskTraceEntry): Step | Difference => {
  if (event.type === 'task.opened') {
    if (task !== undefined) return difference(seq, 'event', `an event that '${task.state}' accepts`, event.type);
    const { task_id: id, session_id: session } = event;
    const isOwn = id === task_id && session === session_id;
    return isOwn
      ? open(event)
      : difference(seq, 'task.opened', { task_id, session_id }, { task_id: id, session_id: session });
  }
  if (task === undefined) return difference(seq, 'event', 'task.opened', event.type);
  if (task.context.session_id !== session_id) return difference(seq, 'session_id', task.context.session_id, session_id);
  try {
    return step(task, event);
  } catch (error) {
    const found = difference(seq, 'event', `an event that '${task.state}' accepts`, event.type);
    return { ...found, message: `${found.message} (${error instanceof Error ? error.message : String(error)})` };
  }
};

/** Compares what the fold gives with what the line says. `written` is the line before its unknown fields were dropped. */
const compare = ({ task, effects }: Step, entry: TaskTraceEntry, written: { effects?: unknown }): Difference | null => {
  const { seq, state, step_count } = entry;
  if (state !== task.state) return difference(seq, 'state', task.state, state);
  if (step_count !== task.context.step_count) return difference(seq, 'step_count', task.context.step_count, step_count);
  if (isSameJson(written.effects, effects)) return null;
  const isExtra = isSameJson(entry.effects, effects);
  return difference(seq, 'effects', effects, isExtra ? 'the same with fields that no effect has' : entry.effects);
};

/** An entry that agrees with the machine. */
export interface FoldedEntry {
  ok: true;
  entry: TraceEntry;
  /** The entry's task before it; null where it opens the task, or belongs to none. */
  before: Task | null;
  /** What the machine made of it; null for an entry of no task. */
  step: Step | null;
}

/** A trace that is folded line by line. */
export interface TraceFold {
  /**
   * The next line, parsed from JSON: the entry and what it led to, or the first difference, after which nothing is to be folded. Throws
   * `TRACE_NOT_READABLE` for a line that is no entry, and for an unknown version.
   */
  fold: (line: unknown) => FoldedEntry | Difference;
  /** The same in parts, between which other work may be done: the longest line takes tens of milliseconds. */
  foldInParts: (line: unknown) => Generator<void, FoldedEntry | Difference>;
  /** To be called behind the last line: throws `TRACE_NOT_READABLE` where there was none. */
  end: () => { entries: number };
}

/**
 * Folds a trace's lines through the machine and compares state, count and effects entry by entry (SPEC 12). Performs nothing, and uses
 * nothing that only Node has, so that a browser folds with the very same code.
 */
export const createTraceFold = ({
  gapless = false,
  tasksMax = Number.POSITIVE_INFINITY,
}: TraceFoldOptions = {}): TraceFold => {
  const checkSeq = seqOrder(gapless);
  const tasks = new Map<string, Task>();
  let entries = 0;
  function* foldInParts(line: unknown): Generator<void, FoldedEntry | Difference> {
    entries += 1;
    const foreign = checkLine(line, entries);
    if (foreign !== null) return foreign;
    yield;
    const entry = readEntry(line, entries);
    const disorder = checkSeq(entry);
    if (disorder !== null) return disorder;
    if (entry.task_id === null) return { ok: true, entry, before: null, step: null };
    yield;
    const before = tasks.get(entry.task_id);
    const folded = foldEvent(before, entry);
    if ('ok' in folded) return folded;
    yield;
    const found = compare(folded, entry, line as { effects?: unknown });
    if (found !== null) return found;
    tasks.set(entry.task_id, folded.task);
    if (tasks.size > tasksMax)
      throw new ServiceError(
        'INPUT_TOO_LARGE',
        `A trace to replay has at most ${tasksMax} tasks; send those of single tasks`,
      );
    return { ok: true, entry, before: before ?? null, step: folded };
  }

  return {
    foldInParts,
    fold: (line) => {
      const parts = foldInParts(line);
      for (let part = parts.next(); ; part = parts.next()) if (part.done) return part.value;
    },
    end: () => {
      if (entries === 0)
        throw new ServiceError('TRACE_NOT_READABLE', 'The trace has no entry; send one JSON object a line');
      return { entries };
    },
  };
};
