import type { TurnStatus, TurnView } from '../../../contracts/http.ts';
import { TRACE_VERSION, type TraceEntry } from '../../../contracts/trace.ts';
import { storedTaskView } from '../../projections/task-view.ts';
import { iso } from '../turn-views.ts';
import type { EntryRow, StoredReply, TurnRow } from './rows.ts';

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
    // A reply that an earlier version stored has none.
    options: reply?.options ?? null,
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
