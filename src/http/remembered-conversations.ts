import { REMEMBERED_CONVERSATIONS_MAX } from '../../contracts/limits.ts';
import { ask, type OwnerData } from '../store/questions.ts';

/** What is remembered of a conversation that its front end has no id for. */
export interface RememberedConversation {
  session_id: string;
  /** The idempotency key of the turn that was submitted last. */
  request_key: string | null;
  at: number;
}

/** Conversations by keys that a protocol makes of what a front end sends. Belongs to an owner and outlives the process. */
export interface RememberedConversations {
  /** Null for a key that is not known, or no longer. */
  recall(owner: string, key: string): Promise<RememberedConversation | null>;
  /** Recalls and forgets it at once, so that of several that ask for a key one alone gets what it stands for. */
  take(owner: string, key: string): Promise<RememberedConversation | null>;
  /** Replaces what the key stood for; drops the owner's oldest beyond `REMEMBERED_CONVERSATIONS_MAX`. */
  remember(
    owner: string,
    key: string,
    conversation: Pick<RememberedConversation, 'session_id' | 'request_key'>,
  ): Promise<void>;
}

const FIND = 'SELECT session_id, request_key, at FROM remembered_conversations WHERE owner = @owner AND key = @key';

const TAKE =
  'DELETE FROM remembered_conversations WHERE owner = @owner AND key = @key RETURNING session_id, request_key, at';

const KEEP = `
  INSERT INTO remembered_conversations (owner, key, session_id, request_key, at) VALUES (@owner, @key, @session_id, @request_key, @at)
  ON CONFLICT DO UPDATE SET session_id = @session_id, request_key = @request_key, at = @at`;

const DROP_OLDEST = `
  DELETE FROM remembered_conversations WHERE owner = @owner AND at <
    (SELECT at FROM remembered_conversations WHERE owner = @owner ORDER BY at DESC LIMIT 1 OFFSET @kept - 1)`;

/** Makes the memory on the owner's data. */
export const createRememberedConversations = (ownerData: OwnerData, now: () => number): RememberedConversations => ({
  recall: async (owner, key) =>
    (await ownerData.run(owner, () => ask<RememberedConversation>(FIND, { owner, key })))[0] ?? null,
  take: async (owner, key) =>
    (await ownerData.run(owner, () => ask<RememberedConversation>(TAKE, { owner, key })))[0] ?? null,
  remember: (owner, key, conversation) =>
    ownerData.run(owner, function* () {
      yield* ask(KEEP, { owner, key, ...conversation, at: now() });
      yield* ask(DROP_OLDEST, { owner, kept: REMEMBERED_CONVERSATIONS_MAX });
    }),
});
