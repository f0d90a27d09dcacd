import { setTimeout } from 'node:timers/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect } from 'vitest';
import { type ErrorCode, errorStatus, problemType } from '../../../contracts/error-code.ts';
import { startServe, temporaryFolder } from '../cli/cli-process.ts';
import { type Description, type FuzzRequest, fuzzRequests } from './requests.ts';

/** Concurrent requests. */
const LANES = 4;

/** Requests generated at once: the bodies of all of them would not fit into memory. */
const SLICE = 1_000;

/** Time for a whole response, in milliseconds: far above any correct one, even on a busy machine. */
const RESPONSE_MS_MAX = 30_000;

interface WireResponse {
  status: number;
  mediaType: string;
  body: string;
}

/** The status of every type that a problem may have. */
const problemStatus: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(errorStatus).map(([code, status]) => [problemType(code as ErrorCode), status]),
);

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** Creates the check of a response against a description. Returns what is wrong with it, in words; null: nothing. */
const responseCheck = (description: Description) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(description, 'api');
  const schemaAt = (...names: string[]): ValidateFunction => {
    const pointer = names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
    return ajv.getSchema(`api#${pointer.join('')}`)!;
  };
  const isProblem = schemaAt('components', 'schemas', 'Problem');

  const problemFault = ({ mediaType, body, status }: WireResponse): string | null => {
    const problem = parsed(body) as { type: string; status: number };
    if (mediaType !== 'application/problem+json') return `${mediaType} is no problem`;
    if (!isProblem(problem)) return ajv.errorsText(isProblem.errors);
    const isRight = problem.type === 'about:blank' || problemStatus[problem.type] === status;
    return isRight && problem.status === status ? null : `${problem.type} of ${problem.status} is not so`;
  };

  return ({ method, path, responses }: FuzzRequest, response: WireResponse): string | null => {
    const { status, mediaType, body } = response;
    if (status >= 500 && status !== 503) return 'the service failed';
    // Node's parser refuses such a request before any route, with a bare error.
    if (status === 431) return null;
    if (status >= 400) return problemFault(response);
    const described = responses[status];
    if (described === undefined) return 'the status is not documented';
    // The stream of a posted turn is described with the turn's events, at their own address.
    if (mediaType === 'text/event-stream' && method === 'post' && path.endsWith('/turns')) return null;
    const mediaTypes = Object.keys(described.content ?? {});
    if (mediaTypes.length > 0 && !mediaTypes.includes(mediaType)) return `${mediaType} is not documented`;
    if (mediaType !== 'application/json') return null;
    const validate = schemaAt('paths', path, method, 'responses', `${status}`, 'content', mediaType, 'schema');
    return validate(parsed(body)) ? null : ajv.errorsText(validate.errors);
  };
};

/** The ids of tasks, turns and plans, and the paths of files, in the responses so far. */
const createIds = () => {
  const known = new Map<string, Set<string>>();
  const note = (name: string, id: string): void => void known.set(name, (known.get(name) ?? new Set()).add(id));
  return {
    read: (text: string): void => {
      for (const [, name = '', id = ''] of text.matchAll(/"(task_id|turn_id|plan_id|path)":"([^"\\]{1,80})"/g))
        note(name, id);
      for (const [, id = '', kind = ''] of text.matchAll(/"id":"((task|turn)_[^"\\]{1,80})"/g)) note(`${kind}_id`, id);
    },
    pick: (name: string, nth: number): string =>
      encodeURIComponent([...(known.get(name) ?? [])].at(-1 - nth) ?? 'none'),
  };
};

/** Sends a request. Reads only the beginning of an endless event stream. */
const send = async (
  url: string,
  request: Pick<FuzzRequest, 'headers' | 'body'>,
  method = 'get',
): Promise<WireResponse> => {
  const { headers, body } = request;
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(RESPONSE_MS_MAX)]);
  const response = await fetch(url, { method: method.toUpperCase(), headers, body, signal, redirect: 'manual' });
  const mediaType = response.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
  const isEndless = mediaType === 'text/event-stream' && !(method === 'post' && url.endsWith('/turns'));
  if (isEndless) ending.abort();
  const received = { status: response.status, mediaType, body: isEndless ? '' : await response.text() };
  if (received.status !== 503 || !received.body.includes('"/problems/overloaded"')) return received;
  // The machine is busy: the reply says when to retry, and nothing was done.
  await setTimeout(Number(response.headers.get('retry-after')) * 1_000);
  return send(url, request, method);
};

/**
 * Sends `count` requests generated from `seed` to the real service in its own process, and asserts that nothing failed
 * and that it still serves.
 */
export const assertFuzz = async (seed: number, count: number): Promise<void> => {
  const serve = await startServe({ cwd: temporaryFolder() });
  const described = await send(`${serve.url}/openapi.json`, { headers: {}, body: null });
  const description = JSON.parse(described.body) as Description;
  const check = responseCheck(description);
  const requests = fuzzRequests(description);
  const ids = createIds();
  const faults = new Map<string, string>();
  let served = 0;

  const one = async (request: FuzzRequest): Promise<void> => {
    const { segments, query, method } = request;
    const path = segments.map((each) => (typeof each === 'string' ? each : ids.pick(each.name, each.nth))).join('/');
    const url = `${serve.url}${path}${query === '' ? '' : `?${query}`}`;
    const failed = (error: unknown) => ({ status: 0, mediaType: '', body: String(error) });
    const response = await send(url, request, method).catch(failed);
    if (response.status >= 200 && response.status < 300) {
      served += 1;
      ids.read(response.body);
    }
    const fault = response.status === 0 ? response.body : check(request, response);
    if (fault === null) return;
    const sent = [url, JSON.stringify(request.headers), request.body, `→ ${response.status}`, response.body];
    faults.set(`${method} ${request.path}: ${fault}`, sent.map((text) => String(text).slice(0, 300)).join(' '));
  };
  for (let from = 0; from < count; from += SLICE) {
    const slice = fc.sample(requests, { seed: seed + from, numRuns: Math.min(SLICE, count - from) }).values();
    const lane = async (): Promise<void> => {
      for (const request of slice) await one(request);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }
  const repeated = `repeat it with TEST_SEED=${seed}`;
  // First the reason of a process that ended: otherwise each later request would count as a fault.
  expect([serve.child.exitCode, serve.child.signalCode], `${repeated}: ${serve.stderr().slice(-3_000)}`).toEqual([
    null,
    null,
  ]);
  expect(Object.fromEntries(faults), repeated).toEqual({});
  // Many requests have to pass validation, or the fuzzing would only test that.
  expect(served).toBeGreaterThan(count / 8);

  const response = await fetch(`${serve.url}/v1/sessions/after-all/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'Add milk to my todos' }),
  });
  expect(await response.json()).toMatchObject({ status: 'answered', output: expect.stringContaining('milk') });
  serve.child.kill('SIGTERM');
  expect(await serve.ended).toMatchObject({ code: 0 });
};
