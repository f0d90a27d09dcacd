import { createHash, type Hash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Metadata } from '../../../../contracts/task.ts';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { queueByKey } from '../../../lib/queue-by-key.ts';
import type { ConversationUpdate } from '../../conversations.ts';
import type { ProtocolParts } from '../port.ts';
import { sessionNamed } from '../request.ts';
import type { Asked, Said } from './messages.ts';

/** How long a request may be a retry of another, in milliseconds: clients give up within it. */
const RETRY_WINDOW_MS = 60 * 60 * 1_000;

/** Words, and the beginning of a placeholder, that front ends send where they have no id yet. */
const NO_ID = /^(?:new|null|undefined|none)?$|\{\{/i;

const headerIn = ({ headers }: FastifyRequest, name: string): string | null => {
  const id = String(headers[name] ?? '').trim();
  return NO_ID.test(id) ? null : id;
};

/** The session that a front end names in a header; null where it names none. */
export const namedSession = (request: FastifyRequest): string | null => {
  const chat = headerIn(request, 'x-openwebui-chat-id');
  const id =
    headerIn(request, 'x-session-id') ??
    // Several temporary chats of Open WebUI may have one id.
    (chat?.startsWith('local:') === true ? null : chat) ??
    headerIn(request, 'x-conversation-id');
  return id === null ? null : sessionNamed(id);
};

/** Reasoning that front ends store before the reply itself. */
const REASONING = /^(?:\s*(?:<details type="reasoning"[\s\S]*?<\/details>|<think>[\s\S]*?<\/think>))+/;

/** Adds what was said to a hash; false where it was nothing. Blanks, reasoning and instructions may change on the way, and do not count. */
const addSaid = (hash: Hash, said: readonly Pick<Said, 'role' | 'text'>[]): boolean => {
  const lines = said
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .map(({ role, text }) => `\0${role} ${text.replace(REASONING, '').replace(/\s+/g, ' ').trim()}`)
    .filter((line) => !line.endsWith(' '));
  for (const line of lines) hash.update(line);
  return lines.length > 0;
};

/** Stands for a session where more than one ends alike. */
const SEVERAL = '';

/** The key of how a conversation ends: by its last two messages, a reply and what it was to. */
const endingOf = (said: readonly Pick<Said, 'role' | 'text'>[]): string => {
  const hash = createHash('sha256').update('ending');
  addSaid(hash, said.filter(({ role }) => role === 'user' || role === 'assistant').slice(-2));
  return hash.digest('base64url');
};

/** A request that a client may send again: the name under which the first is found, and whether this may be a repetition. */
interface Attempt {
  name: string;
  mayBeRetry: boolean;
}

/** Null where the client says nothing about retries. */
const attemptOf = (request: FastifyRequest, { input, earlier }: Asked, named: string | null): Attempt | null => {
  const key = headerIn(request, 'idempotency-key');
  const count = headerIn(request, 'x-stainless-retry-count');
  if (key === null && count === null) return null;
  const sent = createHash('sha256').update(key === null ? `sent\0${request.url}\0${named ?? ''}` : `request\0${key}`);
  if (key === null) {
    addSaid(sent, earlier);
    sent.update(`\0${input}`);
  }
  return { name: sent.digest('base64url'), mayBeRetry: key !== null || Number(count) > 0 };
};

/** Submits what a request asks in the session where it belongs; `inBody` is the session that its body names, which counts behind the headers. */
export type SubmitAsked = (
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Asked,
  inBody: string | null,
  metadata: Metadata | null | undefined,
) => Promise<{
  turn: TurnView;
  /** The turn as it happens. Before it gives the reply it remembers it, so that the next request finds the conversation. */
  updates(signal: AbortSignal): AsyncGenerator<ConversationUpdate>;
}>;

/**
 * Makes it for both of OpenAI's APIs. The session is the one that the request names, else the one whose last reply ends what was said
 * before, else the only one that ends as that does (some front ends send the last messages alone), else a new one. A retry finds the session and the turn of the request that it repeats. Conversations that were said alike
 * up to here are told apart by order: the first to go on has the session, and another gets a new one, so that none reads what another
 * went on with.
 */
export const createSubmitAsked = ({ conversations, remembered, now }: ProtocolParts): SubmitAsked => {
  const { recall, remember, take } = remembered;
  // Of two that are sent at once the second is to find the first, or that the first has gone on.
  const inOrder = queueByKey();

  return async (request, reply, asked, inBody, metadata) => {
    const { owner } = request;
    const { earlier, ...words } = asked;
    const { input } = words;
    const named = namedSession(request) ?? inBody;
    const before = createHash('sha256').update('answered');
    const place = named !== null || !addSaid(before, earlier) ? null : before.copy().digest('base64url');
    const attempt = attemptOf(request, asked, named);
    const ending = place === null ? null : endingOf(earlier);
    /** The keys that found the session: it goes on, so it does not end like this any more. */
    const taken: { key: string; session_id: string }[] = [];

    const takeAt = async (key: string): Promise<void> => {
      const session_id = (await recall(owner, key))?.session_id ?? SEVERAL;
      if (session_id === SEVERAL || session_id !== (taken[0]?.session_id ?? session_id)) return;
      await take(owner, key);
      taken.push({ key, session_id });
    };

    const find = async (): Promise<{ session_id: string; request_key: string | null }> => {
      const first = attempt?.mayBeRetry === true ? await recall(owner, attempt.name) : null;
      if (first !== null && now() - first.at < RETRY_WINDOW_MS) return first;
      for (const key of [place, ending]) if (key !== null) await takeAt(key);
      const session_id = named ?? taken[0]?.session_id ?? sessionNamed(randomUUID());
      if (attempt === null) return { session_id, request_key: null };
      const found = { session_id, request_key: `openai-${randomUUID()}` };
      await remember(owner, attempt.name, found);
      return found;
    };
    const { session_id, request_key } = await inOrder(`${owner} ${ending ?? place ?? attempt?.name}`, find);
    const key = request_key === null ? {} : { idempotency_key: request_key };
    const { turn } = await conversations
      .submit(request, reply, { session_id, turn: { ...words, ...(metadata && { metadata }) }, ...key })
      .catch(async (error: unknown) => {
        // No turn came of it: the conversation is found again as before.
        for (const { key, session_id } of taken) await remember(owner, key, { session_id, request_key: null });
        throw error;
      });

    async function* updates(signal: AbortSignal): AsyncGenerator<ConversationUpdate> {
      for await (const update of conversations.updates(owner, turn, signal)) {
        if (update.type === 'finished' && named === null) {
          const exchange = [
            { role: 'user', text: input },
            { role: 'assistant', text: update.turn.output ?? '' },
          ];
          const said = before.copy();
          addSaid(said, exchange);
          await remember(owner, said.digest('base64url'), { session_id, request_key: null });
          const end = endingOf(exchange);
          const other = (await recall(owner, end))?.session_id ?? session_id;
          await remember(owner, end, { session_id: other === session_id ? session_id : SEVERAL, request_key: null });
        }
        yield update;
      }
    }
    return { turn, updates };
  };
};
