import type { UIMessageChunk } from 'ai';
import { languageOf } from '../../../../contracts/language.ts';
import { messages } from '../../../../contracts/messages/messages.ts';
import type { ProtocolHandler, ProtocolParts } from '../port.ts';
import { sessionNamed } from '../session-name.ts';
import { readChatRequest } from './chat-request.ts';
import { sendChunks, sendMessage } from './message-stream.ts';
import { createSubmitChat } from './submit-chat.ts';

/** A message goes on with a note, and a step that no answered call is in, so that the page does not send the answer again. */
async function* noteChunks(messageId: string | undefined, text: string): AsyncGenerator<UIMessageChunk> {
  const id = 'note';
  yield { type: 'start', ...(messageId !== undefined && { messageId }) };
  yield { type: 'start-step' };
  yield { type: 'text-start', id };
  yield { type: 'text-delta', id, delta: text };
  yield { type: 'text-end', id };
  yield { type: 'finish-step' };
  yield { type: 'finish', finishReason: 'other' };
}

/** Answers `POST /api/chat`: a user's text begins a message, an answer in a message goes on with it. */
export const createChat = (parts: ProtocolParts): ProtocolHandler => {
  const { conversations, streams } = parts;
  const submit = createSubmitChat(conversations);
  return async (request, reply) => {
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
      return sendChunks(request, reply, parts, () => noteChunks(messageId, notOpen));
    }
    const { turn } = answered;
    // In another message than the one that goes on, its part can not be changed any more.
    const answers = answer.messageId === messageId ? answer.questionId : null;
    return sendMessage(request, reply, parts, messageId ?? turn.id, [{ turn, answers, isAnswerShown: false }]);
  };
};
