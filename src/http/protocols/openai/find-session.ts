import { createHash, type Hash, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { createLoopSlices } from '../../../event-loop/loop-slices.ts';
import { queueByKey } from '../../../lib/queue-by-key.ts';
import type { ProtocolParts } from '../port.ts';
import { sessionNamed } from '../session-name.ts';
import type { Said } from './messages.ts';

/** How long a request may be a retry of another, in milliseconds: clients give up within it. */
const RETRY_WINDOW_MS = 60 * 60 * 1_000;

/** What front ends send where they have no id yet: a word for none, or nothing. */
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

/** Characters of what was said that are read in one turn of the event loop: those of a few requests at once take some milliseconds each. */
const PIECE_CHARS = 64 * 1_024;

const slices = createLoopSlices();

/** Where the piece of a text that begins at `at` ends: between two characters, not in one. */
const endOfPiece = (text: string, at: number): number => {
  const end = at + PIECE_CHARS;
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end;
};

/** What was said, as it is compared, in pieces: blanks, reasoning and instructions may change on the way. A long text is read in turns of the event loop. */
async function* normalised(said: readonly Pick<Said, 'role' | 'text'>[]): AsyncGenerator<string> {
  let charsInTurn = 0;
  for (const { role, text } of said) {
    if (role !== 'user' && role !== 'assistant') continue;
    const rest = withoutReasoning(text);
    let before = `\0${role} `;
    for (let at = 0, end = 0; at < rest.length; at = end) {
      end = endOfPiece(rest, at);
      const piece = rest.slice(at, end);
      charsInTurn += piece.length;
      if (charsInTurn > PIECE_CHARS) {
        await slices.next();
        charsInTurn = piece.length;
      }
      const plain = piece.replace(/\s+/g, ' ');
      const words = plain.trim();
      // A blank counts only between two words; the text itself begins with none.
      if (plain.startsWith(' ') && before === '') before = ' ';
      if (words === '') continue;
      yield before + words;
      before = plain.endsWith(' ') ? ' ' : '';
    }
  }
}

/** Adds what was said to a hash; false where it was nothing. */
const addSaid = async (hash: Hash, said: readonly Pick<Said, 'role' | 'text'>[]): Promise<boolean> => {
  let isAny = false;
  for await (const piece of normalised(said)) {
    hash.update(piece);
    isAny = true;
  }
  return isAny;
};

/** Where a request's turn belongs. */
export interface Place {
  session_id: string;
  /** The key of the turn, so that a retry of the request finds it; null where the client says nothing about retries. */
  idempotency_key: string | null;
  /** Remembers the reply that the turn got, so that the conversation is found again by it. */
  answered(output: string): Promise<void>;
  /** Gives back what was taken, where no turn came of the request. */
  refused(): Promise<void>;
}

/** What a request says about where it belongs. */
export interface Question {
  /** The session, where the request names one. */
  named: string | null;
  input: string;
  earlier: readonly Said[];
}

/**
 * Makes what finds the session of a request: the one it names, else the one whose last reply ends what was said before, else a new one. A
 * retry finds the session and the turn of the request that it repeats. Conversations that were said alike up to here are told
 * apart by order: the first to go on has the session, and another gets a new one, so that none reads what another went on with.
 */
export const createFindSession = ({ conversations, now }: Pick<ProtocolParts, 'conversations' | 'now'>) => {
  /** The name under which a repeated request finds the first; null where the client never repeats one. */
  const attemptOf = async (request: FastifyRequest, { named, input, earlier }: Question) => {
    const key = headerIn(request, 'idempotency-key');
    if (key !== null) return { name: hashOf('request', key).digest('base64url'), mayBeRetry: true };
    const count = headerIn(request, 'x-stainless-retry-count');
    if (count === null) return null;
    const sent = hashOf('sent', request.url, named ?? '');
    await addSaid(sent, earlier);
    return { name: sent.update(`\0${input}`).digest('base64url'), mayBeRetry: Number(count) > 0 };
  };

  type Attempt = Awaited<ReturnType<typeof attemptOf>>;
  const placeOf = async ({ owner }: FastifyRequest, question: Question, attempt: Attempt): Promise<Place> => {
    const { named, input, earlier } = question;
    const before = hashOf('answered');
    const isFirst = named !== null || !(await addSaid(before, earlier));
    const answered = async (output: string): Promise<void> => {
      if (named !== null) return;
      const said = before.copy();
      await addSaid(said, [
        { role: 'user', text: input },
        { role: 'assistant', text: output },
      ]);
      await conversations.remember(owner, said.digest('base64url'), { session_id, request_key: null });
    };
    const first = attempt?.mayBeRetry === true ? await conversations.recall(owner, attempt.name) : null;
    let session_id = first?.session_id ?? '';
    if (first !== null && now() - first.at < RETRY_WINDOW_MS)
      return { session_id, idempotency_key: first.request_key, answered, refused: async () => {} };

    const place = isFirst ? null : before.copy().digest('base64url');
    const known = place === null ? null : await conversations.take(owner, place);
    session_id = named ?? known?.session_id ?? sessionNamed(randomUUID());
    const idempotency_key = attempt === null ? null : `openai-${randomUUID()}`;
    if (attempt !== null)
      await conversations.remember(owner, attempt.name, { session_id, request_key: idempotency_key });
    const refused = async (): Promise<void> => {
      if (place !== null && known !== null)
        await conversations.remember(owner, place, { session_id, request_key: null });
    };
    return { session_id, idempotency_key, answered, refused };
  };

  // Of two that are sent at once the second is to find the first.
  const inOrder = queueByKey();
  return async (request: FastifyRequest, question: Question): Promise<Place> => {
    const attempt = await attemptOf(request, question);
    const find = (): Promise<Place> => placeOf(request, question, attempt);
    return attempt === null ? find() : inOrder(`${request.owner} ${attempt.name}`, find);
  };
};
