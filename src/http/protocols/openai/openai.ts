import type { LoadedProtocol, ProtocolParts } from '../port.ts';
import { createChatCompletions } from './chat-completions.ts';
import { errorBody } from './error-body.ts';

/** The one model that the service offers under this protocol: itself. */
export const MODEL = 'tripact';

/** Makes the handlers of OpenAI's API. */
export const createProtocol = (parts: ProtocolParts): LoadedProtocol => ({
  handlers: {
    models: async () => ({ object: 'list', data: [{ id: MODEL, object: 'model', created: 0, owned_by: 'tripact' }] }),
    chatCompletions: createChatCompletions(parts),
  },
  refuse: (problem, _request, reply) => reply.code(problem.status).send(errorBody(problem)),
});
