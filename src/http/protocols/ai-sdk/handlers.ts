import { languageOf } from '../../../../contracts/language.ts';
import { messages } from '../../../../contracts/messages/messages.ts';
import { unless } from '../../unless.ts';
import type { ProtocolHandler, ProtocolParts } from '../port.ts';
import { sessionNamed } from '../request.ts';
import { readChatRequest } from './chat-request.ts';
import { newestMessage } from './newest-message.ts';
import { sendMessage, sendNote } from './send-message.ts';
import { createSubmitChat } from './submit-chat.ts';

const sessionOf = (params: unknown): string => sessionNamed((params as { id: string }).id);

/** Makes the handlers of the AI SDK's UI message stream. */
export const createHandlers = (parts: ProtocolParts): Record<string, ProtocolHandler> => {
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
