import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonSchema } from '../../../../contracts/answer.ts';
import type { Metadata } from '../../../../contracts/task.ts';
import { languageOf } from '../../../../contracts/text.ts';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { queueByKey } from '../../../lib/queue-by-key.ts';
import type { RememberedConversations } from '../../../store/port.ts';
import type { ConversationUpdate } from '../conversations.ts';
import type { ProtocolParts } from '../port.ts';
import { withdrawnNote } from '../render-turn.ts';
import { requestKey, sessionNamed } from '../request.ts';
import { askedOf, formattedReply, refuseForcedTool, type Said } from './messages.ts';
import { answeredAtOnce } from './response.ts';
import { sideAnswer } from './side-jobs.ts';

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

type Line = Pick<Said, 'role' | 'text'>;

const REASONING = /^(?:\s*(?:<details type="reasoning"[\s\S]*?<\/details>|<think>[\s\S]*?<\/think>))+/;

/** The words of a conversation, line by line. Blanks, reasoning and instructions may change on the way, and do not count. */
const linesOf = (said: readonly Line[]): string[] =>
  said
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .map(({ role, text }) => `\0${role} ${text.replace(REASONING, '').replace(/\s+/g, ' ').trim()}`)
    .filter((line) => !line.endsWith(' '));

const keyOf = (kind: string, lines: readonly string[]): string =>
  createHash('sha256').update(kind).update(lines.join('')).digest('base64url');

/** The keys of a conversation: by all that was said, and by its last two messages, a reply and what it was to. */
const placeOf = (said: readonly Line[]) => {
  const lines = linesOf(said);
  return { all: keyOf('answered', lines), ending: keyOf('ending', lines.slice(-2)) };
};

/** How many conversations that went alike to the last word are told apart; a later one takes the place of the last. */
const ALIKE_MAX = 8;

/** Of conversations that went alike the first of the last hour goes on first: an older one was probably left. */
const ALIKE_WINDOW_MS = 60 * 60 * 1_000;

const alikeKey = (key: string, index: number): string => (index === 0 ? key : `${key}#${index}`);

/** Makes the memory of which conversations stand at a place, in the order that they came there. */
const createAlike = ({ recall, remember, take }: RememberedConversations, now: () => number) => {
  const at = async (owner: string, key: string) => {
    const alike = [];
    while (alike.length < ALIKE_MAX) {
      const conversation = await recall(owner, alikeKey(key, alike.length));
      if (conversation === null) break;
      alike.push(conversation);
    }
    return alike;
  };
  return {
    at,
    arrive: async (owner: string, key: string, session_id: string): Promise<void> => {
      const count = Math.min((await at(owner, key)).length, ALIKE_MAX - 1);
      await remember(owner, alikeKey(key, count), { session_id, request_key: null, at: now() });
    },
    leave: async (owner: string, key: string, session_id: string): Promise<void> => {
      const alike = await at(owner, key);
      const left = alike.filter((each) => each.session_id !== session_id);
      for (const [index, { session_id, request_key }] of left.entries())
        if (alike[index]?.session_id !== session_id)
          await remember(owner, alikeKey(key, index), { session_id, request_key, at: now() });
      await take(owner, alikeKey(key, left.length));
    },
  };
};

/** Stands for a session where more than one ends alike. */
const SEVERAL = '';

/** A request that a client may send again: the name under which the first is found. Null where the client says nothing about retries. */
const attemptOf = (request: FastifyRequest, said: readonly Said[], named: string | null) => {
  const key = headerIn(request, 'idempotency-key');
  const count = headerIn(request, 'x-stainless-retry-count');
  if (key === null && count === null) return null;
  const sent = key === null ? ['sent', request.url, named, ...linesOf(said)] : ['request', key];
  return { name: requestKey('', sent), mayBeRetry: key !== null || Number(count) > 0 };
};

/** A request's wishes for its turn. */
interface Wanted {
  metadata: Metadata | null | undefined;
  answer_schema: JsonSchema | undefined;
  isStream: boolean;
  /** Its API's names for the turn's fields. */
  names: { input: string; answer_schema: string };
}

/** Makes the function of OpenAI's APIs that submits what a request asks: in the session it names, else in the one it goes on, which the first to go on has, else in a new one. A retry finds its first turn. */
export const createSubmitSaid = ({ conversations, remembered, now }: ProtocolParts) => {
  const { recall, remember, take } = remembered;
  const alike = createAlike(remembered, now);
  // Of two that are sent at once the second is to find the first, or that the first has gone on.
  const inOrder = queueByKey();

  /** `inBody` is the session that the body names, which counts behind the headers. A job beside the conversation has a turn of no session. */
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    said: readonly Said[],
    inBody: string | null,
    { metadata, answer_schema, isStream, names }: Wanted,
  ) => {
    const side = sideAnswer(said);
    if (side !== null) return answeredAtOnce(side, now());
    refuseForcedTool(request.body);
    const { owner } = request;
    const { earlier, ...words } = askedOf(said, names.input);
    const named = namedSession(request) ?? inBody;
    const place = named === null && linesOf(earlier).length > 0 ? placeOf(earlier) : null;
    const attempt = attemptOf(request, said, named);
    // An answer that is asked for in a format is shown whole.
    const isWatched = isStream && answer_schema === undefined;
    const fresh = named ?? sessionNamed(randomUUID());

    const submit = async (): Promise<TurnView> => {
      const known = attempt?.mayBeRetry === true ? await recall(owner, attempt.name) : null;
      const first = known !== null && now() - known.at < RETRY_WINDOW_MS ? known : null;
      const standing = place === null ? [] : await alike.at(owner, place.all);
      const next = standing.find(({ at }) => now() - at < ALIKE_WINDOW_MS) ?? standing.at(-1);
      const ending = place === null ? null : await recall(owner, place.ending);
      const session_id = first?.session_id ?? next?.session_id ?? (ending?.session_id || fresh);
      const request_key = first?.request_key ?? `openai-${randomUUID()}`;
      if (attempt !== null) await remember(owner, attempt.name, { session_id, request_key, at: now() });
      const turn = { ...words, ...(metadata && { metadata }), ...(answer_schema && { answer_schema }) };
      const key = attempt !== null && { idempotency_key: request_key };
      const submitted = await conversations.submit(request, reply, { session_id, turn, isWatched, names, ...key });
      // The session goes on, so it does not end like this any more.
      if (standing.some((each) => each.session_id === session_id)) await alike.leave(owner, place!.all, session_id);
      if (ending?.session_id === session_id) await take(owner, place!.ending);
      return submitted.turn;
    };
    const turn = await inOrder(`${owner} ${place?.ending ?? attempt?.name ?? fresh}`, submit);
    const { session_id } = turn;

    /** The turn as it happens. Before it gives the reply it remembers it, so that the next request finds the conversation. */
    async function* updates(signal: AbortSignal): AsyncGenerator<ConversationUpdate> {
      /** The retracted text that the client was shown and will send back, and the answer that is being written. */
      let withdrawn = '';
      let written = '';
      let language = languageOf(words.input);
      const withdraw = (): void => {
        if (written !== '') withdrawn += written + withdrawnNote(language);
        written = '';
      };
      for await (const update of conversations.updates(owner, turn, signal, isWatched)) {
        if (update.type === 'task') language = languageOf(update.task.goal);
        if (update.type === 'answer_delta') written += update.text;
        if (update.type === 'answer_retracted') withdraw();
        if (update.type === 'finished' && named === null) {
          const text = (answer_schema && formattedReply(update.turn)) ?? update.turn.output ?? '';
          if (!text.startsWith(written)) withdraw();
          const exchange = [
            { role: 'user', text: words.input },
            { role: 'assistant', text: withdrawn + text },
          ];
          const { all, ending } = placeOf([...earlier, ...exchange]);
          await inOrder(`${owner} ${ending}`, async () => {
            await alike.arrive(owner, all, session_id);
            const other = (await recall(owner, ending))?.session_id ?? session_id;
            const going = other === session_id ? other : SEVERAL;
            await remember(owner, ending, { session_id: going, request_key: null, at: now() });
          });
        }
        yield update;
      }
    }
    return { turn, updates };
  };
};
export type SubmitSaid = ReturnType<typeof createSubmitSaid>;
