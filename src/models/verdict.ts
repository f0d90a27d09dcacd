import type { ModelSettings } from '../../contracts/messages/en/models.ts';
import { plainLine } from '../../contracts/text.ts';
import { type ModelTexts, noAnswerIn } from './no-answer.ts';

/** What to do about a failed call, and what to say of it. Neither the reason nor the remedy ever holds a secret. */
export interface Verdict {
  /** `shorten`: ask with fewer observations; the others: ask without structured output, without marks for the cache. */
  action: 'retry' | 'fail' | 'shorten' | 'ask_without_schema' | 'ask_without_marks';
  /** The HTTP status of the failed call; null when there was none. */
  status: number | null;
  /** What happened, and what a person can do, in a language's texts. */
  reason(texts: ModelTexts): string;
  remedy(texts: ModelTexts): string;
  /** How long the server asks to be left alone, in milliseconds; null when it doesn't say. */
  retryAfterMs: number | null;
}

/** A model's server, as its errors name it. */
export interface Endpoint {
  /** Names of the variables that set it; null: it is set in code. */
  settings: ModelSettings | null;
  /** The key, to be cut out of what the server says; null when there is none or it is not known. */
  apiKey: string | null;
  /** How the URL of such a server ends. */
  urlEnd: 'none' | 'v1' | null;
}

/** A response other than 2xx, as every provider's SDK can tell it. */
export interface Refusal {
  status: number;
  /** What the server said, for people. */
  said: string;
  /** All that it said, to recognize what it means. */
  body: string;
  /** Its header `retry-after`. */
  retryAfter: string | null;
  /** The money is used up, so that no wait helps. */
  isSpent: boolean;
}

/** Longest wait that a server may ask for, in milliseconds: past it the user gets an error instead (SPEC 9). */
export const RETRY_AFTER_MS_MAX = 60_000;

/** Longest piece of a server's message that is shown, in characters: enough for its first sentence. */
export const EXCERPT_CHARS_MAX = 200;

/** How servers say that the prompt doesn't fit: Anthropic twice, llama.cpp, vLLM, OpenAI. Few have a stable code for it. */
const tooLong =
  /prompt is too long|exceeds? (the )?(available |model'?s )?context|context[ _](length|window|size|limit)|too many tokens/i;

/** How servers say that they know no structured output, by its name or as a field too many. */
const schemaRefused =
  /output_config|output_format|response_format|json_schema|json_object|structured output|extra inputs|(unknown|unrecognized|unexpected|unsupported) (field|parameter|property|key|argument)/i;

/** How servers say that they know no marks for the cache, or take contents only as one string, without which there are none. */
const marksRefused = /cache_control|(valid|must be|should be|expected|want) (a )?string|cannot unmarshal array/i;

const settingsOf = ({ settings }: Endpoint, texts: ModelTexts): ModelSettings => settings ?? texts.inCode;

/**
 * A `retry-after` header, seconds or an HTTP date, in milliseconds from `now` (epoch milliseconds), never negative.
 * Null when there is none or it can't be understood.
 */
function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Classifies a response other than 2xx. Never retries by itself. */
export function classifyRefusal(refusal: Refusal, endpoint: Endpoint): Verdict {
  const { status, body } = refusal;
  const as = (action: Verdict['action'], remedy: (texts: ModelTexts, settings: ModelSettings) => string): Verdict => ({
    action,
    status,
    reason: (texts) => texts.refused(status, excerpt(refusal.said, endpoint.apiKey, texts)),
    remedy: (texts) => remedy(texts, settingsOf(endpoint, texts)),
    retryAfterMs: null,
  });
  if (refusal.isSpent) return as('fail', (texts) => texts.raiseSpendLimit);
  if (status === 429) return classifyRateLimit(refusal, as);
  if (status >= 500 || status === 408) return as('retry', (texts) => texts.tryLater);
  const isBadRequest = status === 400 || status === 422;
  const badRequest = (texts: ModelTexts, settings: ModelSettings): string => texts.checkModel(settings);
  if (isBadRequest && marksRefused.test(body)) return as('ask_without_marks', badRequest);
  if (isBadRequest && schemaRefused.test(body)) return as('ask_without_schema', badRequest);
  if (status === 400 && tooLong.test(body)) return as('shorten', (texts, settings) => texts.largerContext(settings));
  switch (status) {
    case 401:
      return as('fail', (texts, settings) => texts.checkKey(settings));
    case 402:
      return as('fail', (texts, settings) => texts.checkBilling(settings));
    case 403:
      return as('fail', (texts, settings) => texts.checkRights(settings));
    case 404:
      return as('fail', (texts, settings) => texts.checkPath(settings, endpoint.urlEnd));
    case 413:
      return as('fail', (texts, settings) => texts.requestTooLarge(settings));
    default:
      return as('fail', badRequest);
  }
}

function classifyRateLimit(
  { retryAfter }: Refusal,
  as: (action: Verdict['action'], remedy: (texts: ModelTexts, settings: ModelSettings) => string) => Verdict,
): Verdict {
  const waitMs = retryAfterMs(retryAfter, Date.now());
  if (waitMs === null || waitMs <= RETRY_AFTER_MS_MAX)
    return { ...as('retry', (texts, settings) => texts.raiseRateLimit(settings)), retryAfterMs: waitMs };
  return { ...as('fail', (texts) => texts.waitFor(Math.ceil(waitMs / 1_000))), retryAfterMs: waitMs };
}

/** Classifies a call that failed without a refusal: no whole answer, no connection (`isConnection`), or no call at all. */
export function classifyFailure(error: unknown, isConnection: boolean, endpoint: Endpoint): Verdict {
  const verdict = { status: null, retryAfterMs: null };
  const noAnswer = noAnswerIn(error);
  if (noAnswer !== null)
    return {
      ...verdict,
      action: 'retry',
      reason: noAnswer.reason,
      remedy: (texts) => texts.checkServer(settingsOf(endpoint, texts)),
    };
  if (isConnection)
    return {
      ...verdict,
      action: 'retry',
      reason: (texts) => texts.connectionFailed(connectionCode(error)),
      remedy: (texts) => texts.checkNetwork(settingsOf(endpoint, texts)),
    };
  return {
    ...verdict,
    action: 'fail',
    reason: (texts) => texts.notMade(excerpt(String(error), endpoint.apiKey, texts)),
    remedy: (texts) => texts.checkSettings(settingsOf(endpoint, texts)),
  };
}

/** The verdict on a call that took all the time there was. */
export const tooSlow = (timeoutMs: number, endpoint: Endpoint): Verdict => ({
  action: 'fail',
  status: null,
  reason: (texts) => texts.tooSlow(timeoutMs / 1_000),
  remedy: (texts) => texts.raiseTimeout(settingsOf(endpoint, texts)),
  retryAfterMs: null,
});

/** The system's code for a connection fault, such as ECONNREFUSED, from wherever in the chain of causes it is; null without one. */
function connectionCode(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return null;
}

/** Keys as providers write them, whole or with stars in the middle. */
const ANY_KEY = /\bsk-[\w*-]{6,}/g;

/** The beginning of what a server said, on one line, without a key that it may have repeated and without its markup. */
function excerpt(said: string, apiKey: string | null, texts: ModelTexts): string {
  if (/<(!doctype|html|head|body)\b/i.test(said)) return texts.htmlPage;
  const hidden = (apiKey ? said.replaceAll(apiKey, '[key]') : said).replace(ANY_KEY, '[key]');
  return plainLine(hidden, EXCERPT_CHARS_MAX);
}
