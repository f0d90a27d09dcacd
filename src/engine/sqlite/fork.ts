import { randomBytes } from 'node:crypto';
import type { SessionEvent } from '../../../contracts/event.ts';
import { isContinuePhrase } from '../../../machines/phrases.ts';
import { routeInput } from '../../../machines/route-input.ts';
import { EventNotAccepted } from '../../../machines/step.ts';
import { MACHINE } from '../../../machines/task-machine.ts';
import { ServiceError } from '../../errors.ts';
import { newId } from '../new-id.ts';
import type { TaskFork } from '../port.ts';
import type { NewTurn, SessionChange } from '../session-head.ts';
import type { Opening } from '../take-input.ts';
import type { Actors } from './actors.ts';
import { appendEntry } from './append-entry.ts';
import { type Committed, createChanges, type Draft } from './change.ts';
import type { CommitQueue } from './commit-queue.ts';
import { agrees, cutHistory, type ForkHistory, rewriteHistory } from './fork-history.ts';
import { newHead } from './load-head.ts';
import { taskEntries } from './load-task.ts';
import type { SessionRow, TaskRow } from './rows.ts';
import type { Sessions } from './sessions.ts';
import type { Statements } from './statements.ts';
import type { Zones } from './zones.ts';

/** Characters of the original session's name that a fork's made-up name begins with: the whole stays within 64. */
const NAME_CHARS_KEPT = 47;

/** Random bytes at the end of a made-up session name: nobody meets one by chance. */
const NAME_BYTES = 5;

interface Parts {
  statements: Statements;
  sessions: Sessions;
  zones: Zones;
  commits: CommitQueue;
  actors: Actors;
  machine: number;
  opening: Opening;
  onCommitted(row: SessionRow, committed: Committed[], finished: string[]): void;
}

const checkInput = (input: string | undefined): void => {
  if (input === undefined) return;
  const around = { activity: 'waiting', isRecentPaused: false, isModelConfigured: true, onBusy: 'enqueue' } as const;
  const { kind } = routeInput(input, around);
  if (kind === 'command' || kind === 'control')
    throw new ServiceError(
      'INVALID_REQUEST',
      'The input of a fork is an answer, "continue" or what the task should know besides; send commands to the new session',
    );
};

/** Folds the history into the new session. The turn is bound before the last event, so that a task at rest answers it. */
const retell = (change: SessionChange, history: ForkHistory, original: string, bind: () => void): void => {
  const { opened, rest } = history;
  change.openTask(opened);
  if (rest.length === 0) bind();
  for (const [i, { event, row }] of rest.entries()) {
    if (change.head.active === null) change.activate(opened.task_id);
    if (i === rest.length - 1) bind();
    const task = change.apply(event);
    if (row.machine !== MACHINE && !agrees(row, original, task, change.head.open))
      throw new EventNotAccepted(`entry ${row.seq} leads elsewhere now`);
  }
};

/** What the user says where the fork begins: the answer, the word to go on, or a steer (SPEC 2, 6). */
const say = (change: SessionChange, taskId: string, turn: NewTurn): void => {
  const { turn_id, input: text } = turn;
  const isPaused = change.head.active === null;
  if (isPaused) change.activate(taskId);
  change.addTurn(turn, 'running');
  if (change.head.active?.task.state === 'awaiting_user')
    return void change.apply({ type: 'answer.received', turn_id, text });
  if (isPaused) change.apply({ type: 'task.resumed', turn_id });
  if (isPaused && (isContinuePhrase(text) || change.head.active === null)) return;
  change.apply({ type: 'steer.received', turn_id, text });
};

/**
 * Makes the way to fork a task: a new session whose first entry names its origin, with the task's history folded again under ids
 * of its own, that goes on for real. One transaction; the original is only read. Resolves with the id of the fork's turn.
 */
export const createFork = ({ statements, sessions, zones, commits, actors, machine, opening, onCommitted }: Parts) => {
  const addSession = (owner: string, session_id: string, timezone: string, now: number): SessionRow => {
    if (sessions.has(owner, session_id))
      throw new ServiceError(
        'SESSION_EXISTS',
        `There is a session "${session_id}" already, and a fork begins a new one; name another, or none`,
      );
    const id = sessions.newId();
    statements.addSession.run(id, owner, session_id, timezone, now, now);
    return { id, owner, session_id, timezone, created_at: now, updated_at: now };
  };

  return async (owner: string, row: TaskRow, { at, input, session_id: wanted }: TaskFork): Promise<string> => {
    checkInput(input);
    if (opening.modelProblem !== null) throw new ServiceError('MODEL_NOT_CONFIGURED', opening.modelProblem);
    const origin = statements.sessionById.get(row.session)!;
    const tail = randomBytes(NAME_BYTES).toString('hex');
    const session_id = wanted ?? `${origin.session_id.slice(0, NAME_CHARS_KEPT)}-fork-${tail}`;
    const turn_id = newId('turn', opening.now());
    const ids = { task_id: newId('task', opening.now()), session_id };
    let made: { session: SessionRow; draft: Draft; news: Committed[] } | undefined;

    const write = (): void => {
      const now = opening.now();
      const entries = cutHistory([...taskEntries(statements, row, row.first_seq - 1)], at);
      const history = rewriteHistory(entries, row.task_id, ids);
      const session = addSession(owner, session_id, origin.timezone, now);
      const event: SessionEvent = {
        type: 'session.forked',
        from_session_id: origin.session_id,
        from_task_id: row.task_id,
        at_seq: history.at,
      };
      appendEntry(statements, [session.id, 1, null, now, machine, null, null, JSON.stringify(event), null]);
      const { head, rows } = newHead();
      const changes = createChanges({ statements, zones, session, machine, bodyHash: () => null });
      const { change, draft } = changes.begin({ ...head, seq: 1 }, rows, now);
      const pending = statements.turnOfOwner.get(history.turn_id, owner)?.input ?? history.opened.goal;
      const turn: NewTurn = { owner, session_id, turn_id, input: input ?? pending };
      retell(change, history, row.task_id, () => input === undefined && change.addTurn(turn, 'running'));
      const copied = draft.committed.length;
      if (input !== undefined) say(change, ids.task_id, turn);
      made = { session, draft, news: draft.committed.slice(copied - 1) };
    };

    try {
      await commits.commit(write);
    } catch (error) {
      if (!(error instanceof EventNotAccepted)) throw error;
      throw new ServiceError(
        'EVENT_NOT_ACCEPTED',
        `This history was made by another version of the machine, and this one (${MACHINE}) can not go on with it: ${error.message}`,
        { cause: error },
      );
    }
    if (made === undefined) throw new Error('the fork was committed and is not there');
    const { session, draft, news } = made;
    // Its effect was never begun: a session that is loaded from the store counts as interrupted in the middle of it.
    actors.adopt(session, { head: draft.head, rows: draft.rows, first: null });
    onCommitted(session, news, draft.finished);
    return turn_id;
  };
};
