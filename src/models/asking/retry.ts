import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonSchema } from '../../../contracts/answer.ts';
import { promptTokens } from '../../../contracts/usage.ts';
import { type Backoff, backoffMs } from '../../lib/backoff.ts';
import {
  type Effort,
  type Model,
  type ModelReply,
  type ModelRequest,
  type ModelService,
  ModelUnavailable,
} from '../port.ts';
import { promptFor } from '../prompt/prompt.ts';
import { type Prompt, promptTexts } from '../prompt/prompt-text.ts';
import type { Voice } from '../prompt/rules.ts';
import { structuredSchema } from './contract-schema.ts';
import { checkCount } from './prompt-cut.ts';
import { type Endpoint, type Refusal, tooSlow, type Verdict, verdictOn } from './verdict.ts';

/** How a call asks: what a server can be spared of, when it refuses it. */
export interface CallForm extends Pick<ModelRequest, 'contract'> {
  voice: Voice;
  /** So many of the oldest results are left out of the prompt. */
  dropObservations: number;
  /** The contract's schema, for structured output in the text voice; null: without. */
  schema: JsonSchema | null;
  withMarks: boolean;
  effort: Effort | null;
  /** The same for all calls of a session, whose prompts begin alike: where a provider's caches are on many machines, it leads to one of them. */
  cacheKey: string;
}

/** Takes a streamed answer: its text, or the arguments of `finish` where that is the first call. */
export type OnPiece = (piece: string, of?: 'text' | 'finish') => void;

/** One provider: how it is called, and what its errors mean. */
export interface Provider {
  endpoint: Endpoint;
  /** False: no schema is given to it. */
  takesSchema: boolean;
  /** One call, never repeated by itself; in streaming mode where `onText` gets the text as it comes. Rejects with whatever its SDK throws; stops when `signal` aborts. */
  call(prompt: Prompt, form: CallForm, signal: AbortSignal, onText: OnPiece | undefined): Promise<ModelReply>;
  /** The kind of an error of `call`: a refusal of the server, a connection that failed, or neither. */
  faultOf(error: unknown): Refusal | 'connection' | null;
}

export interface RetryOptions extends ModelService {
  name: string;
  provider: Provider;
  /** How the model is asked to answer; default `native`. */
  voice?: Voice;
  random?: () => number;
  /** Waits `ms` milliseconds; rejects as soon as `signal` aborts. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** A model on a server that its operator names. */
export interface ServerModelOptions extends Omit<RetryOptions, 'name' | 'provider'> {
  model: string;
  /** Without one no credential is sent, as local servers have it. */
  apiKey?: string;
  baseURL?: string;
  /** Longest silence inside a response, in milliseconds. */
  idleMs?: number;
}

/** Whether a server is Ollama, by its address: by default its context is short, and what a prompt has beyond it is cut without a word. */
export const mayCutPrompts = (baseURL: string | undefined): boolean => /:11434\b|ollama/i.test(baseURL ?? '');

/** Calls for one answer before the task pauses (SPEC 9). */
const TRIES_MAX = 4;

const BACKOFF: Backoff = { firstMs: 500 };

/** Enough that no two sessions share a key by chance; providers take 64 at most. */
const CACHE_KEY_CHARS = 32;

/** Native answers after which a server that has never made a call is asked in the text voice. */
const ANSWERS_WITHOUT_CALLS_MAX = 3;

/** The part of the observations left out of a prompt that was too long: there is one such try, so it has to be short. */
const DROPPED_PART = 3 / 4;

/** Log messages, by what the next call leaves out. */
const SPARING: Partial<Record<keyof CallForm, string>> = {
  schema: 'the server refused structured output, asking without it',
  withMarks: 'the server refused marks for its cache, asking without them',
  effort: 'the server refused the effort, asking without it',
  voice: 'the server refused tool calls, asking in the text voice',
  dropObservations: 'prompt too long, asking with a shorter one',
};

/** Parts of the prompt that the next call leaves out after this verdict; null where the one before had left them out, or it is no reason for another call. */
const sparing = (action: Verdict['action'], form: CallForm, observations: number): Partial<CallForm> | null => {
  if (action === 'ask_without_schema' && form.schema !== null) return { schema: null };
  // Anthropic's API has both in one field.
  if ((action === 'ask_without_effort' || action === 'ask_without_schema') && form.effort !== null)
    return { effort: null };
  if (action === 'ask_without_marks' && form.withMarks) return { withMarks: false };
  if (action === 'ask_in_text' && form.voice === 'native') return { voice: 'text' };
  if (action === 'shorten' && form.dropObservations === 0 && observations > 0)
    return { dropObservations: Math.ceil(observations * DROPPED_PART) };
  return null;
};

/** A model behind any provider, with bounded retries (SPEC 9); never reads the text. Throws `ModelUnavailable`, and the signal's own reason when that aborts. */
export const createRetryingModel = (options: RetryOptions): Model => {
  const { name, provider, timeoutMs, log, random = Math.random } = options;
  const { wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options;
  const { endpoint } = provider;
  /** A server that takes no tool calls, or never makes one, is asked in the text voice from then on. */
  let voice = options.voice ?? 'native';
  let withoutCalls = 0;
  let hasCalled = false;
  /** A server that answered only without a schema or marks is not shown any again: the contract is checked here in any case. */
  let { takesSchema } = provider;
  let takesMarks = true;
  let { effort = null } = options;

  const call = async (
    request: ModelRequest,
    form: CallForm,
    signal: AbortSignal,
    timeLeft: number,
  ): Promise<ModelReply | Verdict> => {
    const prompt = promptFor(request, form.voice, form.dropObservations);
    const sent = { prompt: promptTexts(prompt), structured_output: form.schema !== null };
    // Not `AbortSignal.any` and `timeout`, which take ten times as long and keep a timer.
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const deadline = setTimeout(end, timeLeft);
    signal.addEventListener('abort', end, { once: true });
    const began = performance.now();
    const report = (reply: ModelReply | null, failure: string | null): void =>
      request.onCall?.({ model: name, sent, duration_ms: performance.now() - began, reply, failure });
    try {
      const reply = await provider.call(prompt, form, ending.signal, request.onText);
      if (endpoint.mayCutPrompts === true) checkCount(sent.prompt, promptTokens(reply.usage));
      report(reply, null);
      return reply;
    } catch (error) {
      request.onText?.(null);
      if (signal.aborted) report(null, null);
      signal.throwIfAborted();
      const verdict = ending.signal.aborted
        ? tooSlow(timeoutMs, endpoint)
        : verdictOn(error, provider.faultOf(error), endpoint);
      report(null, verdict.reason);
      return verdict;
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener('abort', end);
    }
  };

  const noteVoice = (form: CallForm, { calls = [], fault }: ModelReply): void => {
    if (form.voice === 'text') {
      voice = 'text';
      return;
    }
    hasCalled ||= calls.length > 0;
    if (hasCalled || fault !== 'none') return;
    withoutCalls += 1;
    if (withoutCalls < ANSWERS_WITHOUT_CALLS_MAX) return;
    voice = 'text';
    log.warn({ answers: withoutCalls }, 'the model answers without calls, asking in the text voice from now on');
  };

  return {
    name,
    voice: () => voice,
    async answer(request, signal) {
      const { contract, effect_id, task } = request;
      const hasShape = contract === 'replan' && task.answer_schema !== null;
      let form: CallForm = {
        contract,
        voice,
        dropObservations: 0,
        schema: takesSchema && voice === 'text' ? structuredSchema(request) : null,
        withMarks: takesMarks,
        effort,
        cacheKey: createHash('sha256').update(task.session_id).digest('hex').slice(0, CACHE_KEY_CHARS),
      };
      let timeLeft = timeoutMs;
      for (let attempt = 1; ; ) {
        signal.throwIfAborted();
        const began = performance.now();
        const outcome = await call(request, form, signal, timeLeft);
        timeLeft -= performance.now() - began;
        if ('text' in outcome) {
          // A task's own schema may be what it refused.
          takesSchema &&= form.voice === 'native' || form.schema !== null || hasShape;
          takesMarks &&= form.withMarks;
          effort = form.effort;
          noteVoice(form, outcome);
          return outcome;
        }
        const { action, status = null, retryAfterMs } = outcome;
        const line = { attempt, status, reason: outcome.reason, contract, effect_id };
        const spared = sparing(action, form, task.observations.length);
        if (spared !== null) {
          form = { ...form, ...spared };
          if (spared.voice === 'text' && takesSchema) form.schema = structuredSchema(request);
          const details = action === 'shorten' && { dropped_observations: form.dropObservations };
          const [part] = Object.keys(spared) as (keyof CallForm)[];
          log.warn({ ...line, ...details }, SPARING[part!]!);
        } else if (action === 'retry' && attempt < TRIES_MAX) {
          const wait_ms = retryAfterMs ?? backoffMs(BACKOFF, attempt, random);
          log.warn({ ...line, wait_ms }, 'model call failed, retrying');
          await wait(wait_ms, signal).catch((error: unknown) => {
            throw signal.aborted ? signal.reason : error;
          });
          attempt += 1;
        } else {
          const { reason, remedy } = outcome;
          const said = action === 'retry' ? `${reason}; gave up after ${TRIES_MAX} tries` : reason;
          throw new ModelUnavailable(`${said}. ${remedy}`);
        }
      }
    },
  };
};
