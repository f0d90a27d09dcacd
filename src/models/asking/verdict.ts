import { KEY_REFUSED } from '../../../contracts/model-fault.ts';
import { plainLine } from '../../../contracts/text.ts';
import { PromptCut } from './prompt-cut.ts';

/** A response without a complete message. Its message never quotes the body. Worth another attempt. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  /** The server's own words, verbatim. */
  readonly said: string | null;

  constructor(message: string, { said = null, ...options }: ErrorOptions & { said?: string | null } = {}) {
    super(message, options);
    this.said = said;
  }
}

/** Keys under which servers put an error's message, inside and around it. */
const WORDS = ['message', 'msg', 'error', 'detail'] as const;
const AROUND = ['error', 'errors', 'detail'] as const;

const wordsIn = (error: unknown, depth = 3): string | null => {
  if (typeof error === 'string') return error.trim() === '' ? null : error;
  if (depth === 0 || typeof error !== 'object' || error === null) return null;
  if (Array.isArray(error)) return wordsIn(error[0], depth - 1);
  const known = error as Partial<Record<(typeof WORDS)[number], unknown>>;
  return WORDS.map((key) => wordsIn(known[key], depth - 1)).find((words) => words !== null) ?? null;
};

/**
 * The error message in a server's body, in the formats that servers use: `{"error": "text"}`, `{"error": {"message"}}`,
 * `{"detail": [{"msg"}]}`; null: none.
 */
export const errorIn = (body: unknown): string | null => {
  if (typeof body !== 'object' || body === null) return null;
  const known = body as Partial<Record<(typeof AROUND)[number], unknown>>;
  return AROUND.map((key) => wordsIn(known[key])).find((words) => words !== null) ?? null;
};

/** A model's server, as errors name it. */
export interface Endpoint {
  /** Names of its settings: environment variables, or a description of settings in code. */
  settings: { model: string; key: string; url: string };
  /** The key, which is removed from the server's words; null if there is none or it is not known. */
  apiKey: string | null;
  /** How the URL of such a server ends. */
  urlEnd: 'none' | 'v1' | null;
  /** It may silently read only a part of a long prompt, as Ollama does. */
  mayCutPrompts?: boolean;
}

/** How to handle a failed call, and its message. Neither reason nor remedy ever contains a secret. */
export interface Verdict {
  /**
   * `shorten`: ask with fewer observations; the others: ask without structured output, cache marks, an effort,
   * files, or tools.
   */
  action:
    | 'retry'
    | 'fail'
    | 'shorten'
    | 'ask_without_schema'
    | 'ask_without_marks'
    | 'ask_without_effort'
    | 'ask_without_files'
    | 'ask_in_text';
  /** The HTTP status of the failed call; absent if there was none. */
  status?: number;
  /** The fault for the operator, as a clause. */
  reason: string;
  /** The remedy for the operator, in whole sentences. */
  remedy: string;
  /** How long the server asks to wait, in milliseconds; absent if it does not say. */
  retryAfterMs?: number;
}

/** A response other than 2xx, as every provider's SDK can report it. */
export interface ErrorResponse {
  status: number;
  said: string;
  /** The whole body, which identifies the error. */
  body: string;
  retryAfter: string | null | undefined;
  /** The balance is used up, so waiting does not help. */
  isSpent: boolean;
}

/** Longest wait that a server may ask for, in milliseconds. Beyond it the user gets an error instead (SPEC 9). */
const RETRY_AFTER_MS_MAX = 60_000;

/** Longest part shown of a server's message, in characters: enough for its first sentence. */
const EXCERPT_CHARS_MAX = 200;

/**
 * How servers report a prompt that is too long: Anthropic twice, llama.cpp, vLLM, OpenAI. Few have a stable code for
 * it.
 */
const TOO_LONG =
  /prompt is too long|exceeds? (the )?(available |model'?s )?context|context[ _](length|window|size|limit)|too many tokens/i;

/** How servers refuse structured output: by its name, or as an unknown field. */
const SCHEMA_REFUSED =
  /output_config|output_format|response_format|json_schema|json_object|structured output|extra inputs|(unknown|unrecognized|unexpected|unsupported) (field|parameter|property|key|argument)/i;

/** How servers refuse cache marks, or accept contents only as one string, which cannot have marks. */
const MARKS_REFUSED =
  /cache_control|prompt_cache_|(valid|must be|should be|expected|want) (a )?string|cannot unmarshal array/i;

/** How servers report that a model accepts no effort, or not this one. */
const EFFORT_REFUSED = /\b(reasoning[_.])?effort\b/i;

/** How servers report that a model accepts no images or documents: vLLM, llama.cpp, OpenRouter, OpenAI, Ollama. */
const FILES_REFUSED =
  /not (a )?multi-?modal|(support|accept)\w* (for )?(image|vision|file|document|pdf)|(image|vision|file|document|pdf)s?( input| content| part)?s? (is|are|was|were)? ?(not|un) ?(support|accept|allow)|image_url|input_image|no endpoints found that support image|mmproj/i;

/** How OpenAI reports that a model accepts tools only in its newer API. */
const OTHER_API = /\/v1\/responses/;

/** How servers report an unknown key, other than by 401. */
const KEY_UNKNOWN =
  /\b(invalid|incorrect|unknown|expired) (x-)?api[ _-]?key|api[ _-]?key( is|_)? ?(not valid|invalid|incorrect|unknown|expired)/i;

/** How servers report that a model accepts no tools: Ollama, vLLM, OpenRouter, llama.cpp. */
const TOOLS_REFUSED =
  /does not support (tools|tool|function)|tool[ _-]?(use|choice|calling|calls?)\b.{0,60}(not supported|unsupported|requires)|no endpoints found that support tool|--jinja|(unknown|unrecognized|unexpected|unsupported) (field|parameter|property|key|argument).{0,20}\btools?\b/i;

const ANY_KEY = /\bsk-[\w*-]{6,}/g;

const remedyOf = (status: number, { settings: { model, key, url }, urlEnd }: Endpoint): string => {
  const end = urlEnd === 'v1' ? 'ends where /chat/completions begins, mostly with /v1' : 'does not end with /v1';
  const remedies: Record<number, string> = {
    402: `Check the billing of the account that ${key} belongs to.`,
    403: `Check that ${key} may use the model in ${model}.`,
    404: urlEnd === null ? `Check ${model} and ${url}.` : `Check ${model}, and that ${url} ${end}.`,
    413: `The request is too large for the server at ${url}: start a new task.`,
  };
  return remedies[status] ?? `Check that ${model} names a model of the server at ${url}.`;
};

/**
 * A `retry-after` header, in seconds or as an HTTP date, in milliseconds from now, never negative; undefined if absent
 * or invalid.
 */
const retryAfterOf = (header: ErrorResponse['retryAfter']): number | undefined => {
  if (header == null) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
};

const onErrorResponse = (
  { status, said, body, retryAfter, isSpent }: ErrorResponse,
  endpoint: Endpoint,
  hasFiles: boolean,
): Verdict => {
  const shown = `${status}: ${excerpt(said, endpoint)}`;
  const isKeyRefused = status === 401 || ((status === 400 || status === 403) && KEY_UNKNOWN.test(body));
  const reason = isKeyRefused ? `${KEY_REFUSED} (${shown})` : `the server answered ${shown}`;
  const as = (action: Verdict['action'], remedy: string): Verdict => ({ action, status, reason, remedy });
  const { key, model } = endpoint.settings;
  if (isKeyRefused) return as('fail', `Check ${key}.`);
  if (isSpent) return as('fail', "Raise the spend limit in the provider's console, or wait until it renews.");
  if (status === 429) {
    const retryAfterMs = retryAfterOf(retryAfter);
    if (retryAfterMs !== undefined && retryAfterMs > RETRY_AFTER_MS_MAX)
      return as('fail', `The server asks to wait ${Math.ceil(retryAfterMs / 1_000)} s: try again then.`);
    const retry = as('retry', `Try again later, or raise the rate limit of ${key}.`);
    return retryAfterMs === undefined ? retry : { ...retry, retryAfterMs };
  }
  if (hasFiles && status >= 400 && (status === 413 || FILES_REFUSED.test(body)))
    return as('ask_without_files', remedyOf(status, endpoint));
  if (status === 500 && /--jinja/.test(body)) return as('ask_in_text', remedyOf(status, endpoint));
  if (status >= 500 || status === 408) return as('retry', 'The server has an internal problem: try again later.');
  const remedy = remedyOf(status, endpoint);
  const isBadRequest = status === 400 || status === 422;
  if ((isBadRequest || status === 404 || status === 501) && TOOLS_REFUSED.test(body)) return as('ask_in_text', remedy);
  if (isBadRequest && OTHER_API.test(body)) return as('fail', `Set ${model} to openai:<model>, which asks that API.`);
  if (isBadRequest && EFFORT_REFUSED.test(body)) return as('ask_without_effort', remedy);
  if (isBadRequest && MARKS_REFUSED.test(body)) return as('ask_without_marks', remedy);
  if (isBadRequest && SCHEMA_REFUSED.test(body)) return as('ask_without_schema', remedy);
  if (status === 400 && TOO_LONG.test(body))
    return as('shorten', `Set ${model} to a model with a larger context, or start a new task.`);
  return as('fail', remedy);
};

/**
 * The verdict on a call's error: refused by the server, a failed `connection`, or neither. A `NoAnswer` among its
 * causes takes precedence. `hasFiles`: the call sent files as they are. Never retries.
 */
export const verdictOn = (
  error: unknown,
  fault: ErrorResponse | 'connection' | null,
  endpoint: Endpoint,
  hasFiles = false,
): Verdict => {
  const { url, key } = endpoint.settings;
  const causes = causesOf(error);
  const noAnswer = causes.find((cause) => cause instanceof NoAnswer);
  if (noAnswer !== undefined) {
    const said = noAnswer.said === null ? '' : `: ${excerpt(noAnswer.said, endpoint)}`;
    return { action: 'retry', reason: noAnswer.message + said, remedy: `Check ${url}, or try again later.` };
  }
  const cut = causes.find((cause) => cause instanceof PromptCut);
  if (cut !== undefined) {
    const remedy = `Set OLLAMA_CONTEXT_LENGTH where Ollama runs, for example to 32768, and restart it.`;
    return { action: 'fail', reason: cut.message, remedy };
  }
  if (fault === 'connection') {
    const code = causes.map((cause) => ('code' in cause ? cause.code : null)).find((each) => typeof each === 'string');
    const reason = code === undefined ? 'the connection failed' : `the connection failed (${code})`;
    return { action: 'retry', reason, remedy: `Check ${url} and the network.` };
  }
  if (fault !== null) return onErrorResponse(fault, endpoint, hasFiles);
  const reason = `the call could not be made: ${excerpt(String(error), endpoint)}`;
  return { action: 'fail', reason, remedy: `Check ${url} and ${key}.` };
};

export const tooSlow = (timeoutMs: number, { settings: { url } }: Endpoint): Verdict => ({
  action: 'fail',
  reason: `it took longer than ${timeoutMs / 1_000} s`,
  remedy: `Raise TRIPACT_MODEL_TIMEOUT_MS, or check ${url}.`,
});

const causesOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : []);

/** The beginning of a server's message, on one line, without markup and without a key that it may have repeated. */
const excerpt = (said: string, { apiKey }: Endpoint): string => {
  if (/<(!doctype|html|head|body)\b/i.test(said)) return 'an HTML page';
  const hidden = (apiKey ? said.replaceAll(apiKey, '[key]') : said).replace(ANY_KEY, '[key]');
  return plainLine(hidden, EXCERPT_CHARS_MAX);
};
