import { createHash } from 'node:crypto';
import { languageOf } from '../../../machines/language.ts';
import { routeInput } from '../../../machines/route-input.ts';
import type { Commands } from '../../commands/port.ts';
import { ServiceError } from '../../errors.ts';
import { newId } from '../new-id.ts';
import type { SubmittedTurn } from '../port.ts';
import type { NewTurn } from '../session-head.ts';
import type { Opening } from '../take-input.ts';
import type { Actors } from './actors.ts';
import type { AnswerQuestions } from './answer-questions.ts';
import { loadHead } from './load-head.ts';
import { loadTask } from './load-task.ts';
import type { SessionRow, TurnRow } from './rows.ts';
import type { Sessions } from './sessions.ts';
import type { Statements } from './statements.ts';
import type { Zones } from './zones.ts';

interface Parts {
  statements: Statements;
  sessions: Sessions;
  zones: Zones;
  actors: Actors;
  commands: Commands;
  answer: AnswerQuestions;
  opening: Opening;
  hostTimezone: string;
}

/** A hash of all that a turn asks for, to tell a repeated request from another one under the same key. */
export const bodyHash = ({
  session_id,
  input,
  on_busy,
  timezone,
  confirm_plan,
  callback_url,
}: NewTurn | SubmittedTurn): string =>
  createHash('sha256')
    .update(JSON.stringify([session_id, input, on_busy, timezone, confirm_plan, callback_url]))
    .digest('base64url');

/** Makes the way in: every input gets an id, is stored, and goes where SPEC 2 sends it. */
export const createSubmit = (parts: Parts) => {
  const { statements, sessions, zones, actors, commands, answer, opening, hostTimezone } = parts;
  const sessionFor = (turn: SubmittedTurn): SessionRow =>
    sessions.of(turn.owner, turn.session_id, turn.timezone ?? hostTimezone);

  /** The turn that this key stands for already; refuses another body under the same key. */
  const repeated = (turn: SubmittedTurn): TurnRow | null => {
    if (turn.idempotency_key === undefined) return null;
    const known = statements.turnByKey.get(turn.owner, turn.idempotency_key);
    if (known === undefined) return null;
    if (known.body_hash === bodyHash(turn)) return known;
    throw new ServiceError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used with another body; send a new key with a new request',
    );
  };

  /** Runs a slash command and stores its turn in one transaction; leaves every task as it was. */
  const runCommand = async (turn: NewTurn, name: string, rest: string): Promise<void> => {
    const row = sessionFor(turn);
    const write = (): void => {
      const head = actors.peek(row.id)?.head() ?? loadHead(statements, row).head;
      const recent = statements.recentTask.get(row.id);
      const task = head.active?.task ?? (recent === undefined ? null : loadTask(statements, recent).task);
      const timezone = turn.timezone ?? row.timezone;
      const now = opening.now();
      const language = languageOf(turn.input) === 'zh' || task?.context.language === 'zh' ? 'zh' : 'en';
      const { owner, session_id } = turn;
      const queued = head.queued.length;
      const output = answer(commands.run(name, rest, { owner, session_id, now, timezone, language, task, queued }));
      const reply = JSON.stringify({ output, question: null, task: null });
      const key = turn.idempotency_key ?? null;
      statements.addTurn.run(
        ...[turn.turn_id, row.id, owner, 'command', 'ran', null, turn.input, null],
        ...[turn.callback_url ?? null, key, key === null ? null : bodyHash(turn), reply, now, now],
      );
      zones.use(row.id, now, turn.timezone);
    };
    try {
      await sessions.commit(row, write);
    } catch (error) {
      if (actors.peek(row.id) === undefined) sessions.forget(row);
      throw error;
    }
  };

  /** Resolves with the id of the stored turn. */
  return async (submitted: SubmittedTurn): Promise<string> => {
    const known = repeated(submitted);
    if (known !== null) return known.turn_id;
    const turn: NewTurn = { ...submitted, turn_id: newId('turn', opening.now()) };
    const route = routeInput(turn.input, {
      activity: 'free',
      isRecentPaused: false,
      isModelConfigured: opening.modelProblem === null,
      onBusy: 'enqueue',
    });
    if (route.kind === 'no_model') throw new ServiceError('MODEL_NOT_CONFIGURED', opening.modelProblem ?? '');
    try {
      if (route.kind === 'command') await runCommand(turn, route.name, route.rest);
      else await actors.of(sessionFor(turn)).post(turn);
      return turn.turn_id;
    } catch (error) {
      // Another request with this key may have been stored while this one was on its way, and it stands for both.
      const winner = repeated(submitted);
      if (winner === null) throw error;
      return winner.turn_id;
    }
  };
};
