import { createHash, type Hash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { queueByKey } from '../../../lib/queue-by-key.ts';
import type { ConversationUpdate, ProtocolParts } from '../port.ts';
import { sessionNamed } from '../request.ts';
import type { Asked, Said } from './messages.ts';

/** How long a request may be a retry of another, in milliseconds: clients give up within it. */
const RETRY_WINDOW_MS = 60 * 60 * 1_000;

/** Words that front ends send where they have no id yet. */
const NO_ID = /^(?:new|null|undefined|none)?$/i;

/** How the placeholder begins that a front end did not fill in. */
const PLACEHOLDER = '{{';

/** Open WebUI's temporary chats, several of which may have one id. */
const TEMPORARY = /^local:/;

const headerIn = ({ headers }: FastifyRequest, name: string): string | null => {
  const value = headers[name];
  const id = typeof value === 'string' ? value.trim() : '';
  return NO_ID.test(id) || id.includes(PLACEHOLDER) ? null : id;
};

/** The session that a front end names in a header; null where it names none. */
export const namedSession = (request: FastifyRequest): string | null => {
  const chat = headerIn(request, 'x-openwebui-chat-id');
  const id =
    headerIn(request, 'x-session-id') ??
    (chat !== null && TEMPORARY.test(chat) ? null : chat) ??
    headerIn(request, 'x-conversation-id');
  return id === null ? null : sessionNamed(id);
};

const hashOf = (kind: string, ...texts: string[]): Hash => {
  const made = createHash('sha256').update(kind);
  for (const text of texts) made.update(`\0${text}`);
  return made;
};

/** Blocks that front ends keep reasoning in, by how they begin and end. */
const BLOCKS = [
  ['<details type="reasoning"', '</details>'],
  ['<think>', '</think>'],
] as const;

/** A text without the reasoning that front ends store before it, in time that grows with its length alone. */
const withoutReasoning = (text: string): string => {
  let rest = text.trimStart();
  for (const [begin, end] of BLOCKS)
    while (rest.startsWith(begin)) {
      const at = rest.indexOf(end);
      if (at === -1) return rest;
      rest = rest.slice(at + end.length).trimStart();
    }
  return rest;
};

/** Adds what was said to a hash; false where it was nothing. Blanks, reasoning and instructions may change on the way, and do not count. */
const addSaid = (hash: Hash, said: readonly Pick<Said, 'role' | 'text'>[]): boolean => {
  let isAny = false;
  for (const { role, text } of said) {
    if (role !== 'user' && role !== 'assistant') continue;
    const words = withoutReasoning(text).replace(/\s+/g, ' ').trim();
    if (words === '') continue;
    hash.update(`\0${role} ${words}`);
    isAny = true;
  }
  return isAny;
};

/** Where a request's turn belongs. */
interface Place {
  session_id: string;
  /** The key of the turn, so that a retry of the request finds it; null where the client says nothing about retries. */
  idempotency_key: string | null;
  /** Remembers the reply that the turn got, so that the conversation is found again by it. */
  answered(output: string): Promise<void>;
  /** Gives back what was taken, where no turn came of the request. */
  refused(): Promise<void>;
}

/** The words of a request, and the session that it names, if any. */
interface Question extends Asked {
  named: string | null;
}

/**
 * Makes what finds the session of a request: the one it names, else the one whose last reply ends what was said before, else a new one. A
 * retry finds the session and the turn of the request that it repeats. Conversations that were said alike up to here are told
 * apart by order: the first to go on has the session, and another gets a new one, so that none reads what another went on with.
 */
const createFindSession = ({ conversations, now }: Pick<ProtocolParts, 'conversations' | 'now'>) => {
  /** The name under which a repeated request finds the first; null where the client never repeats one. */
  const attemptOf = (request: FastifyRequest, { named, input, earlier }: Question) => {
    const key = headerIn(request, 'idempotency-key');
    if (key !== null) return { name: hashOf('request', key).digest('base64url'), mayBeRetry: true };
    const count = headerIn(request, 'x-stainless-retry-count');
    if (count === null) return null;
    const sent = hashOf('sent', request.url, named ?? '');
    addSaid(sent, earlier);
    return { name: sent.update(`\0${input}`).digest('base64url'), mayBeRetry: Number(count) > 0 };
  };

  const placeOf = async (
    { owner }: FastifyRequest,
    { named, input, earlier }: Question,
    attempt: ReturnType<typeof attemptOf>,
  ): Promise<Place> => {
    const before = hashOf('answered');
    const isFirst = named !== null || !addSaid(before, earlier);
    const answersIn = (session_id: string) => async (output: string) => {
      if (named !== null) return;
      const said = before.copy();
      addSaid(said, [
        { role: 'user', text: input },
        { role: 'assistant', text: output },
      ]);
      await conversations.remember(owner, said.digest('base64url'), { session_id, request_key: null });
    };
    const first = attempt?.mayBeRetry === true ? await conversations.recall(owner, attempt.name) : null;
    if (first !== null && now() - first.at < RETRY_WINDOW_MS) {
      const { session_id, request_key } = first;
      return { session_id, idempotency_key: request_key, answered: answersIn(session_id), refused: async () => {} };
    }

    const place = isFirst ? null : before.copy().digest('base64url');
    const known = place === null ? null : await conversations.take(owner, place);
    const session_id = named ?? known?.session_id ?? sessionNamed(randomUUID());
    const idempotency_key = attempt === null ? null : `openai-${randomUUID()}`;
    if (attempt !== null)
      await conversations.remember(owner, attempt.name, { session_id, request_key: idempotency_key });
    const refused = async (): Promise<void> => {
      if (place !== null && known !== null)
        await conversations.remember(owner, place, { session_id, request_key: null });
    };
    return { session_id, idempotency_key, answered: answersIn(session_id), refused };
  };

  // Of two that are sent at once the second is to find the first.
  const inOrder = queueByKey();
  return (request: FastifyRequest, question: Question): Promise<Place> => {
    const attempt = attemptOf(request, question);
    const find = (): Promise<Place> => placeOf(request, question, attempt);
    return attempt === null ? find() : inOrder(`${request.owner} ${attempt.name}`, find);
  };
};

/** Submits what a request asks in the session where it belongs; `named` is the session that its body names, which counts behind the headers. */
export type SubmitAsked = (
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Asked,
  named: string | null,
) => Promise<{
  turn: TurnView;
  /** The turn as it happens. Before it gives the reply it remembers it, so that the next request finds the conversation. */
  updates(signal: AbortSignal): AsyncGenerator<ConversationUpdate>;
}>;

/** Makes it for both of OpenAI's APIs. */
export const createSubmitAsked = (parts: Pick<ProtocolParts, 'conversations' | 'now'>): SubmitAsked => {
  const { conversations } = parts;
  const findSession = createFindSession(parts);
  return async (request, reply, asked, named) => {
    const { owner } = request;
    const { input } = asked;
    const place = await findSession(request, { ...asked, named: namedSession(request) ?? named });
    const { session_id, idempotency_key } = place;
    const key = idempotency_key === null ? {} : { idempotency_key };
    const { turn } = await conversations
      .submit(request, reply, { session_id, input, ...key })
      .catch(async (error: unknown) => {
        await place.refused();
        throw error;
      });
    async function* updates(signal: AbortSignal): AsyncGenerator<ConversationUpdate> {
      for await (const update of conversations.updates(owner, turn, signal)) {
        if (update.type === 'finished') await place.answered(update.turn.output ?? '');
        yield update;
      }
    }
    return { turn, updates };
  };
};
