import { messages } from '../../../contracts/messages/messages.ts';
import { askingOwner } from '../../event-loop/asking-owner.ts';
import { createLoopSlices } from '../../event-loop/loop-slices.ts';
import { backoffMs } from '../../lib/backoff.ts';
import { type Model, type ModelLog, ModelUnavailable } from '../port.ts';
import { callWithDeadline } from './call-with-deadline.ts';
import { MODEL_BACKOFF, type Wait, waitOnClock } from './pace.ts';
import type { CallForm, Provider } from './provider.ts';
import type { Verdict } from './verdict.ts';

export interface RetryingModelOptions {
  name: string;
  provider: Provider;
  /** `TRIPACT_MODEL_TIMEOUT_MS`: how long all tries of one answer may take together, the pauses between them apart. */
  timeoutMs: number;
  log: ModelLog;
  random?: () => number;
  wait?: Wait;
}

/** Calls for one answer before the task pauses (SPEC 9). */
export const TRIES_MAX = 4;

/** A server may name the same moment to all calls that it puts off: they are made a few in each turn of the event loop. */
const afterWait = createLoopSlices();

/** The part of the observations left out of a prompt that was too long: there is one such try, so it has to be short. */
const DROPPED_PART = 3 / 4;

/**
 * A model behind any provider (SPEC 9). Retries what may pass, bounded and logged; whatever text comes is handed on unread.
 * Throws `ModelUnavailable` in the task's language, and the signal's own reason when that aborts.
 */
export function createRetryingModel(options: RetryingModelOptions): Model {
  const { name, provider, timeoutMs, log, random = Math.random, wait = waitOnClock } = options;
  /** A server that answered only without a schema or marks is not shown any again: the contract is checked here in any case. */
  let takesSchema = true;
  let takesMarks = true;

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
        const outcome = await callWithDeadline({ name, provider }, request, form, { signal, timeLeft, timeoutMs });
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
            const wait_ms = outcome.retryAfterMs ?? backoffMs(MODEL_BACKOFF, attempt, random);
            log.warn({ ...details, wait_ms }, 'model call failed, retrying');
            await wait(wait_ms, signal).catch((error: unknown) => {
              signal.throwIfAborted();
              throw error;
            });
            await afterWait.next(askingOwner.getStore());
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
}
