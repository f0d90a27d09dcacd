import type { SessionView, TurnStatus, TurnView } from '../../../contracts/http.ts';
import { TRACE_VERSION, type TraceEntry } from '../../../contracts/trace.ts';
import { storedTaskView, taskView } from '../../projections/task-view.ts';
import type { SessionHead } from '../session-head.ts';
import type { EntryRow, SessionRow, StoredReply, TurnRow } from './rows.ts';

/** Epoch milliseconds as ISO 8601 in UTC. */
export const iso = (at: number): string => new Date(at).toISOString();

/** A turn's row as the API shows it; an unfinished one has no output. */
export const turnView = (row: TurnRow): TurnView => {
  const reply = row.reply === null ? null : (JSON.parse(row.reply) as StoredReply);
  const ended = reply?.task === null && row.view !== null ? storedTaskView(row.view) : null;
  return {
    id: row.turn_id,
    session_id: row.session_id,
    task_id: row.task_id,
    kind: row.kind,
    status: row.status as TurnStatus,
    output: reply?.output ?? null,
    question: reply?.question ?? null,
    task: reply?.task ?? ended,
    created_at: iso(row.created_at),
    finished_at: row.finished_at === null ? null : iso(row.finished_at),
  };
};

/** A trace entry's row as one line of the trace. */
export const traceEntry = (row: EntryRow, sessionId: string): TraceEntry =>
  ({
    v: TRACE_VERSION,
    seq: row.seq,
    at: iso(row.at),
    session_id: sessionId,
    task_id: row.task_id,
    machine: row.machine,
    event: JSON.parse(row.event),
    state: row.state,
    step_count: row.step_count,
    effects: row.effects === null ? [] : JSON.parse(row.effects),
  }) as TraceEntry;

/** A session as the API shows it; a session whose input waits before any task is in its intake. */
export const sessionView = (
  row: SessionRow,
  head: SessionHead,
  queue: { turn_id: string; input: string; created_at: number }[],
): SessionView => {
  const active = head.active === null ? null : taskView(head.active.task);
  return {
    session_id: row.session_id,
    timezone: row.timezone,
    phase: active?.phase ?? (queue.length > 0 ? 'intake' : null),
    active_task: active,
    queue: queue.map(({ turn_id, input, created_at }) => ({ turn_id, input, created_at: iso(created_at) })),
    last_seq: head.seq,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
};
