import type { APICallError, GenerateTextResult, generateText, LanguageModel, ModelMessage, Output, ToolSet } from 'ai';
import type { JsonSchema } from '../../../contracts/answer.ts';
import { providerUsage, tokenCount } from '../../../contracts/usage.ts';
import { madeOnce } from '../../lib/once.ts';
import { missingPackages } from '../../lib/optional-packages.ts';
import { callOf } from '../calls.ts';
import { createLimitedFetch, EVENT_STREAM, idleMsUnder } from '../limited-fetch.ts';
import type { AnswerFault, Model, ModelReply, ModelService } from '../port.ts';
import { type Prompt, type PromptPart, textOf } from '../prompt/prompt-text.ts';
import type { Voice } from '../prompt/rules.ts';
import { createRetryingModel, type OnPiece, type Provider, type ServerModelOptions } from '../retry.ts';
import { createStreamChoice } from '../stream-choice.ts';
import { type Endpoint, errorIn, NoAnswer, type Refusal } from '../verdict.ts';

/** How a model of the AI SDK is asked; whatever is left out is the provider's default. */
export interface AiSdkModelOptions {
  maxOutputTokens?: number;
  temperature?: number;
  /** False: the contract's schema is not sent in the text voice. */
  structuredOutput?: boolean;
  /** How it answers: by tool calls, or by text for a model that has none. Default `native`. */
  voice?: Voice;
  /** How logs, usage and `prices` name it; by default the provider's name and the model's, such as `openai:gpt-5`. */
  name?: string;
}

/** How long an answer may take outside a service, in milliseconds: as TRIPACT_MODEL_TIMEOUT_MS is by default. */
const TIMEOUT_MS = 120_000;

/** The name that errors give the settings of a model that is made in code. */
const SET_IN_CODE: Endpoint = {
  settings: {
    model: 'the model in tripact.config.ts',
    key: "the provider's API key",
    url: "the provider's baseURL",
  },
  apiKey: null,
  urlEnd: null,
};

const nameOf = (model: LanguageModel): string =>
  typeof model === 'string' ? model : `${model.provider.split('.')[0]}:${model.modelId}`;

/**
 * A model of any provider of the AI SDK, for `model` in `tripact.config.ts`: `aiSdkModel(openai('gpt-5'))`. It has the retries, the
 * deadline and the error messages of the built-in models; the SDK never retries by itself. Throws when the package `ai` is not installed.
 */
export const aiSdkModel = (languageModel: LanguageModel, options: AiSdkModelOptions = {}): Model => {
  const missing = missingPackages(['ai']);
  if (missing !== null) throw new Error(missing);
  const { name = nameOf(languageModel), voice = 'native', ...settings } = options;
  const provider = createAiSdkProvider(() => languageModel, settings, SET_IN_CODE);
  const forService = (service: ModelService): Model => createRetryingModel({ ...service, name, provider, voice });
  return { ...forService({ timeoutMs: TIMEOUT_MS, log: { warn: () => {} } }), forService };
};

/**
 * A `fetch` for a provider's `fetch` option: it gives up on a response that falls silent or never ends, so that another try fits
 * into the deadline, and follows no redirect. A stream that is asked for by `accept: text/event-stream` comes as it is written.
 */
export const watchedFetch = (): typeof fetch => createLimitedFetch(idleMsUnder(TIMEOUT_MS));

/** A model of a server whose `/chat/completions` begins at `baseURL`, asked through the AI SDK, whose packages are loaded at the first call. */
export const createOpenAiCompatibleModel = (options: ServerModelOptions & { baseURL: string }): Model => {
  const { model, baseURL, apiKey, idleMs = idleMsUnder(options.timeoutMs), ...retrying } = options;
  const loaded = madeOnce(async (): Promise<LanguageModel> => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name: 'openai-compatible',
      baseURL,
      ...(apiKey !== undefined && { apiKey }),
      supportsStructuredOutputs: true,
      includeUsage: true,
      fetch: createLimitedFetch(idleMs),
    })(model);
  });
  const settings = { model: 'TRIPACT_MODEL', key: 'OPENAI_API_KEY', url: 'TRIPACT_OPENAI_BASE_URL' };
  const provider = createAiSdkProvider(loaded, {}, { settings, apiKey: apiKey ?? null, urlEnd: 'v1' });
  return createRetryingModel({ ...retrying, name: `openai-compatible:${model}`, provider });
};

/** Loads the SDK at the first call: it takes as long to load as all the rest of a start. */
const loadSdk = async (): Promise<typeof import('ai')> => {
  // It would warn on the console at each call of a model that has no structured output. Whoever set a function of their own keeps it.
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  return import('ai');
};

/** Any model of the AI SDK as a provider. `modelOf` is called at each call, so that its package too may be loaded late. */
const createAiSdkProvider = (
  modelOf: () => LanguageModel | Promise<LanguageModel>,
  { structuredOutput = true, ...settings }: Omit<AiSdkModelOptions, 'name' | 'voice'>,
  endpoint: Endpoint,
): Provider => {
  const choice = createStreamChoice();
  return {
    endpoint,
    takesSchema: structuredOutput,
    call: async (prompt, { contract, schema, withMarks }, signal, onText) => {
      const [{ generateText, jsonSchema, streamText }, model] = await Promise.all([loadSdk(), modelOf()]);
      const shape = schema === null ? null : { name: contract, schema };
      const tools = prompt.tools && toolsOf(prompt.tools, jsonSchema);
      const ask = { ...askOf(model, prompt, shape, tools, withMarks), ...settings, maxRetries: 0, abortSignal: signal };
      const whole = async (): Promise<Result> => {
        const result = await generateText(ask);
        choice.answeredWhole();
        return result;
      };
      const streamed = async (give: OnPiece): Promise<Result> => {
        let hasBegun = false;
        try {
          const result = await readStream(streamText, ask, (piece, of) => {
            hasBegun = true;
            give(piece, of);
          });
          choice.read();
          return result;
        } catch (error) {
          if (hasBegun && isNoMessage(error) && !isCutOff(error)) choice.unread();
          if (hasBegun || !mayRefuseStream(error)) throw error;
          const result = await whole();
          choice.unread();
          return result;
        }
      };
      const answer = onText === undefined || !choice.isOn() ? whole() : streamed(onText);
      return readResult(
        await answer.catch((error: unknown) => {
          throw noAnswerOf(error) ?? error;
        }),
      );
    },
    faultOf: callFaultOf,
  };
};

const CACHE_MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** Only Anthropic's API takes marks. Others get each text whole: many servers take neither blocks nor several system messages. */
const takesMarks = (model: LanguageModel): boolean =>
  (typeof model === 'string' ? model : model.provider).includes('anthropic');

const mark = ({ isStable }: PromptPart) => (isStable ? { providerOptions: CACHE_MARK } : {});

/** Asks for the schema's shape and hands the text on unread: it is read against the contract elsewhere, and may be mended there. */
const shaped = (name: string, schema: JsonSchema): Output.Output<string, number, never> => ({
  name: 'contract',
  responseFormat: Promise.resolve({ type: 'json', schema: schema as never, name }),
  parseCompleteOutput: async ({ text }) => text,
  // Each piece of a stream is given at once: what was made of the text so far has to be another each time.
  parsePartialOutput: async ({ text }) => ({ partial: text.length }),
  createElementStreamTransform: () => undefined,
});

/** Schemas of the contracts have optional keys, which strict mode of the OpenAI API refuses. */
const NOT_STRICT = { openai: { strictJsonSchema: false }, openaiCompatible: { strictJsonSchema: false } };

const askOf = (
  model: LanguageModel,
  { system, user }: Prompt,
  shape: { name: string; schema: JsonSchema } | null,
  tools: ToolSet | null,
  withMarks: boolean,
): Omit<Parameters<typeof generateText>[0], 'prompt'> & { messages: ModelMessage[] } => {
  const marked = withMarks && takesMarks(model);
  return {
    model,
    instructions: marked
      ? system.map((part) => ({ role: 'system' as const, content: part.text, ...mark(part) }))
      : [{ role: 'system', content: textOf(system) }],
    messages: [
      {
        role: 'user',
        content: marked ? user.map((part) => ({ type: 'text', text: part.text, ...mark(part) })) : textOf(user),
      },
    ],
    ...(tools !== null && { tools }),
    ...(shape !== null && { output: shaped(shape.name, shape.schema), providerOptions: NOT_STRICT }),
  };
};

/** The tools without anything to execute: what is called is done elsewhere. */
const toolsOf = (tools: NonNullable<Prompt['tools']>, jsonSchema: typeof import('ai').jsonSchema): ToolSet =>
  Object.fromEntries(
    tools.map(({ name, description, schema }) => [name, { description, inputSchema: jsonSchema(schema) }]),
  );

const readStream = async (
  streamText: typeof import('ai').streamText,
  ask: ReturnType<typeof askOf>,
  onText: OnPiece,
): Promise<Result> => {
  // Errors come in the stream, and are told nowhere else.
  let first: { id: string; name: string } | undefined;
  const streamed = streamText({ ...ask, headers: { accept: EVENT_STREAM }, onError: () => {} });
  for await (const part of streamed.stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') onText(part.text);
    if (part.type === 'tool-input-start') first ??= { id: part.id, name: part.toolName };
    if (part.type === 'tool-input-delta' && part.id === first?.id && first.name === 'finish')
      onText(part.delta, 'finish');
  }
  const { text, finishReason, usage, toolCalls, reasoningText } = streamed;
  return {
    text: await text,
    finishReason: await finishReason,
    usage: await usage,
    toolCalls: await toolCalls,
    reasoningText: await reasoningText,
  };
};

/** The fields that are read of a result; providers leave counts out, and some give odd ones. */
type Result = Pick<GenerateTextResult<never, never, never>, 'text' | 'finishReason' | 'usage' | 'reasoningText'> & {
  toolCalls: readonly { toolName: string; input: unknown }[];
};

const usageOf = ({ inputTokens, inputTokenDetails, outputTokens }: Result['usage']): ModelReply['usage'] => {
  const read = tokenCount(inputTokenDetails.cacheReadTokens);
  const written = tokenCount(inputTokenDetails.cacheWriteTokens);
  const apart = inputTokens === undefined ? undefined : Math.max(inputTokens - read - written, 0);
  return providerUsage({
    input_tokens: inputTokenDetails.noCacheTokens ?? apart,
    output_tokens: outputTokens,
    ...(written > 0 && { cache_written_tokens: written }),
    ...(read > 0 && { cache_read_tokens: read }),
  });
};

const faultOf = ({ text, finishReason, reasoningText = '' }: Result): AnswerFault => {
  if (finishReason === 'content-filter') return 'refused';
  if (finishReason === 'length') return 'truncated';
  if (text.trim() !== '') return 'none';
  return reasoningText.trim() === '' ? 'empty' : 'only_reasoning';
};

/** A result as a model's reply, its text unread. Throws `NoAnswer` for an answer that the server broke off. */
const readResult = (result: Result): ModelReply => {
  const { finishReason } = result;
  if (finishReason === 'error') throw new NoAnswer('the server ended the answer with an error');
  if (String(finishReason) === 'interrupted') throw new NoAnswer('the answer broke off on its way');
  const named = result.toolCalls.map(({ toolName, input }) => callOf(toolName, input));
  // A cut may have gone through the last call.
  const calls = finishReason === 'length' || finishReason === 'content-filter' ? named.slice(0, -1) : named;
  return { text: result.text, calls, fault: calls.length > 0 ? 'none' : faultOf(result), usage: usageOf(result.usage) };
};

/** How OpenAI and others say that the money is used up; waiting, as for any other 429, would not help. */
const SPENT =
  /insufficient_quota|billing_hard_limit_reached|insufficient_(credits|balance)|enforced_spend_limit_reached/;

const BODY_CHARS_READ = 10_000;

/** Errors of providers and of the SDK that mean a response without a whole message in it, by their names. */
const NO_MESSAGE =
  /^AI_(InvalidResponseDataError|TypeValidationError|JSONParseError|EmptyResponseBodyError|NoContentGeneratedError|NoOutputGeneratedError)$/;

/** By its name, since several versions of the SDK's packages may be installed side by side. */
const isCallError = (error: unknown): error is APICallError =>
  error instanceof Error && error.name === 'AI_APICallError';

const isNoMessage = (error: unknown): boolean =>
  error instanceof Error && (NO_MESSAGE.test(error.name) || (isCallError(error) && Number(error.statusCode) < 300));

/** The connection failed while the answer came. */
const isCutOff = (error: unknown): boolean => error instanceof Error && error.cause instanceof NoAnswer;

/** An error that the server sends in a stream, which has no status. */
const isStreamError = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'AI_StreamProviderError';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** The words of an error in what came in place of a message; null: there are none. */
const saidIn = (error: unknown): string | null => {
  if (isCallError(error)) return saidIn(error.cause) ?? errorIn(parsed(error.responseBody ?? ''));
  return error instanceof Error && 'value' in error ? errorIn(error.value) : null;
};

/** An error of a call that came to no whole message, though the server took it; null: it is another error. */
const noAnswerOf = (error: unknown): NoAnswer | null => {
  if (isStreamError(error))
    return new NoAnswer('the server ended the answer with an error', { cause: error, said: error.message });
  // Of one whose connection failed, the cause says so.
  if (!isNoMessage(error) || isCutOff(error)) return null;
  return new NoAnswer('the server answered 200 with something that is no message', {
    cause: error,
    said: saidIn(error),
  });
};

/** Statuses by which a server may say that it does not stream. */
const NOT_STREAMED = new Set([400, 405, 406, 415, 422, 501]);

const mayRefuseStream = (error: unknown): boolean =>
  isNoMessage(error) || (isCallError(error) && NOT_STREAMED.has(Number(error.statusCode)));

const callFaultOf = (error: unknown): Refusal | 'connection' | null => {
  if (!isCallError(error)) return null;
  const { statusCode: status, message, responseBody = '', responseHeaders } = error;
  if (status === undefined) return 'connection';
  const body = responseBody.slice(0, BODY_CHARS_READ);
  return {
    status,
    said: body.trimStart().startsWith('<') ? '<html>' : (errorIn(parsed(responseBody)) ?? (message || body)),
    body: `${message}\n${body}`,
    retryAfter: responseHeaders?.['retry-after'],
    isSpent: SPENT.test(body),
  };
};
