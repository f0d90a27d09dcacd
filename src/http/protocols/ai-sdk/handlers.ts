import { messages } from '../../../../contracts/messages/messages.ts';
import { languageOf } from '../../../../contracts/text.ts';
import { questionId } from '../../../projections/question.ts';
import { unless } from '../../unless.ts';
import type { Conversations, ProtocolHandler, ProtocolHandlers, ProtocolParts } from '../port.ts';
import { sessionNamed } from '../request.ts';
import { readChatRequest } from './chat-request.ts';
import { type MessageTurn, sendMessage, sendNote } from './message.ts';
import { answerKey, createSubmitChat } from './submit-chat.ts';

/** Turns of a session that are read to find a running message: one with more questions and commands is shown from a later one on. */
const TURNS_READ = 50;

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

const sessionOf = (params: unknown): string => sessionNamed((params as { id: string }).id);

/** Makes the handlers of the AI SDK's UI message stream. */
export const createHandlers = (parts: ProtocolParts): ProtocolHandlers => {
  const { conversations, streams } = parts;
  const submit = createSubmitChat(conversations);

  /** Streams the newest message from its beginning; 204 where there is none, or where it does not run and only a running one is asked for. */
  const showNewest =
    (orFinished: boolean): ProtocolHandler =>
    async (request, reply) => {
      const { owner, params } = request;
      const message = await newestMessage(conversations, owner, sessionOf(params), orFinished);
      if (message.length === 0) return reply.code(204).send();
      streams.take(request, reply);
      return sendMessage(request, reply, parts, message[0]!.turn.id, message);
    };

  return {
    /** A user's text begins a message, an answer in a message goes on with it. */
    chat: async (request, reply) => {
      const { chatId, said, more } = readChatRequest(request.body);
      const session = sessionNamed(chatId);
      streams.take(request, reply);
      if (said.type === 'text') {
        const turn = await submit.text(request, reply, session, said, more);
        return sendMessage(request, reply, parts, turn.id, [{ turn, answers: null, isAnswerShown: false }]);
      }
      const { messageId, answer } = said;
      const answered = await submit.answer(request, reply, session, answer);
      if ('askedBy' in answered) {
        const { notOpen } = messages(languageOf(answered.askedBy.goal)).questions;
        return sendNote(request, reply, parts, messageId, notOpen);
      }
      const { turn } = answered;
      // In another message than the one that goes on, its part can not be changed any more.
      const answers = answer.messageId === messageId ? answer.questionId : null;
      return sendMessage(request, reply, parts, messageId ?? turn.id, [{ turn, answers, isAnswerShown: false }]);
    },
    resume: showNewest(false),
    /** For a page that may have missed how its message ended. */
    last: showNewest(true),
    /** Cancels the task that runs or waits in the session, where there is one. */
    stop: async ({ owner, params }) => {
      const task = (await unless(['SESSION_NOT_FOUND'], conversations.session(owner, sessionOf(params))))?.active_task;
      if (task != null) await unless(['SESSION_NOT_FOUND', 'TASK_FINISHED'], conversations.cancel(owner, task.id));
      return { success: true };
    },
  };
};
