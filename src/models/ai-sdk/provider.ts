import type { wrapLanguageModel } from 'ai';
import type { Call } from '../../../contracts/calls.ts';
import type { FileKinds } from '../../../contracts/file.ts';
import { providerUsage, tokenCount } from '../../../contracts/usage.ts';
import { isWhole, readCall } from '../asking/calls.ts';
import { type FilledPart, type FilledPrompt, joinedTexts } from '../asking/fill-prompt.ts';
import { EVENT_STREAM } from '../asking/limited-fetch.ts';
import type { CallForm, OnPiece, Provider } from '../asking/retry.ts';
import { createStreamChoice } from '../asking/stream-choice.ts';
import { type Endpoint, NoAnswer } from '../asking/verdict.ts';
import type { AnswerFault, FileBytes, ModelReply } from '../port.ts';
import { dialectOf } from './dialect.ts';
import { callFaultOf, isCutOff, isNoMessage, mayRefuseStream, noAnswerOf, streamErrorOf } from './faults.ts';

/** A model through the newest interface of the AI SDK. */
export type LanguageModelV4 = ReturnType<typeof wrapLanguageModel>;

type CallOptions = Parameters<LanguageModelV4['doGenerate']>[0];
type ProviderOptions = NonNullable<CallOptions['providerOptions']>;
type UserPart = Extract<CallOptions['prompt'][number], { role: 'user' }>['content'][number];
type Generated = Awaited<ReturnType<LanguageModelV4['doGenerate']>>;

/** Settings of every call of a model. Omitted ones keep the provider's default. */
export interface AiSdkSettings extends Pick<CallOptions, 'maxOutputTokens' | 'temperature'> {
  structuredOutput?: boolean;
  /** The kinds of files that are sent; default: none. */
  takesFiles?: FileKinds;
  /** Provider options, by provider name: for every call, and for those with tools. */
  providerOptions?: ProviderOptions;
  toolOptions?: ProviderOptions;
}

/** Any AI SDK model as a provider. `modelOf` is called for each call, so that its package can be loaded late. */
export const createAiSdkProvider = (
  modelOf: () => Promise<LanguageModelV4>,
  { structuredOutput = true, takesFiles = [], ...settings }: AiSdkSettings,
  endpoint: Endpoint,
): Provider => {
  const choice = createStreamChoice();
  return {
    endpoint,
    takesSchema: structuredOutput,
    takesFiles,
    call: async (prompt, form, signal, onText) => {
      const model = await modelOf();
      const ask: CallOptions = { ...(await askOf(model, prompt, form, settings)), abortSignal: signal };
      const whole = async (): Promise<Message> => {
        const message = messageOf(await model.doGenerate(ask));
        choice.answeredWhole();
        return message;
      };
      const streamed = async (give: OnPiece): Promise<Message> => {
        let hasBegun = false;
        try {
          const message = await readStream(model, ask, (piece, of) => {
            hasBegun = true;
            give(piece, of);
          });
          choice.read();
          return message;
        } catch (error) {
          if (hasBegun && isNoMessage(error) && !isCutOff(error)) choice.unread();
          if (hasBegun || !mayRefuseStream(error)) throw error;
          const message = await whole();
          choice.unread();
          return message;
        }
      };
      const answer = onText === undefined || !choice.isOn() ? whole() : streamed(onText);
      return replyOf(
        await answer.catch((error: unknown) => {
          throw noAnswerOf(error) ?? error;
        }),
      );
    },
    faultOf: callFaultOf,
  };
};

/** A piece of a prompt, and the mark of a provider's cache on it. */
type MarkedPart = FilledPart & { readonly providerOptions?: ProviderOptions };

/** Throws where there are not as many as were promised. */
const bytesOf = async ({ size, stream }: FileBytes): Promise<Buffer> => {
  const bytes = Buffer.alloc(size);
  let read = 0;
  for await (const piece of stream()) read += piece.copy(bytes, read);
  if (read !== size) throw new Error('a file has changed while it was read');
  return bytes;
};

const contentOf = async ({ text, media, providerOptions }: MarkedPart): Promise<UserPart> => {
  const marked = providerOptions !== undefined && { providerOptions };
  if (media === undefined) return { type: 'text', text, ...marked };
  const { name: filename, media_type: mediaType, bytes } = media;
  // As the text that is sent, so that the bytes are in memory once.
  const data = (await bytesOf(bytes)).toString('base64');
  return { type: 'file', filename, mediaType, data: { type: 'data', data }, ...marked };
};

const askOf = async (
  model: LanguageModelV4,
  { tools, system, user }: FilledPrompt,
  form: CallForm,
  { providerOptions: own = {}, toolOptions = {}, ...settings }: Omit<AiSdkSettings, 'structuredOutput' | 'takesFiles'>,
): Promise<CallOptions> => {
  const { contract, schema, withMarks, effort } = form;
  const { mark, marksOf, options } = dialectOf(model, form);
  const marked = (parts: readonly FilledPart[]) => {
    const marks = marksOf(parts);
    return parts.map((part, i) => (marks.has(i) ? { ...part, providerOptions: mark } : part));
  };
  // Others get each text as one string: many servers accept neither blocks nor several system messages.
  const pieces = (parts: readonly FilledPart[]): MarkedPart[] =>
    withMarks && Object.keys(mark).length > 0 ? marked(parts) : joinedTexts(parts);
  const providerOptions = merged(
    own,
    options,
    tools === null ? {} : toolOptions,
    schema === null ? {} : NOT_STRICT,
    effort === null ? {} : NO_SUMMARY,
  );
  return {
    ...settings,
    prompt: [
      ...pieces(system).map(({ text, providerOptions }) => ({
        role: 'system' as const,
        content: text,
        ...(providerOptions !== undefined && { providerOptions }),
      })),
      { role: 'user', content: await Promise.all(pieces(user).map(contentOf)) },
    ],
    ...(tools !== null && {
      tools: tools.map(({ name, description, schema: inputSchema }) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema,
      })),
    }),
    ...(schema !== null && { responseFormat: { type: 'json', schema, name: contract } }),
    ...(effort !== null && { reasoning: effort }),
    ...(Object.keys(providerOptions).length > 0 && { providerOptions }),
  };
};

/** The contracts' schemas have optional keys, which strict mode of the OpenAI API refuses. */
const NOT_STRICT = { openai: { strictJsonSchema: false }, openaiCompatible: { strictJsonSchema: false } };

/** With an effort, OpenAI's package requests a reasoning summary, which nobody reads and not every account may have. */
const NO_SUMMARY = { openai: { reasoningSummary: null } };

/** Options by provider name, merged for each provider. */
const merged = (...all: ProviderOptions[]): ProviderOptions => {
  const together: ProviderOptions = {};
  for (const [name, options] of all.flatMap((each) => Object.entries(each)))
    together[name] = { ...together[name], ...options };
  return together;
};

/** The fields that are read from a message. */
interface Message {
  text: string;
  hasReasoning: boolean;
  /** The calls, with their arguments verbatim. */
  calls: { name: string; json: string }[];
  finishReason: Generated['finishReason']['unified'];
  usage: Generated['usage'];
}

const messageOf = ({ content, finishReason, usage }: Generated): Message => ({
  text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
  hasReasoning: content.some((part) => part.type === 'reasoning' && part.text.trim() !== ''),
  calls: content.flatMap((part) =>
    part.type === 'tool-call' ? [{ name: part.toolName, json: part.input ?? '' }] : [],
  ),
  finishReason: finishReason.unified,
  usage,
});

/**
 * Reads a stream into its message, passing on the text and the arguments of a first `finish` as they arrive. Throws if
 * the stream breaks off.
 */
const readStream = async (model: LanguageModelV4, ask: CallOptions, onText: OnPiece): Promise<Message> => {
  const { stream } = await model.doStream({ ...ask, headers: { accept: EVENT_STREAM } });
  const calls: Message['calls'] = [];
  let text = '';
  let hasReasoning = false;
  let first: { id: string; toolName: string } | undefined;
  let end: Pick<Generated, 'finishReason' | 'usage'> | undefined;
  for await (const part of stream) {
    if (part.type === 'error') throw streamErrorOf(part.error);
    if (part.type === 'text-delta') {
      text += part.delta;
      onText(part.delta);
    }
    hasReasoning ||= part.type === 'reasoning-delta' && part.delta.trim() !== '';
    if (part.type === 'tool-input-start') first ??= part;
    if (part.type === 'tool-input-delta' && part.id === first?.id && first.toolName === 'finish')
      onText(part.delta, 'finish');
    if (part.type === 'tool-call') calls.push({ name: part.toolName, json: part.input ?? '' });
    if (part.type === 'finish') end = part;
  }
  if (end === undefined) throw new NoAnswer('the answer broke off on its way');
  return { text, hasReasoning, calls, finishReason: end.finishReason.unified, usage: end.usage };
};

/** Tokens by kind. Providers omit counts, and some send invalid ones. */
const usageOf = ({ inputTokens, outputTokens }: Message['usage']): ModelReply['usage'] => {
  const read = tokenCount(inputTokens.cacheRead);
  const written = tokenCount(inputTokens.cacheWrite);
  const apart = inputTokens.total === undefined ? undefined : Math.max(inputTokens.total - read - written, 0);
  return providerUsage({
    input_tokens: inputTokens.noCache ?? apart,
    output_tokens: outputTokens.total,
    ...(written > 0 && { cache_written_tokens: written }),
    ...(read > 0 && { cache_read_tokens: read }),
  });
};

const faultOf = ({ text, finishReason, hasReasoning }: Message): AnswerFault => {
  if (finishReason === 'content-filter') return 'refused';
  if (finishReason === 'length') return 'truncated';
  if (text.trim() !== '') return 'none';
  return hasReasoning ? 'only_reasoning' : 'empty';
};

/** The complete calls: where a message was cut, the last one may be incomplete. */
const wholeCalls = ({ calls, finishReason }: Message): Call[] => {
  const isCut = finishReason === 'length' || finishReason === 'content-filter';
  const whole = isCut && !isWhole(calls.at(-1)?.json ?? '') ? calls.slice(0, -1) : calls;
  return whole.map(({ name, json }) => readCall(name, json));
};

/** A message as a model's reply, its text unparsed. Throws `NoAnswer` if the server broke the answer off. */
const replyOf = (message: Message): ModelReply => {
  const { text, finishReason, usage } = message;
  if (finishReason === 'error') throw new NoAnswer('the server ended the answer with an error');
  if (finishReason === 'interrupted') throw new NoAnswer('the answer broke off on its way');
  const calls = wholeCalls(message);
  return { text, calls, fault: calls.length > 0 ? 'none' : faultOf(message), usage: usageOf(usage) };
};
