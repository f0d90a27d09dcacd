import { z } from 'zod';
import type { Effect } from '../../contracts/event.ts';
import type { TaskSnapshot } from '../../contracts/task.ts';
import { plainLine } from '../../contracts/text.ts';
import { SessionTraceEntry, TaskTraceEntry, TRACE_VERSION, type TraceEntry } from '../../contracts/trace.ts';
import { MACHINE } from '../../machines/task-machine.ts';
import { ServiceError } from '../lib/errors.ts';
import { disagreement, foldEvent, isSameJson } from './fold.ts';

/** The first place where a trace says something else than the machine (SPEC 12). */
export interface Difference {
  ok: false;
  seq: number;
  /** The fold's value here. */
  expected: unknown;
  /** The line's value. */
  actual: unknown;
  /** Both in one sentence. */
  message: string;
}

export const difference = (seq: number, what: string, expected: unknown, actual: unknown): Difference => ({
  ok: false,
  seq,
  expected,
  actual,
  message: `seq ${seq}: ${what}: expected ${JSON.stringify(expected)}, actual ${JSON.stringify(actual)}`,
});

interface SessionSeqs {
  last: number;
  /** The one task seen so far; null as soon as the lines are known to be the whole session's. */
  only_task: string | null;
  /** The first and the latest jump: a difference as soon as the lines are known to be the whole session's. */
  firstJump: Difference | null;
  latestJump: { from: number; to: number } | null;
}

const jumped = (expected: number, { seq }: TraceEntry): Difference => difference(seq, 'seq', expected, seq);

/** Checks `seq` line by line (SPEC 12): gapless from 1 in a whole session, as `gapless`, a second task or a session's event prove it; in one task's own trace it only rises. */
const seqOrder = (gapless: boolean): ((entry: TraceEntry) => Difference | null) => {
  const sessions = new Map<string, SessionSeqs>();
  return (entry) => {
    const { seq, session_id, task_id } = entry;
    const known = sessions.get(session_id);
    const seqs = known ?? { last: 0, only_task: gapless ? null : task_id, firstJump: null, latestJump: null };
    if (seq <= seqs.last) {
      const jump = seqs.latestJump;
      const fillsJump = jump !== null && jump.from <= seq && seq < jump.to;
      return fillsJump ? difference(jump.to, 'seq', jump.from, jump.to) : jumped(seqs.last + 1, entry);
    }
    if (seq > seqs.last + 1) {
      seqs.firstJump ??= jumped(seqs.last + 1, entry);
      seqs.latestJump = { from: seqs.last + 1, to: seq };
    }
    seqs.last = seq;
    if (seqs.only_task !== task_id) seqs.only_task = null;
    sessions.set(session_id, seqs);
    return seqs.only_task === null ? seqs.firstJump : null;
  };
};

const WHY_CHARS_MAX = 300;

/** The fields of a line that are read before its version is known. */
const LineHead = z.object({ v: z.number(), seq: z.number().int().min(1), machine: z.string().max(200) });

const notReadable = (line: number, why: string): ServiceError =>
  new ServiceError('TRACE_NOT_READABLE', `Entry ${line} of the trace is not readable: ${why}`);

const parsed = <T>(schema: z.ZodType<T>, value: unknown, line: number): T => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw notReadable(line, plainLine(faults.join('; '), WHY_CHARS_MAX));
};

const NAME_AND_VERSION = /^(.+)@(\d+)$/;

/** The first version of the machine whose lines have the form of today's. */
const READABLE_FROM = 3;

/** True for this machine, and for those before it whose lines can be read: they are folded and compared. */
const isKnownMachine = (machine: string): boolean => {
  const [, name, version] = NAME_AND_VERSION.exec(machine) ?? [];
  const [, ownName, ownVersion] = NAME_AND_VERSION.exec(MACHINE) ?? [];
  return name === ownName && Number(version) >= READABLE_FROM && Number(version) <= Number(ownVersion);
};

/** A difference as it is told of a line that an earlier machine made. */
const toldOf = (found: Difference, { machine }: Pick<TraceEntry, 'machine'>): Difference =>
  machine === MACHINE ? found : { ...found, message: `${found.message} (made by ${machine}, folded by ${MACHINE})` };

/** A difference when a newer machine, or another one, made the line. Throws `TRACE_NOT_READABLE` for another version. */
const checkMachine = (value: unknown, line: number): Difference | null => {
  const { v, seq, machine } = parsed(LineHead, value, line);
  if (v !== TRACE_VERSION) throw notReadable(line, `it has version ${v}; this service reads version ${TRACE_VERSION}`);
  return isKnownMachine(machine) ? null : difference(seq, 'machine', MACHINE, machine);
};

/** The line as an entry. Throws `TRACE_NOT_READABLE` for what is none. */
const readEntry = (value: unknown, line: number): TraceEntry => {
  const isTask = (value as { task_id?: unknown }).task_id !== null;
  return isTask ? parsed(TaskTraceEntry, value, line) : parsed(SessionTraceEntry, value, line);
};

/** The machine's step. Declared here, for published declarations can not name the machine's own types. */
interface Step {
  task: TaskSnapshot;
  effects: Effect[];
}

/** Folds an entry's event into its task. An event that the machine refuses, for whatever reason, is a difference. */
const foldEntry = (
  task: TaskSnapshot | undefined,
  { seq, event, task_id, session_id }: TaskTraceEntry,
): Step | Difference => {
  const unaccepted = (state: string): Difference =>
    difference(seq, 'event', `an event that '${state}' accepts`, event.type);
  if (event.type === 'task.opened') {
    if (task !== undefined) return unaccepted(task.state);
    const own = { task_id: event.task_id, session_id: event.session_id };
    if (!isSameJson(own, { task_id, session_id })) return difference(seq, event.type, { task_id, session_id }, own);
    return foldEvent(null, event);
  }
  if (task === undefined) return difference(seq, 'event', 'task.opened', event.type);
  if (task.context.session_id !== session_id) return difference(seq, 'session_id', task.context.session_id, session_id);
  try {
    return foldEvent(task, event);
  } catch (error) {
    const found = unaccepted(task.state);
    return { ...found, message: `${found.message} (${error instanceof Error ? error.message : String(error)})` };
  }
};

/** Compares the fold with the line. `written` is the line before its unknown fields were dropped. */
const compare = (made: Step, entry: TaskTraceEntry, written: { effects?: unknown }): Difference | null => {
  const found = disagreement(made, entry);
  if (found !== null) return difference(entry.seq, found.what, found.expected, found.actual);
  if (isSameJson(written.effects, made.effects)) return null;
  return difference(entry.seq, 'effects', made.effects, 'the same with fields that no effect has');
};

/** An entry that agrees with the machine. */
export interface FoldedEntry {
  ok: true;
  entry: TraceEntry;
  /** The entry's task before it; null where it opens the task, or belongs to none. */
  before: TaskSnapshot | null;
  /** The machine's step; null for an entry of no task. */
  step: Step | null;
}

/** Folds a trace's lines, in Node and browsers, and compares each with the machine (SPEC 12). `gapless`: every jump of `seq` is a missing line. */
export const createTraceFold = ({ gapless = false } = {}) => {
  const checkSeq = seqOrder(gapless);
  const tasks = new Map<string, TaskSnapshot>();
  let entries = 0;
  return {
    /** The next line, parsed: the entry and what it led to, or the first difference, which ends the fold. Throws `TRACE_NOT_READABLE`. */
    fold: (line: unknown): FoldedEntry | Difference => {
      entries += 1;
      const foreign = checkMachine(line, entries);
      if (foreign !== null) return foreign;
      const entry = readEntry(line, entries);
      const disorder = checkSeq(entry);
      if (disorder !== null) return disorder;
      if (entry.task_id === null) return { ok: true, entry, before: null, step: null };
      const before = tasks.get(entry.task_id);
      const folded = foldEntry(before, entry);
      if ('ok' in folded) return toldOf(folded, entry);
      const found = compare(folded, entry, line as { effects?: unknown });
      if (found !== null) return toldOf(found, entry);
      tasks.set(entry.task_id, folded.task);
      return { ok: true, entry, before: before ?? null, step: folded };
    },
    /** To be called behind the last line: throws `TRACE_NOT_READABLE` where there was none. */
    end: (): { entries: number } => {
      if (entries === 0)
        throw new ServiceError('TRACE_NOT_READABLE', 'The trace has no entry; send one JSON object a line');
      return { entries };
    },
  };
};

/** The result of a replay: all entries agree with the machine, or the first one that does not (SPEC 12). */
export type ReplayResult = { ok: true; entries: number } | Difference;

/** Folds a trace through the machine and compares it entry by entry (SPEC 12). Performs nothing. Throws `TRACE_NOT_READABLE`. */
export const replay = async (
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  options: { gapless?: boolean } = {},
): Promise<ReplayResult> => {
  const trace = createTraceFold(options);
  for await (const line of lines) {
    const folded = trace.fold(line);
    if (!folded.ok) return folded;
  }
  return { ok: true, ...trace.end() };
};
