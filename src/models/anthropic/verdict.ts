import { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import { plainLine } from '../../../contracts/plain-line.ts';
import { NoAnswer } from './no-answer.ts';
import { retryAfterMs } from './pace.ts';

/** What to do about a failed call; `reason` says what happened and `remedy` what a person can do, neither with a secret. */
export interface Verdict {
  /** `shorten`: ask with fewer observations; the others: ask without structured output, without marks for the cache. */
  action: 'retry' | 'fail' | 'shorten' | 'ask_without_schema' | 'ask_without_marks';
  /** The HTTP status of the failed call; null when there was none. */
  status: number | null;
  reason: string;
  remedy: string;
  /** How long the server asks to be left alone, in milliseconds; null when it doesn't say. */
  retryAfterMs: number | null;
}

/** Longest wait that a server may ask for, in milliseconds: past it the user gets an error instead (SPEC 9). */
export const RETRY_AFTER_MS_MAX = 60_000;

/** Longest piece of a server's message that is shown, in characters: enough for its first sentence. */
export const EXCERPT_CHARS_MAX = 200;

/** How servers say that the prompt doesn't fit: Anthropic twice, llama.cpp, vLLM. None has a stable code for it. */
const tooLong = /prompt is too long|exceeds? (the )?(available |model'?s )?context|context (length|window|size|limit)/i;

/** How servers say that they know no `output_config`, by its name or as a field too many. */
const unknownField =
  /output_config|output_format|json_schema|extra inputs|(unknown|unrecognized|unexpected|unsupported) (field|parameter|property|key|argument)/i;

/** How servers say that they know no marks for the cache, or take contents only as one string, without which there are none. */
const marksRefused = /cache_control|(valid|must be|should be|expected|want) (a )?string|cannot unmarshal array/i;

/** Classifies one failed call. Never retries by itself. `apiKey` is only cut out of what the server said. */
export function classifyError(error: unknown, apiKey: string | null): Verdict {
  if (error instanceof APIError && error.status !== undefined) return classifyStatus(error, error.status, apiKey);
  const verdict = { status: null, retryAfterMs: null };
  if (error instanceof NoAnswer)
    return {
      ...verdict,
      action: 'retry',
      reason: error.message,
      remedy: 'Check ANTHROPIC_BASE_URL, or try again later.',
    };
  if (error instanceof APIConnectionError)
    return {
      ...verdict,
      action: 'retry',
      reason: faultOfConnection(error),
      remedy: 'Check ANTHROPIC_BASE_URL and the network.',
    };
  return {
    ...verdict,
    action: 'fail',
    reason: `the call could not be made: ${excerpt(String(error), apiKey)}`,
    remedy: 'Check ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY.',
  };
}

function classifyStatus(error: APIError, status: number, apiKey: string | null): Verdict {
  const said = excerpt(typeof error.apiMessage === 'string' ? error.apiMessage : error.message, apiKey);
  const verdict = { status, reason: `the server answered ${status}: ${said}`, retryAfterMs: null };
  if (error.errorCode === 'enforced_spend_limit_reached')
    return {
      ...verdict,
      action: 'fail',
      remedy: 'Raise the spend limit in the Anthropic Console, or wait until it renews.',
    };
  if (status === 429) return classifyRateLimit(error, verdict);
  if (status >= 500 || status === 408)
    return { ...verdict, action: 'retry', remedy: 'The server has trouble of its own: try again later.' };
  if ((status === 400 || status === 422) && marksRefused.test(error.message))
    return { ...verdict, action: 'ask_without_marks', remedy: remedies[400] };
  if ((status === 400 || status === 422) && unknownField.test(error.message))
    return { ...verdict, action: 'ask_without_schema', remedy: remedies[400] };
  if (status === 400 && tooLong.test(error.message))
    return {
      ...verdict,
      action: 'shorten',
      remedy: 'Set TRIPACT_MODEL to a model with a larger context, or start a new task.',
    };
  return { ...verdict, action: 'fail', remedy: remedies[status as keyof typeof remedies] ?? remedies[400] };
}

const remedies = {
  400: 'Check that TRIPACT_MODEL names a model of the server at ANTHROPIC_BASE_URL.',
  401: 'Check ANTHROPIC_API_KEY.',
  402: 'Check the billing of the account that ANTHROPIC_API_KEY belongs to.',
  403: 'Check that ANTHROPIC_API_KEY may use the model in TRIPACT_MODEL.',
  404: 'Check TRIPACT_MODEL, and that ANTHROPIC_BASE_URL has no /v1 at its end.',
  413: 'The request is too large for the server at ANTHROPIC_BASE_URL: start a new task.',
};

function classifyRateLimit(error: APIError, verdict: Omit<Verdict, 'action' | 'remedy'>): Verdict {
  const waitMs = retryAfterMs(error.headers?.get('retry-after') ?? null, Date.now());
  if (waitMs === null || waitMs <= RETRY_AFTER_MS_MAX)
    return {
      ...verdict,
      retryAfterMs: waitMs,
      action: 'retry',
      remedy: 'Try again later, or raise the rate limit of ANTHROPIC_API_KEY.',
    };
  const remedy = `The server asks to wait ${Math.ceil(waitMs / 1_000)} s: try again then.`;
  return { ...verdict, retryAfterMs: waitMs, action: 'fail', remedy };
}

/** The system's code for a connection fault, such as ECONNREFUSED, from wherever in the chain of causes it is. */
function faultOfConnection(error: Error): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') return `the connection failed (${cause.code})`;
  return 'the connection failed';
}

/** The beginning of what a server said, on one line, without a key that it may have repeated and without its markup. */
function excerpt(said: string, apiKey: string | null): string {
  if (/<(!doctype|html|head|body)\b/i.test(said)) return 'an HTML page';
  const hidden = (apiKey ? said.replaceAll(apiKey, '[key]') : said).replace(/sk-ant-[\w-]+/g, '[key]');
  return plainLine(hidden, EXCERPT_CHARS_MAX);
}
