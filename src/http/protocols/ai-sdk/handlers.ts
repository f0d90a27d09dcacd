import { createHash } from 'node:crypto';
import { messages } from '../../../../contracts/messages/messages.ts';
import { isCommand, languageOf } from '../../../../contracts/text.ts';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { ServiceError, unless } from '../../../lib/errors.ts';
import { questionId } from '../../../projections/question.ts';
import type { SessionsApi } from '../../../runtime/port.ts';
import type { Submission } from '../conversations.ts';
import type { ProtocolHandler, ProtocolHandlers, ProtocolParts } from '../port.ts';
import { requestKey, sessionNamed } from '../request.ts';
import { readChatRequest } from './chat-request.ts';
import { type MessageTurn, sendMessage } from './message.ts';

/** Turns read to find a running message. One with more questions and commands is shown from a later turn on. */
const TURNS_READ = 50;

const turnKey = (...parts: readonly string[]): string => requestKey('ai-sdk/', parts);

const answerKey = (sessionId: string, questionId: string): string => turnKey('answer', sessionId, questionId);

const newestTurns = async (engine: SessionsApi, owner: string, session: string): Promise<readonly TurnView[]> =>
  (await unless(['SESSION_NOT_FOUND'], engine.turns(owner, session, { limit: TURNS_READ })))?.items ?? [];

/**
 * The turns of the running message, each answered by the next. If none is running, the newest message with
 * `orFinished`, else none.
 */
const newestMessage = async (
  engine: SessionsApi,
  owner: string,
  session: string,
  orFinished: boolean,
): Promise<MessageTurn[]> => {
  const turns = await newestTurns(engine, owner, session);
  const running = turns.findIndex(({ finished_at }) => finished_at === null);
  const at = running === -1 && orFinished ? 0 : running;
  if (turns[at] === undefined) return [];
  const message: MessageTurn[] = [{ turn: turns[at], answers: null }];
  for (const turn of turns.slice(at + 1)) {
    const next = message[0]!;
    const asked = turn.task === null || turn.task_id !== next.turn.task_id ? null : questionId(turn.task);
    if (asked === null) continue;
    const answer = await engine.turnByKey(owner, answerKey(session, asked));
    if (answer?.id !== next.turn.id) break;
    next.answers = asked;
    message.unshift({ turn, answers: null });
  }
  return message;
};

/** True where a turn was made of these words and files. Of files alone its words are the service's own. */
const isSaid = ({ input, files = [] }: TurnView, sent: Submission['turn']): boolean => {
  const hashes = (sent.files ?? []).map(({ data = '' }) =>
    createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex'),
  );
  const hasSameFiles = files.length === hashes.length && files.every(({ sha256 }, i) => sha256 === hashes[i]);
  return hasSameFiles && (sent.input === undefined || sent.input === input);
};

const sessionOf = (params: unknown): string => sessionNamed((params as { id: string }).id);

export const createHandlers = (parts: ProtocolParts): ProtocolHandlers => {
  const { engine, conversations, streams } = parts;

  /**
   * The turn of a text and files that are sent again while it runs or asks; null where it has to be submitted anew.
   * Another open question takes precedence.
   */
  const turnToShow = async (owner: string, session: string, sent: Submission['turn']): Promise<TurnView | null> => {
    const [newest] = await newestTurns(engine, owner, session);
    const open = await conversations.openQuestion(owner, session);
    if (
      newest !== undefined &&
      isSaid(newest, sent) &&
      (newest.finished_at === null || (newest.status === 'asking' && open !== null))
    )
      return newest;
    if (open !== null)
      throw new ServiceError('EVENT_NOT_ACCEPTED', messages(languageOf(open.task.goal)).questions.answerFirst);
    return null;
  };

  /**
   * Streams the newest message from its beginning; 204 if there is none, or if only a running one is wanted and none
   * runs.
   */
  const showNewest =
    (orFinished: boolean): ProtocolHandler =>
    async (request, reply) => {
      const message = await newestMessage(engine, request.owner, sessionOf(request.params), orFinished);
      if (message.length === 0) return reply.code(204).send();
      streams.take(request, reply);
      return sendMessage(request, reply, parts, message[0]!.turn.id, message);
    };

  return {
    /** A user's text begins a message; an answer continues one. */
    chat: async (request, reply) => {
      const { owner } = request;
      const { chatId, turn, answer, isAgain, messageIds } = readChatRequest(request.body);
      const session_id = sessionNamed(chatId);
      const { input = '' } = turn;
      streams.take(request, reply);
      const isWatched = true;
      const show = (shown: TurnView, answers: string | null, messageId = shown.id) =>
        sendMessage(request, reply, parts, messageId, [{ turn: shown, answers }]);

      if (answer === null) {
        const shown = isAgain ? await turnToShow(owner, session_id, turn) : null;
        if (shown !== null) return show(shown, null);
        // A page may post a user's text several times; it counts once a message.
        const key = !isAgain && messageIds.length > 0;
        const idempotency = key && { idempotency_key: turnKey('text', session_id, input, ...messageIds) };
        return show(
          (await conversations.submit(request, reply, { session_id, turn, isWatched, ...idempotency })).turn,
          null,
        );
      }
      const { questionId: answers, askedIn, messageId } = answer;
      // A command answers nothing, so it does not use the question's key.
      const idempotency_key = isCommand(input)
        ? turnKey('command', session_id, answers, input)
        : answerKey(session_id, answers);
      const answered = await unless(
        ['IDEMPOTENCY_KEY_REUSED'],
        conversations.submit(request, reply, { session_id, turn, answers, isWatched, idempotency_key }),
      );
      if (answered === null) throw new ServiceError('QUESTION_NOT_OPEN', messages(languageOf(input)).questions.notOpen);
      // When another message continues, the question's part in the old one can no longer change.
      return show(answered.turn, askedIn === messageId ? answers : null, messageId);
    },
    resume: showNewest(false),
    /** For a page that may have missed the end of its message. */
    last: showNewest(true),
    stop: async ({ owner, params, by }) => {
      const task = (await unless(['SESSION_NOT_FOUND'], engine.session(owner, sessionOf(params))))?.active_task;
      if (task != null) await unless(['SESSION_NOT_FOUND', 'TASK_FINISHED'], engine.cancel(owner, task.id, by));
      return { success: true };
    },
  };
};
