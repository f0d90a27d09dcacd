import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonSchema } from '../../../../contracts/answer.ts';
import type { TurnFile } from '../../../../contracts/file.ts';
import type { Metadata } from '../../../../contracts/task.ts';
import { languageOf } from '../../../../contracts/text.ts';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { queueByKey } from '../../../lib/queue-by-key.ts';
import type { RememberedConversations } from '../../../store/port.ts';
import type { ConversationUpdate, FinishedTurn } from '../conversations.ts';
import type { ProtocolParts } from '../port.ts';
import { withdrawnNote } from '../render-turn.ts';
import { requestKey, sessionNamed } from '../request.ts';
import { chatInputOf, formattedReply, refuseForcedTool, type Said } from './messages.ts';
import { answeredAtOnce } from './response.ts';
import { sideAnswer } from './side-jobs.ts';

/** How long a request can be a retry of another, in milliseconds: clients give up sooner. */
const RETRY_WINDOW_MS = 60 * 60 * 1_000;

/** Words, and the start of a placeholder, that front ends send while they have no id. */
const NO_ID = /^(?:new|null|undefined|none)?$|\{\{/i;

const headerIn = ({ headers }: FastifyRequest, name: string): string | null => {
  const id = String(headers[name] ?? '').trim();
  return NO_ID.test(id) ? null : id;
};

/** The session that a front end names in a header; null: none. */
export const namedSession = (request: FastifyRequest): string | null => {
  const chat = headerIn(request, 'x-openwebui-chat-id');
  const id =
    headerIn(request, 'x-session-id') ??
    // Several temporary chats of Open WebUI can have the same id.
    (chat?.startsWith('local:') === true ? null : chat) ??
    headerIn(request, 'x-conversation-id');
  return id === null ? null : sessionNamed(id);
};

type Line = Pick<Said, 'role' | 'text'>;

const REASONING = /^(?:\s*(?:<details type="reasoning"[\s\S]*?<\/details>|<think>[\s\S]*?<\/think>))+/;

/**
 * The words of a conversation, line by line. Whitespace, reasoning and instructions can change in transit, so they are
 * ignored.
 */
const linesOf = (said: readonly Line[]): string[] =>
  said
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .map(({ role, text }) => `\0${role} ${text.replace(REASONING, '').replace(/\s+/g, ' ').trim()}`)
    .filter((line) => !line.endsWith(' '));

const keyOf = (kind: string, lines: readonly string[]): string =>
  createHash('sha256').update(kind).update(lines.join('')).digest('base64url');

/**
 * The keys of a conversation with an agent: one of the whole text, one of its last two messages, a reply and the message
 * that it answers.
 */
const placeOf = (said: readonly Line[], agent: string | undefined) => {
  const lines = linesOf(said);
  const by = agent === undefined ? '' : ` by ${agent}`;
  return { all: keyOf(`answered${by}`, lines), ending: keyOf(`ending${by}`, lines.slice(-2)) };
};

/** Most conversations with identical text that are kept apart. A further one replaces the last. */
const ALIKE_MAX = 8;

/** Among identical conversations of the last hour, the first continues first: an older one was probably abandoned. */
const ALIKE_WINDOW_MS = 60 * 60 * 1_000;

const alikeKey = (key: string, index: number): string => (index === 0 ? key : `${key}#${index}`);

/** Remembers which conversations have reached the same point, in the order in which they did. */
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

/** Stands for a session where several have the same end. */
const SEVERAL = '';

/**
 * The name under which the first attempt of a request is found when a client retries; null where the client sends
 * nothing that identifies retries.
 */
const attemptOf = (
  request: FastifyRequest,
  said: readonly Said[],
  files: readonly TurnFile[],
  named: string | null,
  agent: string | undefined,
) => {
  const key = headerIn(request, 'idempotency-key');
  const count = headerIn(request, 'x-stainless-retry-count');
  if (key === null && count === null) return null;
  const sent =
    key === null
      ? [
          ...['sent', request.url, named],
          ...(agent === undefined ? [] : [{ agent }]),
          ...(files.length === 0 ? [] : [{ files: files.map(({ data = '' }) => keyOf('file', [data])) }]),
          ...linesOf(said),
        ]
      : ['request', key];
  return { name: requestKey('', sent), mayBeRetry: key !== null || Number(count) > 0 };
};

/** A request's options for its turn. */
interface Wanted {
  metadata: Metadata | null | undefined;
  answer_schema: JsonSchema | undefined;
  isStream: boolean;
  /** The model that it names; one with the name of an agent stands for that. */
  model: string;
  /** The reply as its API shows it, and as the client sends it back. */
  contentOf(finished: FinishedTurn): string;
  /** Its API's names for the turn's fields. */
  names: { input: string; files: string; answer_schema: string };
}

/**
 * Creates the function that submits a request of OpenAI's APIs: to the session that it names, else to the one that it
 * continues (the first to continue gets it), else to a new one. A retry finds its first turn.
 */
export const createSubmitSaid = ({ conversations, remembered, agents, now }: ProtocolParts) => {
  const { recall, remember, take } = remembered;
  const alike = createAlike(remembered, now);
  // Of two simultaneous requests, the second has to find the first, or that the first has continued the session.
  const inOrder = queueByKey();

  /**
   * `inBody` is the session named in the body; headers take precedence. A front end's side job gets a turn without a
   * session.
   */
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    said: readonly Said[],
    inBody: string | null,
    { metadata, answer_schema, isStream, model, contentOf, names }: Wanted,
  ) => {
    const side = sideAnswer(said);
    if (side !== null) return answeredAtOnce(side, now());
    refuseForcedTool(request.body);
    const { owner } = request;
    const { earlier: before, files: sent, ...words } = chatInputOf(said, names.input);
    /** Words alone, as this lives as long as the reply. */
    const earlier = before.map(({ role, text }): Line => ({ role, text }));
    /** Until they are stored. */
    let files = sent;
    const named = namedSession(request) ?? inBody;
    const agent = agents().find(({ name }) => name === model)?.name;
    const place = named === null && linesOf(earlier).length > 0 ? placeOf(earlier, agent) : null;
    const attempt = attemptOf(request, said, files ?? [], named, agent);
    // An answer in a required format is shown as a whole.
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
      const wanted = {
        ...(metadata && { metadata }),
        ...(answer_schema && { answer_schema }),
        ...(agent && { agent }),
      };
      const turn = { ...words, ...(files && { files }), ...wanted };
      const key = attempt !== null && { idempotency_key: request_key };
      const submitted = await conversations.submit(request, reply, { session_id, turn, isWatched, names, ...key });
      // The session continues, so it no longer ends like this.
      if (standing.some((each) => each.session_id === session_id)) await alike.leave(owner, place!.all, session_id);
      if (ending?.session_id === session_id) await take(owner, place!.ending);
      return submitted.turn;
    };
    const turn = await inOrder(`${owner} ${place?.ending ?? attempt?.name ?? fresh}`, submit);
    const { session_id } = turn;
    files = undefined;
    request.body = undefined;

    /** The turn's updates. Remembers the conversation before it gives the reply, so that the next request finds it. */
    async function* updates(signal: AbortSignal): AsyncGenerator<ConversationUpdate> {
      /** The retracted text that the client was shown and will send back, and the answer in progress. */
      let withdrawn = '';
      let written = '';
      let language = languageOf(words.input ?? '');
      const withdraw = (): void => {
        if (written !== '') withdrawn += written + withdrawnNote(language);
        written = '';
      };
      for await (const update of conversations.updates(owner, turn, signal, isWatched)) {
        if (update.type === 'task') language = languageOf(update.task.goal);
        if (update.type === 'answer_delta') written += update.text;
        if (update.type === 'answer_retracted') withdraw();
        if (update.type === 'finished' && named === null) {
          const formatted = answer_schema && (formattedReply(update.turn) ?? update.turn.output ?? '');
          const text = formatted ?? contentOf(update);
          if (!text.startsWith(written)) withdraw();
          const exchange = [
            { role: 'user', text: words.input ?? '' },
            { role: 'assistant', text: withdrawn + text },
          ];
          const { all, ending } = placeOf([...earlier, ...exchange], agent);
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
