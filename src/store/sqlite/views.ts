import { z } from 'zod';
import { TRACE_VERSION, type TraceEntry } from '../../../contracts/trace.ts';
import { TaskView, TurnStatus, type TurnView } from '../../../contracts/turn-view.ts';
import { iso } from '../../lib/iso-time.ts';
import { storedTaskView } from '../../projections/task-view.ts';
import type { EntryRow, StoredReply, TurnRow } from './rows.ts';

/** What must be right in a stored reply; one that an earlier version stored has no options. */
const Stored = z.looseObject({
  output: z.string(),
  question: z.string().nullable(),
  options: z.array(z.string()).nullish(),
  task: TaskView.nullable(),
});

const storedReply = (text: string): StoredReply => Stored.parse(JSON.parse(text)) as StoredReply;

/** A turn's row as the API shows it; an unfinished one has no output. Throws a `SyntaxError` or `ZodError` for a damaged row. */
export const turnView = (row: TurnRow): TurnView => {
  const reply = row.reply === null ? null : storedReply(row.reply);
  const ended = reply?.task === null && row.view !== null ? storedTaskView(row.view) : null;
  return {
    id: row.turn_id,
    session_id: row.session_id,
    task_id: row.task_id,
    kind: row.kind,
    input: row.input,
    status: TurnStatus.parse(row.status),
    output: reply?.output ?? null,
    question: reply?.question ?? null,
    options: reply?.options ?? null,
    approval: row.status === 'asking' ? (reply?.task?.approval ?? null) : null,
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
