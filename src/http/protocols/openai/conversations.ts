import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type OpenAI from 'openai';
import { z } from 'zod';
import { ServiceError, unless } from '../../../lib/errors.ts';
import { parsed } from '../../server/parsed.ts';
import type { ProtocolHandlers, ProtocolParts } from '../port.ts';
import { invalidRequest, sessionNamed } from '../request.ts';
import { MetadataPairs } from './messages.ts';
import { itemsOf, turnIdOf } from './response.ts';

const NO_ITEMS = 'items cannot be added to a conversation: send the text as the input of a response';

const Created = z
  .looseObject({ metadata: MetadataPairs, items: z.array(z.unknown()).max(0, NO_ITEMS).nullish() })
  .nullish();

const Updated = z.looseObject({ metadata: MetadataPairs });

const ItemsQuery = z.looseObject({ order: z.enum(['asc', 'desc']).default('desc') });

/** Most turns of a conversation whose items are listed, newest first. */
const TURNS_LISTED_MAX = 200;

/** A complete list in the format of OpenAI's API; `newest` comes newest first. */
export const itemList = (newest: readonly { id: string }[], query: unknown) => {
  const data = parsed(ItemsQuery, query).order === 'desc' ? newest : newest.toReversed();
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: false };
};

/** The key under which a session's conversation metadata is stored. */
const metadataKey = (session: string): string => `metadata ${session}`;

const idIn = ({ params }: FastifyRequest): string => (params as { id: string }).id;

/**
 * Creates the handlers of the Conversations API: a conversation is a session, and its items are the inputs and replies
 * of the session's turns.
 */
export const createConversationHandlers = ({ engine, remembered }: ProtocolParts): ProtocolHandlers => {
  const shown = async (owner: string, id: string): Promise<OpenAI.Conversations.Conversation> => {
    const { session_id, created_at } = await engine.session(owner, sessionNamed(id));
    const kept = (await remembered.recall(owner, metadataKey(session_id)))?.request_key ?? '{}';
    return {
      id,
      object: 'conversation',
      created_at: Math.floor(Date.parse(created_at) / 1_000),
      metadata: JSON.parse(kept),
    };
  };

  const keep = (owner: string, session: string, metadata: z.infer<typeof MetadataPairs>): Promise<void> =>
    remembered.pin(owner, metadataKey(session), session, JSON.stringify(metadata ?? {}));

  return {
    createConversation: async ({ owner, body }) => {
      const { metadata } = parsed(Created, body) ?? {};
      const id = `conv_${randomUUID().replaceAll('-', '')}`;
      await engine.openSession({ owner, session_id: id });
      if (metadata != null) await keep(owner, id, metadata);
      return shown(owner, id);
    },
    conversation: (request) => shown(request.owner, idIn(request)),
    updateConversation: async (request) => {
      const { metadata } = parsed(Updated, request.body);
      const id = idIn(request);
      const { session_id } = await engine.session(request.owner, sessionNamed(id));
      await keep(request.owner, session_id, metadata);
      return shown(request.owner, id);
    },
    /** Removes the session with everything in it. */
    deleteConversation: async (request) => {
      const id = idIn(request);
      await engine.remove(request.owner, sessionNamed(id));
      return { id, object: 'conversation.deleted', deleted: true };
    },
    conversationItems: async (request) => {
      const session = sessionNamed(idIn(request));
      const { items } = await engine.turns(request.owner, session, { limit: TURNS_LISTED_MAX });
      return itemList(items.flatMap(itemsOf), request.query);
    },
    conversationItem: async (request) => {
      const { item: itemId } = request.params as { item: string };
      const { session_id } = await engine.session(request.owner, sessionNamed(idIn(request)));
      const turnId = turnIdOf(itemId.replace(/^msg_/, 'resp_').replace(/_input$/, ''));
      const turn = await unless(['TURN_NOT_FOUND'], engine.turn(request.owner, turnId));
      const item = turn?.session_id === session_id ? itemsOf(turn).find(({ id }) => id === itemId) : undefined;
      if (item === undefined) throw new ServiceError('NOT_FOUND', `Item with id '${itemId}' not found.`);
      return item;
    },
    addItems: async (request) => {
      await engine.session(request.owner, sessionNamed(idIn(request)));
      throw invalidRequest(`'items' is invalid: ${NO_ITEMS}`, 'items');
    },
    deleteItem: async (request) => {
      await engine.session(request.owner, sessionNamed(idIn(request)));
      throw invalidRequest('A single item cannot be deleted; delete its conversation');
    },
  };
};
