import { signal } from '@preact/signals';
import type { ProblemType } from '../../../contracts/error-code.ts';
import type { Problem } from '../../../contracts/http.ts';
import { SERVICE } from '../state/page-address.ts';
import { language } from '../text/language.ts';
import { chineseProblems } from '../text/problem-texts.ts';
import { shared } from '../text/shared.ts';

/** The API key that requests send; null: none. Only this tab's memory has it, and a reload drops it. */
export const apiKey = signal<string | null>(null);

/**
 * Why the page asks for a key: there is none, it was refused, or it belongs to a front end, which stands for nobody by
 * itself. Null: no key is needed.
 */
export const keyNeed = signal<'missing' | 'refused' | 'front_end' | null>(null);

/** Uses a key that the user entered and shows the screens again with it. */
export const giveKey = (key: string): void => {
  keyNeed.value = null;
  apiKey.value = key;
};

/** A request that was refused or got no answer. Its message is for people. */
export class ApiProblem extends Error {
  /** The HTTP status; 0: no answer. */
  readonly status: number;
  /** The problem's `type`, such as `/problems/task-running`; null: the answer was not the service's. */
  readonly type: Problem['type'] | null;

  constructor(message: string, status: number, type: Problem['type'] | null) {
    super(message);
    this.name = 'ApiProblem';
    this.status = status;
    this.type = type;
  }
}

/** Turns a refusal with a given status, such as 404, into null. Throws other errors on. */
export const nullIf =
  (status: number) =>
  (error: unknown): null => {
    if (error instanceof ApiProblem && error.status === status) return null;
    throw error;
  };

/**
 * The kind of refusal in the chosen language; null if the API's own words are already in it, or if the kind is unknown.
 */
const kindOf = (type: Problem['type']): string | null =>
  language.value === 'zh' && Object.hasOwn(chineseProblems, type) ? chineseProblems[type as ProblemType] : null;

/** Reads why a request was refused. */
export const problemOf = async (response: Response): Promise<ApiProblem> => {
  try {
    const { detail, title, type, errors } = (await response.json()) as Problem;
    const fields = (errors ?? []).map(({ path, message }) => `${path} ${message}`);
    const lines = [kindOf(type), detail ?? title, ...fields].filter((line) => line !== null);
    return new ApiProblem(lines.join('\n'), response.status, type);
  } catch {
    return new ApiProblem(`${response.status} ${response.statusText}`, response.status, null);
  }
};

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits. Not by `randomUUID`, which pages without TLS do not have. */
export const randomId = (length: number): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(length)), (value) => ALPHABET[value % ALPHABET.length]).join('');

/** A path of the API with encoded names. */
export const path = (parts: TemplateStringsArray, ...names: string[]): string =>
  String.raw({ raw: parts }, ...names.map((name) => encodeURIComponent(name)));

/** Parts of a request beside its path. */
export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON; a file and a form are sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Query parameters; those without a value are omitted. */
  query?: Record<string, string | number | null | undefined>;
  signal?: AbortSignal | undefined;
  /** The page is being left: the request goes on without it. */
  keepalive?: boolean;
}

/** False while the service does not answer. */
export const isOnline = signal(true);

const addressOf = (path: string, query: NonNullable<RequestOptions['query']>): string => {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
};

const tryFetch = async (address: string, init: RequestInit): Promise<Response> => {
  try {
    const response = await fetch(address, init);
    isOnline.value = true;
    return response;
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    isOnline.value = false;
    throw new ApiProblem(shared.value.offline, 0, null);
  }
};

/** Sends a request to the API and returns its successful response. Throws `ApiProblem`, or the reason of `signal`. */
export const send = async (path: string, options: RequestOptions = {}): Promise<Response> => {
  const { method = 'GET', body, headers = {}, query = {}, signal: aborted, keepalive = false } = options;
  const isFile = body instanceof Blob;
  const isForm = body instanceof FormData;
  const key = apiKey.peek();
  const response = await tryFetch(SERVICE + addressOf(path, query), {
    method,
    headers: {
      'x-tripact-client': 'console',
      ...(body !== undefined &&
        !isForm && { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: isFile || isForm ? body : (JSON.stringify(body) ?? null),
    signal: aborted ?? null,
    cache: 'no-store',
    keepalive,
  });
  if (response.ok || response.status === 304) return response;
  const problem = await problemOf(response);
  const isFrontEnds = problem.type === '/problems/user-required';
  if ((response.status === 401 || isFrontEnds) && apiKey.peek() === key)
    keyNeed.value = isFrontEnds ? 'front_end' : key === null ? 'missing' : 'refused';
  throw problem;
};

/** Sends a request and parses the JSON reply; its route's contract determines the type. */
export const request = async <Body>(path: string, options: RequestOptions = {}): Promise<Body> =>
  (await (await send(path, options)).json()) as Body;

/** Makes a `request` for polling. An unchanged reply is not sent again, and gives the same value as before. */
export const createReread = <Body>(): ((path: string, options: RequestOptions) => Promise<Body>) => {
  const known = new Map<string, { tag: string; body: Body }>();
  return async (path, options) => {
    const address = addressOf(path, options.query ?? {});
    const last = known.get(address);
    const response = await send(path, { ...options, ...(last && { headers: { 'if-none-match': last.tag } }) });
    if (last !== undefined && response.status === 304) return last.body;
    const body = (await response.json()) as Body;
    known.set(address, { tag: response.headers.get('etag') ?? '', body });
    return body;
  };
};
