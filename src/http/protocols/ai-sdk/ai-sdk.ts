import type { LoadedProtocol, ProtocolParts } from '../port.ts';
import { createChat } from './chat.ts';
import { createResume, createStop } from './resume.ts';

/** Makes the handlers of the AI SDK's UI message stream. */
export const createProtocol = (parts: ProtocolParts): LoadedProtocol => ({
  handlers: {
    chat: createChat(parts),
    resume: createResume(parts, false),
    last: createResume(parts, true),
    stop: createStop(parts),
  },
  // The client shows a page the whole body of a refusal as the error's message.
  refuse: ({ status, detail }, _request, reply) => reply.code(status).type('text/plain; charset=utf-8').send(detail),
});
