import { type Queries, type Statement, statement } from '../../lib/queries.ts';
import type { Change, Decision } from '../../session/change.ts';
import type { SessionRecord } from '../../session/image.ts';
import { bodyHash } from '../../session/turn-views.ts';
import { closeApproval, openApproval } from './approvals.ts';
import { machineNumber, storedChain, storedTexts } from './entries.ts';
import { pack } from './frames.ts';
import { addToOutbox } from './outbox.ts';
import { removeSession } from './removal.ts';
import { costToAdd, toolsToNote } from './session-spent.ts';
import { storedReply } from './turns.ts';
import { addCall, addToolCalls, type CallsToAdd, countTurn } from './usage.ts';

const TASK = '(SELECT id FROM tasks WHERE task_id = @task_id AND owner = @owner)';

type TurnAdded = Extract<Change, { type: 'turn.added' }>;

/** A change that takes one statement. */
type StoredAtOnce = Exclude<
  Change,
  { type: 'session.removed' | 'usage.added' | 'tools.called' | 'outbox.added' | 'approval.opened' | 'approval.closed' }
>;

// Texts that are built once: a database finds its prepared statements by the identical string.
const ADD_TURN = `
  INSERT INTO turns (turn_id, session, owner, kind, status, task, input, options, callback_url,
    idempotency_key, body_hash, reply, created_at, finished_at)
  VALUES (@turn_id, @session, @owner, @kind, @status, ${TASK}, @input, @options, @callback_url,
    @idempotency_key, @body_hash, @reply, @created_at, @finished_at)`;
const ADD_ENTRY = `
  INSERT INTO entries ({owner,} session, seq, task, at, machine, state, step_count, event, effects, chain)
  VALUES ({@owner,} @id, @seq, ${TASK}, @at, @machine, @state, @step_count, @event, @effects, @chain)`;
const SAVE_SNAPSHOT = `
  INSERT INTO snapshots ({owner,} task, seq, machine, body) VALUES ({@owner,} ${TASK}, @seq, @machine, @body)
  ON CONFLICT ({owner,} task) DO UPDATE SET seq = excluded.seq, machine = excluded.machine, body = excluded.body`;
const DROP_SNAPSHOT = `DELETE FROM snapshots WHERE {owner = @owner AND} task = ${TASK}`;
const BIND_TURN = `UPDATE turns SET task = ${TASK}, status = 'running' WHERE turn_id = @turn_id AND owner = @owner`;

const turnAdded = ({ turn, sent, status, reply }: TurnAdded, session: number): Statement => {
  const { options, callback_url = null, ...kept } = turn;
  const asked = JSON.stringify(options);
  return statement(ADD_TURN, {
    ...kept,
    session,
    owner: sent.owner,
    status,
    callback_url,
    options: asked === '{}' ? null : asked,
    idempotency_key: sent.idempotency_key ?? null,
    body_hash: bodyHash(sent),
    reply: reply && storedReply(reply),
    finished_at: reply && turn.created_at,
  });
};

const statementOf = (change: StoredAtOnce, { id, owner }: SessionRecord, at: number): Statement => {
  switch (change.type) {
    case 'session.added': {
      const { session_id, timezone, created_at, is_fork } = change.session;
      return statement(
        `INSERT INTO sessions (id, owner, session_id, timezone, created_at, updated_at, is_fork)
         VALUES (@id, @owner, @session_id, @timezone, @created_at, @at, @is_fork)`,
        { id, owner, session_id, timezone, created_at, at, is_fork: Number(is_fork) },
      );
    }
    case 'session.used':
      return statement(
        `UPDATE sessions SET updated_at = @at, timezone = coalesce(@timezone, timezone), turn_count = turn_count + 1
         WHERE id = @id AND owner = @owner`,
        { ...change, id, owner, at },
      );
    case 'agent.chosen':
      return statement('UPDATE sessions SET agent = @agent WHERE id = @id AND owner = @owner', {
        ...change,
        id,
        owner,
      });
    case 'entry.added': {
      const { seq, task_id, state, step_count, texts } = change;
      const machine = machineNumber;
      const chain = storedChain(change.chain);
      const { event, effects } = storedTexts(change.event, texts);
      return statement(ADD_ENTRY, { owner, id, seq, task_id, at, machine, state, step_count, event, effects, chain });
    }
    case 'task.added':
      return statement(
        `INSERT INTO tasks (task_id, session, owner, state, first_seq, touched_at_seq)
         VALUES (@task_id, @id, @owner, 'running', @first_seq, @first_seq)`,
        { ...change, id, owner },
      );
    case 'task.moved': {
      const { view } = change;
      // A task that already waited, such as one whose plan is edited, keeps its time.
      return statement(
        `UPDATE tasks SET state = @state, outcome = @outcome, touched_at_seq = @touched_at_seq, view = @view,
           question = @question, expires_at = @expires_at, waiting_since = CASE WHEN @state NOT IN ('awaiting_user', 'paused') THEN NULL
             WHEN state = @state THEN waiting_since ELSE @at END
         WHERE task_id = @task_id AND owner = @owner`,
        {
          ...change,
          owner,
          at,
          view: view && pack(JSON.stringify(view)),
          outcome: view?.outcome ?? null,
        },
      );
    }
    case 'snapshot.saved': {
      const { task_id, seq, task } = change;
      return statement(SAVE_SNAPSHOT, { owner, task_id, seq, machine: machineNumber, body: JSON.stringify(task) });
    }
    case 'snapshot.dropped':
      return statement(DROP_SNAPSHOT, { ...change, owner });
    case 'effect.begun':
      return statement(
        'UPDATE tasks SET begins = @begins, begun_effect = @effect WHERE task_id = @task_id AND owner = @owner',
        { ...change, owner },
      );
    case 'turn.added':
      return turnAdded(change, id);
    case 'turn.bound':
      return statement(BIND_TURN, { ...change, owner });
    case 'turn.finished': {
      const { turn, reply } = change;
      return statement(
        `UPDATE turns SET status = @status, reply = @reply, finished_at = @at
         WHERE turn_id = @turn_id AND owner = @owner`,
        { owner, at, turn_id: turn.turn_id, status: reply.status, reply: storedReply(reply) },
      );
    }
    default:
      return change satisfies never;
  }
};

/** Stores a decision's changes. */
export function* writeChanges({ changes, image, at }: Decision, calls: CallsToAdd): Queries<void> {
  const { session } = image;
  let isForTask = false;
  for (const change of changes)
    switch (change.type) {
      case 'session.removed':
        yield* removeSession(session, at, change.hashes);
        break;
      case 'usage.added':
        addCall(calls, session.owner, at, change.usage, change.tool);
        // An answer may come after its session was removed.
        if (image.isStored && change.usage.cost !== undefined) yield costToAdd(session, change.usage.cost);
        break;
      case 'tools.called':
        for (const called of change.calls) addToolCalls(calls, session.owner, at, called);
        break;
      case 'approval.opened':
        yield* openApproval(session.owner, change.task_id, change);
        break;
      case 'approval.closed':
        yield* closeApproval(session.owner, change.task_id);
        break;
      case 'outbox.added':
        yield* addToOutbox(change.message, session, at);
        break;
      default:
        isForTask ||= change.type === 'turn.added' && change.turn.kind !== 'command';
        yield statementOf(change, session, at);
        if (change.type === 'entry.added') yield* toolsToNote(session, change.event);
    }
  if (isForTask) yield* countTurn(session.owner, at);
}
