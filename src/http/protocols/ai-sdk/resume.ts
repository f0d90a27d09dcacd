import type { TurnView } from '../../../../contracts/http.ts';
import { ServiceError } from '../../../errors.ts';
import { questionId } from '../../../projections/question-id.ts';
import type { Conversations, ProtocolHandler, ProtocolParts } from '../port.ts';
import { sessionNamed } from '../session-name.ts';
import { sendMessage } from './message-stream.ts';
import type { MessageTurn } from './turn-chunks.ts';
import { answerKey } from './turn-key.ts';

/** Turns of a session that are read to find a running message: one with more questions and commands is shown from a later one on. */
const TURNS_READ = 50;

const sessionOf = (params: unknown): string => sessionNamed((params as { id: string }).id);

/** The session's newest turns; none where it is new. */
const newestTurns = async ({ turns }: Conversations, owner: string, session: string): Promise<readonly TurnView[]> => {
  try {
    return (await turns(owner, session, { limit: TURNS_READ })).items;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'SESSION_NOT_FOUND') return [];
    throw error;
  }
};

/**
 * The message that is running: its turns from the one that began it on, each of which the next one answers. Where none runs, the
 * newest one if `orFinished`, else none.
 */
const newestMessage = async (
  conversations: Conversations,
  owner: string,
  session: string,
  orFinished: boolean,
): Promise<MessageTurn[]> => {
  const turns = await newestTurns(conversations, owner, session);
  const running = turns.findIndex(({ finished_at }) => finished_at === null);
  const at = running === -1 && orFinished ? 0 : running;
  if (turns[at] === undefined) return [];
  const message: MessageTurn[] = [{ turn: turns[at], answers: null, isAnswerShown: true }];
  for (const turn of turns.slice(at + 1)) {
    const next = message[0]!;
    const asked = turn.task === null || turn.task_id !== next.turn.task_id ? null : questionId(turn.task);
    if (asked === null) continue;
    const answer = await conversations.turnByKey(owner, answerKey(session, asked));
    if (answer?.id !== next.turn.id) break;
    next.answers = asked;
    message.unshift({ turn, answers: null, isAnswerShown: true });
  }
  return message;
};

/**
 * Answers `GET /api/chat/:id/stream`: the whole message that is running, or 204; and `…/last`, for a page that may have missed how its
 * message ended: also one that is finished.
 */
export const createResume = (parts: ProtocolParts, orFinished: boolean): ProtocolHandler => {
  const { conversations, streams } = parts;
  return async (request, reply) => {
    const { owner, params } = request;
    const message = await newestMessage(conversations, owner, sessionOf(params), orFinished);
    if (message.length === 0) return reply.code(204).send();
    streams.take(request, reply);
    return sendMessage(request, reply, parts, message[0]!.turn.id, message);
  };
};

/** Answers `POST /api/chat/:id/stop`: cancels the task that runs or waits in the session, where there is one. */
export const createStop = ({ conversations }: ProtocolParts): ProtocolHandler => {
  return async ({ owner, params }) => {
    try {
      const { active_task: task } = await conversations.session(owner, sessionOf(params));
      if (task !== null) await conversations.cancel(owner, task.id);
    } catch (error) {
      const isIdle =
        error instanceof ServiceError && (error.code === 'SESSION_NOT_FOUND' || error.code === 'TASK_FINISHED');
      if (!isIdle) throw error;
    }
    return { success: true };
  };
};
