import type Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/messages';
import { backoffMs } from '../../backoff.ts';
import { contractSchema } from '../contract-schema.ts';
import { type Model, type ModelReply, ModelUnavailable } from '../port.ts';
import type { PromptFor } from '../prompts/prompt.ts';
import { MODEL_BACKOFF, type Wait, waitOnClock } from './pace.ts';
import { readMessage } from './read-message.ts';
import { requestBody } from './request-body.ts';
import { classifyError, type Verdict } from './verdict.ts';

/** Where failed calls are logged; pino's logger is one. */
export interface ModelLog {
  warn(fields: Record<string, unknown>, message: string): void;
}

export interface AnthropicModelOptions {
  /** The model's name on the server, such as `claude-…`. */
  model: string;
  client: Anthropic;
  prompt: PromptFor;
  /** `TRIPACT_MODEL_TIMEOUT_MS`: how long all tries of one answer may take together, the pauses between them apart. */
  timeoutMs: number;
  log: ModelLog;
  random?: () => number;
  wait?: Wait;
}

/** Calls for one answer before the task pauses (SPEC 9). */
export const TRIES_MAX = 4;

/** The part of the observations left out of a prompt that was too long: there is one such try, so it has to be short. */
const DROPPED_PART = 3 / 4;

/**
 * A model behind the messages API, Anthropic's or another's (SPEC 9). Retries what may pass, bounded and logged; whatever text
 * comes is handed on unread. Throws `ModelUnavailable`, and the signal's own reason when that aborts.
 */
export function createAnthropicModel(options: AnthropicModelOptions): Model {
  const { model, client, prompt, timeoutMs, log, random = Math.random, wait = waitOnClock } = options;
  const schemas = {
    plan: contractSchema('plan'),
    thought: contractSchema('thought'),
    replan: contractSchema('replan'),
  };
  /** A server that answered only without a schema is not shown one again: the contract is checked here in any case. */
  let takesSchema = true;
  let takesMarks = true;

  /** One call: a reply, or what to do about its failure. Throws when the caller's signal aborts. */
  const call = async (
    body: MessageCreateParamsNonStreaming,
    signal: AbortSignal,
    timeLeft: number,
  ): Promise<ModelReply | Verdict> => {
    const ending = new AbortController();
    const end = (): void => ending.abort();
    let isLate = false;
    const deadline = setTimeout(
      () => {
        isLate = true;
        end();
      },
      Math.max(1, Math.ceil(timeLeft)),
    );
    signal.addEventListener('abort', end, { once: true });
    try {
      // Not `client.messages.create`: without what that prepares for telemetry, a call costs the SDK half as much.
      const response = await client
        .post('/v1/messages', { body, signal: ending.signal, timeout: timeoutMs + 1_000, maxRetries: 0 })
        .asResponse();
      return await readMessage(response, client);
    } catch (error) {
      signal.throwIfAborted();
      return isLate ? tooSlow(timeoutMs) : classifyError(error, client.apiKey);
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener('abort', end);
    }
  };

  return {
    name: `anthropic:${model}`,
    async answer(request, signal) {
      let timeLeft = timeoutMs;
      let withSchema = takesSchema;
      let withMarks = takesMarks;
      let dropObservations = 0;
      for (let attempt = 1; ; ) {
        signal.throwIfAborted();
        const schema = withSchema ? schemas[request.contract] : null;
        const body = requestBody(model, prompt(request, { dropObservations }), { withMarks, schema });
        const began = performance.now();
        const outcome = await call(body, signal, timeLeft);
        timeLeft -= performance.now() - began;
        if ('text' in outcome) {
          takesSchema &&= withSchema;
          takesMarks &&= withMarks;
          return outcome;
        }

        const { action, status, reason } = outcome;
        const details = { attempt, status, reason, contract: request.contract, effect_id: request.effect_id };
        switch (action) {
          case 'retry': {
            if (attempt === TRIES_MAX) throw unavailable(outcome, `; gave up after ${TRIES_MAX} tries`);
            const wait_ms = outcome.retryAfterMs ?? backoffMs(MODEL_BACKOFF, attempt, random);
            log.warn({ ...details, wait_ms }, 'model call failed, retrying');
            await wait(wait_ms, signal).catch((error: unknown) => {
              signal.throwIfAborted();
              throw error;
            });
            attempt += 1;
            break;
          }
          case 'ask_without_schema':
            if (!withSchema) throw unavailable(outcome);
            withSchema = false;
            log.warn(details, 'the server refused output_config, asking without it');
            break;
          case 'ask_without_marks':
            if (!withMarks) throw unavailable(outcome);
            withMarks = false;
            log.warn(details, 'the server refused cache_control, asking without it');
            break;
          case 'shorten':
            if (dropObservations > 0 || request.task.observations.length === 0) throw unavailable(outcome);
            dropObservations = Math.ceil(request.task.observations.length * DROPPED_PART);
            log.warn(
              { ...details, dropped_observations: dropObservations },
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

const unavailable = ({ reason, remedy }: Verdict, after = ''): ModelUnavailable =>
  new ModelUnavailable(`${reason}${after}. ${remedy}`);

const tooSlow = (timeoutMs: number): Verdict => ({
  action: 'fail',
  status: null,
  reason: `it took longer than ${timeoutMs / 1_000} s`,
  remedy: 'Raise TRIPACT_MODEL_TIMEOUT_MS, or check ANTHROPIC_BASE_URL.',
  retryAfterMs: null,
});
