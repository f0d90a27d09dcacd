import { TRACE_VERSION, type TraceEntry } from '../../../contracts/trace.ts';
import { MACHINE } from '../../../machines/task-machine.ts';
import type { StoredEntry } from '../../engine/fold-task.ts';
import { iso } from '../../lib/iso-time.ts';
import type { EntriesPage } from '../port.ts';
import { type Asking, ask } from '../questions.ts';
import { NEWEST } from './pages.ts';

/** A machine's version is stored by its number, as each entry has it. */
const [MACHINE_NAME = '', MACHINE_VERSION] = MACHINE.split('@');

/** The number of this machine's version. */
export const machineNumber = Number(MACHINE_VERSION);

/** The machine that a number stands for. */
export const machineName = (number: number): string => `${MACHINE_NAME}@${number}`;

interface EntryRow extends Omit<StoredEntry, 'machine'> {
  task_id: string | null;
  at: number;
  machine: number;
}

const ENTRY = `SELECT e.seq, t.task_id, e.at, e.machine, e.state, e.step_count, e.event, e.effects
  FROM entries e LEFT JOIN tasks t ON t.id = e.task WHERE e.session = @session AND e.seq > @after`;

const traceEntry = (row: EntryRow, sessionId: string): TraceEntry =>
  ({
    v: TRACE_VERSION,
    seq: row.seq,
    at: iso(row.at),
    session_id: sessionId,
    task_id: row.task_id,
    machine: machineName(row.machine),
    event: JSON.parse(row.event),
    state: row.state,
    step_count: row.step_count,
    effects: row.effects === null ? [] : JSON.parse(row.effects),
  }) as TraceEntry;

const pageOf = (rows: readonly EntryRow[], sessionId: string, limit: number): EntriesPage => ({
  entries: rows.map((row) => traceEntry(row, sessionId)),
  isEnd: rows.length < limit,
});

/** A session's entries with a greater seq, in order. */
export function* sessionEntries(session: number, sessionId: string, after: number, limit: number): Asking<EntriesPage> {
  const rows = yield* ask<EntryRow>(`${ENTRY} ORDER BY e.seq LIMIT @limit`, { session, after, limit });
  return pageOf(rows, sessionId, limit);
}

/** The place of a task's entries. */
interface TaskPlace {
  id: number;
  session: number;
  first_seq: number;
}

function* taskRows({ id, session, first_seq }: TaskPlace, after: number, limit: number): Asking<EntryRow[]> {
  const values = { session, after: Math.max(after, first_seq - 1), task: id, limit };
  return yield* ask(`${ENTRY} AND e.task = @task ORDER BY e.seq LIMIT @limit`, values);
}

/** A task's entries with a greater seq, in order. */
export function* taskEntries(task: TaskPlace, sessionId: string, after: number, limit: number): Asking<EntriesPage> {
  return pageOf(yield* taskRows(task, after, limit), sessionId, limit);
}

/** All of them as they are stored, for a fold. */
export function* storedEntries(task: TaskPlace, after: number): Asking<StoredEntry[]> {
  const rows = yield* taskRows(task, after, NEWEST);
  return rows.map((row) => ({ ...row, machine: machineName(row.machine) }));
}
