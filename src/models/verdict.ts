import type { ModelSettings } from '../../contracts/messages/en/models.ts';
import { type Messages, messages } from '../../contracts/messages/messages.ts';
import { plainLine } from '../../contracts/text.ts';

/** Texts on a model's fault, in one language. */
type ModelTexts = Messages['models'];

/** A response came, but no whole message was in it. Its message never quotes the body. Worth another try. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  /** The event in a language's texts; the error's own message is the English one. */
  readonly reason: (texts: ModelTexts) => string;

  constructor(reason: (texts: ModelTexts) => string, options?: ErrorOptions) {
    super(reason(messages('en').models), options);
    this.reason = reason;
  }
}

/** The handling of a failed call, and its message. Neither the reason nor the remedy ever holds a secret. */
export interface Verdict {
  /** `shorten`: ask with fewer observations; the others: ask without structured output, without marks for the cache. */
  action: 'retry' | 'fail' | 'shorten' | 'ask_without_schema' | 'ask_without_marks';
  /** The HTTP status of the failed call; null when there was none. */
  status: number | null;
  /** The fault and its remedy for a person, in a language's texts. */
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
  /** The server's message, for people. */
  said: string;
  /** All that it said, to recognize what it means. */
  body: string;
  /** Its header `retry-after`. */
  retryAfter: string | null;
  /** The money is used up, so that no wait helps. */
  isSpent: boolean;
}

/** Longest wait that a server may ask for, in milliseconds: past it the user gets an error instead (SPEC 9). */
const RETRY_AFTER_MS_MAX = 60_000;

/** Longest piece of a server's message that is shown, in characters: enough for its first sentence. */
const EXCERPT_CHARS_MAX = 200;

/** How servers say that the prompt doesn't fit: Anthropic twice, llama.cpp, vLLM, OpenAI. Few have a stable code for it. */
const TOO_LONG =
  /prompt is too long|exceeds? (the )?(available |model'?s )?context|context[ _](length|window|size|limit)|too many tokens/i;

/** How servers say that they know no structured output, by its name or as a field too many. */
const SCHEMA_REFUSED =
  /output_config|output_format|response_format|json_schema|json_object|structured output|extra inputs|(unknown|unrecognized|unexpected|unsupported) (field|parameter|property|key|argument)/i;

/** How servers say that they know no marks for the cache, or take contents only as one string, without which there are none. */
const MARKS_REFUSED = /cache_control|(valid|must be|should be|expected|want) (a )?string|cannot unmarshal array/i;

/** Keys as providers write them, whole or with stars in the middle. */
const ANY_KEY = /\bsk-[\w*-]{6,}/g;

type Remedy = (texts: ModelTexts, settings: ModelSettings) => string;

const verdict = (
  endpoint: Endpoint,
  action: Verdict['action'],
  reason: Verdict['reason'],
  remedy: Remedy,
  rest: Partial<Pick<Verdict, 'status' | 'retryAfterMs'>> = {},
): Verdict => ({
  action,
  status: null,
  retryAfterMs: null,
  reason,
  remedy: (texts) => remedy(texts, endpoint.settings ?? texts.inCode),
  ...rest,
});

/** The remedies of statuses that no further try changes. */
const remedyOf = (status: number, { urlEnd }: Endpoint): Remedy => {
  switch (status) {
    case 401:
      return (texts, settings) => texts.checkKey(settings);
    case 402:
      return (texts, settings) => texts.checkBilling(settings);
    case 403:
      return (texts, settings) => texts.checkRights(settings);
    case 404:
      return (texts, settings) => texts.checkPath(settings, urlEnd);
    case 413:
      return (texts, settings) => texts.requestTooLarge(settings);
    default:
      return (texts, settings) => texts.checkModel(settings);
  }
};

/** A `retry-after` header, seconds or an HTTP date, in milliseconds from now, never negative; null for none, or one that makes no sense. */
const retryAfterOf = (header: string | null): number | null => {
  if (header === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
};

/** Classifies a response other than 2xx. Never retries by itself. */
export const classifyRefusal = (refusal: Refusal, endpoint: Endpoint): Verdict => {
  const { status, body } = refusal;
  const reason: Verdict['reason'] = (texts) => texts.refused(status, excerpt(refusal.said, endpoint.apiKey, texts));
  const as = (action: Verdict['action'], remedy = remedyOf(status, endpoint), retryAfterMs: number | null = null) =>
    verdict(endpoint, action, reason, remedy, { status, retryAfterMs });
  if (refusal.isSpent) return as('fail', (texts) => texts.raiseSpendLimit);
  if (status === 429) {
    const waitMs = retryAfterOf(refusal.retryAfter);
    return waitMs === null || waitMs <= RETRY_AFTER_MS_MAX
      ? as('retry', (texts, settings) => texts.raiseRateLimit(settings), waitMs)
      : as('fail', (texts) => texts.waitFor(Math.ceil(waitMs / 1_000)));
  }
  if (status >= 500 || status === 408) return as('retry', (texts) => texts.tryLater);
  const isBadRequest = status === 400 || status === 422;
  if (isBadRequest && MARKS_REFUSED.test(body)) return as('ask_without_marks');
  if (isBadRequest && SCHEMA_REFUSED.test(body)) return as('ask_without_schema');
  if (status === 400 && TOO_LONG.test(body)) return as('shorten', (texts, settings) => texts.largerContext(settings));
  return as('fail');
};

/** Classifies a call that failed without a refusal: no whole answer, no connection (`isConnection`), or no call at all. */
export const classifyFailure = (error: unknown, isConnection: boolean, endpoint: Endpoint): Verdict => {
  const causes = causesOf(error);
  const noAnswer = causes.find((cause) => cause instanceof NoAnswer);
  if (noAnswer !== undefined)
    return verdict(endpoint, 'retry', noAnswer.reason, (texts, settings) => texts.checkServer(settings));
  if (isConnection) {
    const code = causes.map((cause) => ('code' in cause ? cause.code : null)).find((each) => typeof each === 'string');
    const reason: Verdict['reason'] = (texts) => texts.connectionFailed(code ?? null);
    return verdict(endpoint, 'retry', reason, (texts, settings) => texts.checkNetwork(settings));
  }
  const reason: Verdict['reason'] = (texts) => texts.notMade(excerpt(String(error), endpoint.apiKey, texts));
  return verdict(endpoint, 'fail', reason, (texts, settings) => texts.checkSettings(settings));
};

/** The verdict on a call that took all the time there was. */
export const tooSlow = (timeoutMs: number, endpoint: Endpoint): Verdict =>
  verdict(
    endpoint,
    'fail',
    (texts) => texts.tooSlow(timeoutMs / 1_000),
    (texts, settings) => texts.raiseTimeout(settings),
  );

/** An error and what caused it: SDKs wrap what their `fetch` threw. */
const causesOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : []);

/** The beginning of what a server said, on one line, without a key that it may have repeated and without its markup. */
const excerpt = (said: string, apiKey: string | null, texts: ModelTexts): string => {
  if (/<(!doctype|html|head|body)\b/i.test(said)) return texts.htmlPage;
  const hidden = (apiKey ? said.replaceAll(apiKey, '[key]') : said).replace(ANY_KEY, '[key]');
  return plainLine(hidden, EXCERPT_CHARS_MAX);
};
