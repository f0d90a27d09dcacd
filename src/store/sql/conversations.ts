import { type Queries, query, queryOne } from '../../lib/queries.ts';
import type { RememberedConversation, RememberedConversations } from '../port.ts';
import type { SqlDatabase } from './database.ts';

/**
 * Points in conversations at which an owner can continue, for front ends without conversation ids. Two per message, so
 * weeks of conversation.
 */
export const REMEMBERED_CONVERSATIONS_MAX = 10_000;

/** The time of a pinned key, which is kept as long as its session. */
const PINNED = 0;

const FIND = 'SELECT session_id, request_key, at FROM remembered_conversations WHERE owner = @owner AND key = @key';

const TAKE =
  'DELETE FROM remembered_conversations WHERE owner = @owner AND key = @key RETURNING session_id, request_key, at';

const KEEP = `
  INSERT INTO remembered_conversations (owner, key, session_id, request_key, at) VALUES (@owner, @key, @session_id, @request_key, @at)
  ON CONFLICT (owner, key) DO UPDATE SET session_id = @session_id, request_key = @request_key, at = @at`;

const DROP_OLDEST = `
  DELETE FROM remembered_conversations WHERE owner = @owner AND at > 0 AND at <
    (SELECT at FROM remembered_conversations WHERE owner = @owner ORDER BY at DESC LIMIT 1 OFFSET @kept - 1)`;

function* remember(owner: string, key: string, conversation: RememberedConversation): Queries<void> {
  yield* query(KEEP, { owner, key, ...conversation });
  yield* query(DROP_OLDEST, { owner, kept: REMEMBERED_CONVERSATIONS_MAX });
}

/** Creates the memory of conversations. It drops an owner's oldest beyond `REMEMBERED_CONVERSATIONS_MAX`. */
export const createConversationStore = (db: SqlDatabase): RememberedConversations => ({
  recall: (owner, key) => db.read(() => queryOne(FIND, { owner, key })),
  take: (owner, key) => db.write(owner, () => queryOne(TAKE, { owner, key })),
  remember: (owner, key, conversation) => db.write(owner, () => remember(owner, key, conversation)),
  pin: async (owner, key, session_id, text = null) => {
    await db.write(owner, () => query(KEEP, { owner, key, session_id, request_key: text, at: PINNED }));
  },
});
