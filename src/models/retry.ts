import { setTimeout as sleep } from 'node:timers/promises';
import { messages } from '../../contracts/messages/messages.ts';
import { type Backoff, backoffMs } from '../lib/backoff.ts';
import {
  type Model,
  type ModelLog,
  type ModelReply,
  type ModelRequest,
  ModelUnavailable,
  type SentCall,
} from './port.ts';
import { type Endpoint, tooSlow, type Verdict } from './verdict.ts';

/** What a call may be spared of, when the server refuses it. */
export interface CallForm {
  /** How many of the task's oldest observations are left out. */
  dropObservations: number;
  /** With the contract's schema, for structured output. */
  withSchema: boolean;
  /** With marks for the prompt cache. */
  withMarks: boolean;
}

/** One provider: how it is called, and what its errors mean. */
export interface Provider {
  endpoint: Endpoint;
  /** One call, never repeated by itself; `onSent` gets what it sends. Rejects with whatever its SDK throws; stops when `signal` aborts. */
  call(
    request: ModelRequest,
    form: CallForm,
    signal: AbortSignal,
    onSent: (sent: SentCall) => void,
  ): Promise<ModelReply>;
  /** What a call's error means. */
  classify(error: unknown): Verdict;
}

export interface RetryOptions {
  name: string;
  provider: Provider;
  /** `TRIPACT_MODEL_TIMEOUT_MS`: how long all tries of one answer may take together, the pauses between them apart. */
  timeoutMs: number;
  log: ModelLog;
  random?: () => number;
  /** Waits `ms` milliseconds; rejects as soon as `signal` aborts. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Calls for one answer before the task pauses (SPEC 9). */
export const TRIES_MAX = 4;

/** The pauses between two tries: four tries end within a few seconds. */
const BACKOFF: Backoff = { firstMs: 500 };

/** The part of the observations left out of a prompt that was too long: there is one such try, so it has to be short. */
const DROPPED_PART = 3 / 4;

/**
 * A model behind any provider (SPEC 9). Retries what may pass, bounded and logged; whatever text comes is handed on unread.
 * Throws `ModelUnavailable` in the task's language, and the signal's own reason when that aborts.
 */
export const createRetryingModel = (options: RetryOptions): Model => {
  const { name, provider, timeoutMs, log, random = Math.random } = options;
  const { wait = (ms, signal) => sleep(ms, undefined, { signal }) } = options;
  /** A server that answered only without a schema or marks is not shown any again: the contract is checked here in any case. */
  let takesSchema = true;
  let takesMarks = true;

  /** One call: a reply, or what to do about its failure. */
  const call = async (
    request: ModelRequest,
    form: CallForm,
    signal: AbortSignal,
    timeLeft: number,
  ): Promise<ModelReply | Verdict> => {
    const ending = new AbortController();
    const end = (): void => ending.abort();
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      end();
    }, timeLeft);
    signal.addEventListener('abort', end, { once: true });
    let sent: SentCall | null = null;
    const began = performance.now();
    const report = (reply: ModelReply | null, failure: string | null): void =>
      request.onCall?.({ model: name, sent, duration_ms: performance.now() - began, reply, failure });
    try {
      const reply = await provider.call(request, form, ending.signal, (made) => {
        sent = made;
      });
      report(reply, null);
      return reply;
    } catch (error) {
      if (signal.aborted) report(null, null);
      signal.throwIfAborted();
      const verdict = isLate ? tooSlow(timeoutMs, provider.endpoint) : provider.classify(error);
      report(null, verdict.reason(messages(request.task.language).models));
      return verdict;
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener('abort', end);
    }
  };

  return {
    name,
    async answer(request, signal) {
      const unavailable = (verdict: Verdict, tries?: number): ModelUnavailable => {
        const texts = messages(request.task.language).models;
        const reason = verdict.reason(texts);
        return new ModelUnavailable(
          texts.withRemedy(tries === undefined ? reason : texts.gaveUp(reason, tries), verdict.remedy(texts)),
        );
      };
      let timeLeft = timeoutMs;
      const form: CallForm = { dropObservations: 0, withSchema: takesSchema, withMarks: takesMarks };
      for (let attempt = 1; ; ) {
        signal.throwIfAborted();
        const began = performance.now();
        const outcome = await call(request, form, signal, timeLeft);
        timeLeft -= performance.now() - began;
        if ('text' in outcome) {
          takesSchema &&= form.withSchema;
          takesMarks &&= form.withMarks;
          return outcome;
        }

        const { action, status } = outcome;
        const reason = outcome.reason(messages('en').models);
        const details = { attempt, status, reason, contract: request.contract, effect_id: request.effect_id };
        switch (action) {
          case 'retry': {
            if (attempt === TRIES_MAX) throw unavailable(outcome, TRIES_MAX);
            const wait_ms = outcome.retryAfterMs ?? backoffMs(BACKOFF, attempt, random);
            log.warn({ ...details, wait_ms }, 'model call failed, retrying');
            await wait(wait_ms, signal).catch((error: unknown) => {
              signal.throwIfAborted();
              throw error;
            });
            attempt += 1;
            break;
          }
          case 'ask_without_schema':
            if (!form.withSchema) throw unavailable(outcome);
            form.withSchema = false;
            log.warn(details, 'the server refused structured output, asking without it');
            break;
          case 'ask_without_marks':
            if (!form.withMarks) throw unavailable(outcome);
            form.withMarks = false;
            log.warn(details, 'the server refused cache_control, asking without it');
            break;
          case 'shorten':
            if (form.dropObservations > 0 || request.task.observations.length === 0) throw unavailable(outcome);
            form.dropObservations = Math.ceil(request.task.observations.length * DROPPED_PART);
            log.warn(
              { ...details, dropped_observations: form.dropObservations },
              'prompt too long, asking with a shorter one',
            );
            break;
          case 'fail':
            throw unavailable(outcome);
          default:
            action satisfies never;
        }
      }
    },
  };
};
