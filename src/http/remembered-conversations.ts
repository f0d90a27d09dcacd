import { ask, type OwnerData } from '../lib/questions.ts';

/** Places in conversations of front ends without conversation ids at which an owner can go on: two for each message, so weeks of talk. */
export const REMEMBERED_CONVERSATIONS_MAX = 10_000;

interface RememberedConversation {
  session_id: string;
  /** The idempotency key of the turn that was submitted last; of what is pinned, its text. */
  request_key: string | null;
  /** Epoch milliseconds; 0: kept as long as the session. */
  at: number;
}

const FIND = 'SELECT session_id, request_key, at FROM remembered_conversations WHERE owner = @owner AND key = @key';

const TAKE =
  'DELETE FROM remembered_conversations WHERE owner = @owner AND key = @key RETURNING session_id, request_key, at';

const KEEP = `
  INSERT INTO remembered_conversations (owner, key, session_id, request_key, at) VALUES (@owner, @key, @session_id, @request_key, @at)
  ON CONFLICT (owner, key) DO UPDATE SET session_id = @session_id, request_key = @request_key, at = @at`;

const DROP_OLDEST = `
  DELETE FROM remembered_conversations WHERE owner = @owner AND at > 0 AND at <
    (SELECT at FROM remembered_conversations WHERE owner = @owner ORDER BY at DESC LIMIT 1 OFFSET @kept - 1)`;

/** Makes the memory of conversations by keys that a protocol makes of what a front end sends. It belongs to an owner and outlives the process. */
export const createRememberedConversations = (ownerData: OwnerData, now: () => number) => {
  const first = async (owner: string, key: string, question: string): Promise<RememberedConversation | null> =>
    (await ownerData.run(owner, () => ask<RememberedConversation>(question, { owner, key })))[0] ?? null;
  return {
    /** Null for a key that is not known, or no longer. */
    recall: (owner: string, key: string) => first(owner, key, FIND),
    /** Recalls and forgets it at once, so that of several that ask for a key one alone gets what it stands for. */
    take: (owner: string, key: string) => first(owner, key, TAKE),
    /** Replaces what the key stood for; drops the owner's oldest beyond `REMEMBERED_CONVERSATIONS_MAX`. */
    remember: (owner: string, key: string, conversation: Omit<RememberedConversation, 'at'>): Promise<void> =>
      ownerData.run(owner, function* () {
        yield* ask(KEEP, { owner, key, ...conversation, at: now() });
        yield* ask(DROP_OLDEST, { owner, kept: REMEMBERED_CONVERSATIONS_MAX });
      }),
    /** Remembers it, and a text with it, as long as its session is there, whatever comes after it. */
    pin: async (owner: string, key: string, session_id: string, text: string | null = null): Promise<void> => {
      await ownerData.run(owner, () => ask(KEEP, { owner, key, session_id, request_key: text, at: 0 }));
    },
  };
};
export type RememberedConversations = ReturnType<typeof createRememberedConversations>;
