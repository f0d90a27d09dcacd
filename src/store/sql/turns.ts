import { z } from 'zod';
import { CONVERSATION_TURNS_MAX, type ConversationTurn, isEnded } from '../../../contracts/task.ts';
import { TaskView, TurnStatus, type TurnView } from '../../../contracts/turn-view.ts';
import type { Page, PageRequest } from '../../lib/page.ts';
import { type Queries, query, queryOne } from '../../lib/queries.ts';
import { storedTaskView } from '../../projections/task-view.ts';
import type { TurnReply } from '../../session/change.ts';
import type { OpenTurn, StoredOptions } from '../../session/image.ts';
import { turnView } from '../../session/turn-views.ts';
import type { StoredTurn } from '../port.ts';
import { feedbackOf, type RatedRow } from './feedback.ts';
import { unpack } from './frames.ts';
import { NEWEST, pageOf } from './pages.ts';

/** Turns that are searched for those of a conversation: a session may have 100,000 commands. */
const LATEST_TURNS = 2_000;

/** A stored turn as the API shows it, with a hash of its request if it came with an idempotency key. */
interface TurnRow extends Omit<OpenTurn, 'options' | 'callback_url'>, RatedRow {
  cursor: number;
  session_id: string;
  status: string;
  options: string | null;
  body_hash: string | null;
  reply: string | null;
  /** Its task's view, if that is settled. */
  view: string | null;
  finished_at: number | null;
}

const TURN = `SELECT u.id AS cursor, u.turn_id, s.session_id, t.task_id, u.kind, u.status, u.input, u.options, u.body_hash, u.reply, t.view,
    u.created_at, u.finished_at, u.rating, u.feedback
  FROM turns u JOIN sessions s ON {s.owner = u.owner AND} s.id = u.session
  LEFT JOIN tasks t ON {t.owner = u.owner AND} t.id = u.task`;

/** A finished turn's reply as stored. Without the task if that ended with it, as the task's own row has its view. */
const StoredReply = z.looseObject({
  ok: z.literal(false).optional(),
  output: z.string(),
  question: z.string().nullable(),
  // An earlier version stored none.
  options: z.array(z.string()).nullish(),
  task: TaskView.nullable(),
});

export const storedReply = ({ ok, output, question, options, task }: TurnReply): string =>
  JSON.stringify({ ok, output, question, options, task: task === null || isEnded(task.state) ? null : task });

const storedOptions = (text: string | null): StoredOptions => (text === null ? {} : JSON.parse(text));

const viewOf = (row: Omit<TurnRow, 'cursor'>): TurnView => {
  const status = TurnStatus.parse(row.status);
  const stored = row.reply === null ? null : StoredReply.parse(JSON.parse(row.reply));
  const ended = stored === null || row.view === null ? null : storedTaskView(unpack(row.view));
  const reply = stored && { ...stored, status, options: stored.options ?? null, task: stored.task ?? ended };
  const view = turnView(
    { ...row, options: storedOptions(row.options) },
    row.session_id,
    status,
    reply,
    row.finished_at,
  );
  const feedback = feedbackOf(row);
  return feedback === null ? view : { ...view, feedback };
};

export function* findTurn(owner: string, by: 'id' | 'key', value: string): Queries<StoredTurn | null> {
  const column = by === 'id' ? 'turn_id' : 'idempotency_key';
  const row = yield* queryOne<TurnRow>(`${TURN} WHERE u.owner = @owner AND u.${column} = @value`, { owner, value });
  return row === null ? null : { turn: viewOf(row), body_hash: row.body_hash };
}

export function* listTurns(owner: string, session: number, { limit, after }: PageRequest): Queries<Page<TurnView>> {
  const values = { owner, session, before: Number(after ?? NEWEST), limit };
  const sql = `${TURN} WHERE {u.owner = @owner AND} u.session = @session AND u.id < @before ORDER BY u.id DESC LIMIT @limit`;
  const rows = yield* query<TurnRow>(sql, values);
  return pageOf(rows, limit, viewOf);
}

interface OpenTurnRow extends Omit<OpenTurn, 'options' | 'callback_url'> {
  options: string | null;
  callback_url: string | null;
}

export function* openTurns(owner: string, session: number): Queries<OpenTurn[]> {
  const rows = yield* query<OpenTurnRow>(
    `SELECT u.turn_id, t.task_id, u.kind, u.input, u.options, u.callback_url, u.created_at
     FROM turns u LEFT JOIN tasks t ON {t.owner = u.owner AND} t.id = u.task
     WHERE u.owner = @owner AND u.session = @session AND u.finished_at IS NULL ORDER BY u.id`,
    { owner, session },
  );
  return rows.map(({ options, callback_url, ...row }) => ({
    ...row,
    options: storedOptions(options),
    callback_url: callback_url ?? undefined,
  }));
}

/** Inputs, files and answers of a session's last turns with a task, oldest first. */
export function* lastAnswered(owner: string, session: number): Queries<ConversationTurn[]> {
  const rows = yield* query<{ input: string; reply: string; options: string | null }>(
    `SELECT input, reply, options FROM turns WHERE {owner = @owner AND} session = @session AND kind <> 'command' AND finished_at IS NOT NULL
       AND id > coalesce((SELECT id FROM turns WHERE {owner = @owner AND} session = @session ORDER BY id DESC LIMIT 1 OFFSET ${LATEST_TURNS}), 0)
     ORDER BY id DESC LIMIT ${CONVERSATION_TURNS_MAX}`,
    { owner, session },
  );
  return rows
    .map(({ input, reply, options }) => {
      const { files } = storedOptions(options);
      const turn = { said: input, answered: StoredReply.parse(JSON.parse(reply)).output };
      return files === undefined ? turn : { ...turn, files };
    })
    .reverse();
}
