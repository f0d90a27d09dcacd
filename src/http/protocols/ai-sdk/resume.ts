import { questionId } from '../../../projections/question-id.ts';
import { unless } from '../../unless.ts';
import type { Conversations, ProtocolHandler, ProtocolParts } from '../port.ts';
import { sessionNamed } from '../session-name.ts';
import { sendMessage } from './message-stream.ts';
import type { MessageTurn } from './turn-chunks.ts';
import { answerKey } from './turn-key.ts';

/** Turns of a session that are read to find a running message: one with more questions and commands is shown from a later one on. */
const TURNS_READ = 50;

const sessionOf = (params: unknown): string => sessionNamed((params as { id: string }).id);

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
  const page = await unless(['SESSION_NOT_FOUND'], conversations.turns(owner, session, { limit: TURNS_READ }));
  const turns = page?.items ?? [];
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
    const task = (await unless(['SESSION_NOT_FOUND'], conversations.session(owner, sessionOf(params))))?.active_task;
    if (task != null) await unless(['SESSION_NOT_FOUND', 'TASK_FINISHED'], conversations.cancel(owner, task.id));
    return { success: true };
  };
};
