import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonSchema } from '../../../contracts/answer.ts';
import type { FileKinds } from '../../../contracts/file.ts';
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
import { promptTexts } from '../prompt/prompt-text.ts';
import type { Voice } from '../prompt/rules.ts';
import { structuredSchema } from './contract-schema.ts';
import { type FilledPrompt, fillPrompt } from './fill-prompt.ts';
import { checkCount } from './prompt-cut.ts';
import { type Endpoint, type ErrorResponse, tooSlow, type Verdict, verdictOn } from './verdict.ts';

/** How a call asks. It says what to omit for a server that refuses it. */
export interface CallForm extends Pick<ModelRequest, 'contract'> {
  voice: Voice;
  /** How many of the oldest results the prompt leaves out. */
  dropObservations: number;
  /** The contract's schema, for structured output in the text voice; null: not sent. */
  schema: JsonSchema | null;
  withMarks: boolean;
  /** False: no file is sent as it is. */
  withFiles: boolean;
  effort: Effort | null;
  /**
   * The same for all calls of a session, whose prompts begin alike: a provider with caches on many machines routes them
   * to one.
   */
  cacheKey: string;
}

/** Receives a streamed answer: its text, or the arguments of `finish` if that is the first call. */
export type OnPiece = (piece: string, of?: 'text' | 'finish') => void;

/** One provider: how to call it, and what its errors mean. */
export interface Provider {
  endpoint: Endpoint;
  /** False: it is never sent a schema. */
  takesSchema: boolean;
  /** The kinds of files that it is sent. */
  takesFiles: FileKinds;
  /**
   * Makes one call and never repeats it; streams if `onText` is given. Rejects with whatever its SDK throws; stops when
   * `signal` aborts.
   */
  call(prompt: FilledPrompt, form: CallForm, signal: AbortSignal, onText: OnPiece | undefined): Promise<ModelReply>;
  /** The kind of an error of `call`: refused by the server, a failed connection, or neither. */
  faultOf(error: unknown): ErrorResponse | 'connection' | null;
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

/** A model on a server that the operator configures. */
export interface ServerModelOptions extends Omit<RetryOptions, 'name' | 'provider'> {
  model: string;
  /** Without one no credentials are sent, as for local servers. */
  apiKey?: string;
  baseURL?: string;
  /** The kinds of files that it looks at; default: none. */
  takesFiles?: FileKinds;
  /** Longest silence within a response, in milliseconds. */
  idleMs?: number;
}

/** Whether a server is Ollama, by its address: its default context is short, and it silently cuts longer prompts. */
export const mayCutPrompts = (baseURL: string | undefined): boolean => /:11434\b|ollama/i.test(baseURL ?? '');

/** Calls for one answer before the task pauses (SPEC 9). */
const TRIES_MAX = 4;

const BACKOFF: Backoff = { firstMs: 500 };

/** Long enough that no two sessions share a key by chance; providers accept at most 64. */
const CACHE_KEY_CHARS = 32;

/** Native answers after which a server that has never made a call is asked in the text voice. */
const ANSWERS_WITHOUT_CALLS_MAX = 3;

/**
 * The share of observations left out of a prompt that was too long. There is only one such attempt, so the prompt has
 * to become short.
 */
const DROPPED_PART = 3 / 4;

/** Log messages, by what the next call leaves out. */
const SPARING: Partial<Record<keyof CallForm, string>> = {
  schema: 'the server refused structured output, asking without it',
  withFiles: 'the server refused images or files, asking without them',
  withMarks: 'the server refused marks for its cache, asking without them',
  effort: 'the server refused the effort, asking without it',
  voice: 'the server refused tool calls, asking in the text voice',
  dropObservations: 'prompt too long, asking with a shorter one',
};

/**
 * The parts that the next call leaves out after this verdict; null if the previous call already left them out, or if
 * the verdict is no reason for another call.
 */
const sparing = (action: Verdict['action'], form: CallForm, observations: number): Partial<CallForm> | null => {
  if (action === 'ask_without_schema' && form.schema !== null) return { schema: null };
  // Anthropic's API has both in one field.
  if ((action === 'ask_without_effort' || action === 'ask_without_schema') && form.effort !== null)
    return { effort: null };
  if (action === 'ask_without_marks' && form.withMarks) return { withMarks: false };
  if (action === 'ask_without_files' && form.withFiles) return { withFiles: false };
  if (action === 'ask_in_text' && form.voice === 'native') return { voice: 'text' };
  if (action === 'shorten' && form.dropObservations === 0 && observations > 0)
    return { dropObservations: Math.ceil(observations * DROPPED_PART) };
  return null;
};

/** The server's abilities, learned from its answers. A form without something that was refused is not asked with it again. */
class ServerAbilities {
  readonly #log: RetryOptions['log'];
  /** A server that refuses tool calls, or never makes one, is asked in the text voice from then on. */
  #voice: Voice;
  #answersWithoutCalls = 0;
  #hasCalled = false;
  /**
   * A server that answered only without a schema or marks does not get them again: the contract is validated here
   * anyway.
   */
  #takesSchema: boolean;
  #takesMarks = true;
  #takesFiles = true;
  #effort: Effort | null;

  constructor({ voice = 'native', provider, effort = null, log }: RetryOptions) {
    this.#voice = voice;
    this.#takesSchema = provider.takesSchema;
    this.#effort = effort;
    this.#log = log;
  }

  get voice(): Voice {
    return this.#voice;
  }

  /** The form of a request's first call. */
  firstForm(request: ModelRequest): CallForm {
    const { contract, task, given } = request;
    const voice = given?.voice ?? this.#voice;
    return {
      contract,
      voice,
      dropObservations: 0,
      schema: voice === 'text' ? this.#schemaOf(request) : null,
      withMarks: this.#takesMarks,
      withFiles: this.#takesFiles,
      effort: this.#effort,
      cacheKey: createHash('sha256').update(task.session_id).digest('hex').slice(0, CACHE_KEY_CHARS),
    };
  }

  /** The form of the next call, without what the server refused with `status`. */
  nextForm(request: ModelRequest, form: CallForm, spared: Partial<CallForm>, status: number | null): CallForm {
    // A prompt that was too large for the server says nothing about the next one.
    if (spared.withFiles === false) this.#takesFiles = status === 413;
    const schema = spared.voice === 'text' ? this.#schemaOf(request) : null;
    return { ...form, ...spared, ...(schema !== null && { schema }) };
  }

  /** The server answered this form. */
  learn(form: CallForm, reply: ModelReply, { contract, task, given }: ModelRequest): void {
    // It may have refused the task's own schema.
    const hasShape = contract === 'replan' && task.answer_schema !== null;
    this.#takesSchema &&= form.voice === 'native' || form.schema !== null || hasShape;
    this.#takesMarks &&= form.withMarks;
    this.#effort = form.effort;
    if (given?.voice === 'text') return;
    if (form.voice === 'text') this.#voice = 'text';
    // What a model makes of a given prompt says nothing about others.
    else if (given === undefined) this.#learnVoice(reply);
  }

  #schemaOf(request: ModelRequest): JsonSchema | null {
    return this.#takesSchema ? structuredSchema(request) : null;
  }

  #learnVoice({ calls = [], fault }: ModelReply): void {
    this.#hasCalled ||= calls.length > 0;
    if (this.#hasCalled || fault !== 'none') return;
    this.#answersWithoutCalls += 1;
    if (this.#answersWithoutCalls < ANSWERS_WITHOUT_CALLS_MAX) return;
    this.#voice = 'text';
    this.#log.warn(
      { answers: this.#answersWithoutCalls },
      'the model answers without calls, asking in the text voice from now on',
    );
  }
}

/** Makes one call, for `timeLeft` milliseconds at most. Reports it, and gives a failure as a verdict. */
const callOnce = async (
  { name, provider, timeoutMs }: RetryOptions,
  request: ModelRequest,
  form: CallForm,
  signal: AbortSignal,
  timeLeft: number,
): Promise<ModelReply | Verdict> => {
  const { endpoint } = provider;
  const prompt = request.given?.in(form.voice) ?? promptFor(request, form.voice, form.dropObservations);
  const sent = { prompt: promptTexts(prompt), structured_output: form.schema !== null };
  // Not `AbortSignal.any` and `timeout`, which take ten times as long and keep a timer.
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const deadline = setTimeout(end, timeLeft);
  signal.addEventListener('abort', end, { once: true });
  const began = performance.now();
  let hasFiles = false;
  const report = (reply: ModelReply | null, failure: string | null): void =>
    request.onCall?.({ model: name, sent, duration_ms: performance.now() - began, reply, failure });
  try {
    const filled = await fillPrompt(prompt, request.files, form.withFiles ? provider.takesFiles : []);
    hasFiles = filled.user.some(({ media }) => media !== undefined);
    const reply = await provider.call(filled, form, ending.signal, request.onText);
    if (endpoint.mayCutPrompts === true) checkCount(sent.prompt, promptTokens(reply.usage));
    report(reply, null);
    return reply;
  } catch (error) {
    request.onText?.(null);
    if (signal.aborted) report(null, null);
    signal.throwIfAborted();
    const verdict = ending.signal.aborted
      ? tooSlow(timeoutMs, endpoint)
      : verdictOn(error, provider.faultOf(error), endpoint, hasFiles);
    report(null, verdict.reason);
    return verdict;
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', end);
  }
};

const gaveUp = ({ action, reason, remedy }: Verdict): ModelUnavailable => {
  const said = action === 'retry' ? `${reason}; gave up after ${TRIES_MAX} tries` : reason;
  return new ModelUnavailable(`${said}. ${remedy}`);
};

/**
 * A model behind any provider, with bounded retries (SPEC 9). Never parses the text. Throws `ModelUnavailable`, and the
 * signal's own reason when that aborts.
 */
export const createRetryingModel = (options: RetryOptions): Model => {
  const { name, timeoutMs, log, random = Math.random } = options;
  const { wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options;
  const abilities = new ServerAbilities(options);

  return {
    name,
    voice: () => abilities.voice,
    async answer(request, signal) {
      const { contract, effect_id, task } = request;
      let form = abilities.firstForm(request);
      let timeLeft = timeoutMs;
      for (let attempt = 1; ; ) {
        signal.throwIfAborted();
        const began = performance.now();
        const outcome = await callOnce(options, request, form, signal, timeLeft);
        timeLeft -= performance.now() - began;
        if ('text' in outcome) {
          abilities.learn(form, outcome, request);
          return outcome;
        }
        const { action, status = null, retryAfterMs } = outcome;
        const line = { attempt, status, reason: outcome.reason, contract, effect_id };
        const spared = sparing(action, form, request.given === undefined ? task.observations.length : 0);
        if (spared !== null) {
          form = abilities.nextForm(request, form, spared, status);
          const details = action === 'shorten' && { dropped_observations: form.dropObservations };
          const [part] = Object.keys(spared) as (keyof CallForm)[];
          log.warn({ ...line, ...details }, SPARING[part!]!);
          continue;
        }
        if (action !== 'retry' || attempt === TRIES_MAX) throw gaveUp(outcome);
        const wait_ms = retryAfterMs ?? backoffMs(BACKOFF, attempt, random);
        log.warn({ ...line, wait_ms }, 'model call failed, retrying');
        await wait(wait_ms, signal).catch((error: unknown) => {
          throw signal.aborted ? signal.reason : error;
        });
        attempt += 1;
      }
    },
  };
};
