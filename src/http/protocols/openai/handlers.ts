import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { ProtocolHandler, ProtocolParts } from '../port.ts';
import { createChatCompletions } from './chat-completions.ts';
import { refusal } from './errors.ts';
import { createSubmitAsked } from './find-session.ts';
import { createResponses } from './responses.ts';

/** The one model that the service offers under this protocol: itself. */
const MODEL = { id: 'tripact', object: 'model', created: 0, owned_by: 'tripact' } as const;

const sendModel = (id: unknown, reply: FastifyReply) =>
  id === MODEL.id
    ? MODEL
    : reply.code(404).send(refusal(`The model '${id}' does not exist`, 'model', 'model_not_found'));

/** Makes the handlers of OpenAI's API. */
export const createHandlers = (parts: ProtocolParts): Record<string, ProtocolHandler> => {
  const submitAsked = createSubmitAsked(parts);
  return {
    models: async () => ({ object: 'list', data: [MODEL] }),
    model: async ({ params }, reply) => sendModel((params as { id: string }).id, reply),
    chatCompletions: createChatCompletions(parts, submitAsked),
    // A conversation is a session under any name, so there is nothing to keep.
    createConversation: async () => ({
      ...{ id: `conv_${randomUUID().replaceAll('-', '')}`, object: 'conversation' },
      ...{ created_at: Math.floor(parts.now() / 1_000), metadata: {} },
    }),
    ...createResponses(parts, submitAsked),
  };
};
