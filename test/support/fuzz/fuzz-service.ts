import fc from 'fast-check';
import { type RunningCli, startServe, temporaryFolder } from '../cli/cli-process.ts';
import type { Description } from './api.ts';
import { responseCheck } from './check-response.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type FuzzRequest, fuzzRequests } from './fuzz-request.ts';

/** Concurrent requests. */
const LANES = 4;

/** Requests that are made at once. */
const SLICE = 1_000;

/** Ids that are remembered of each kind: the newest. */
const IDS_MAX = 30;

/** What came of a run. */
export interface FuzzResult {
  readonly serve: RunningCli & { url: string };
  /** What was wrong, each with how often it was and the first request that had it. */
  readonly faults: readonly { fault: string; times: number; first: string }[];
  /** How often each status came; 0 stands for a closed connection. */
  readonly statuses: ReadonlyMap<number, number>;
}

const shown = ({ request: { method, headers, body }, path, response }: Exchange): string => {
  const cut = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text);
  const sent = `${method} ${cut(path)} ${cut(JSON.stringify(headers))} ${cut(JSON.stringify(body?.toString() ?? null))}`;
  return `${sent} → ${response?.status ?? 'closed'} ${cut(response?.body ?? '')}`;
};

/** The ids of tasks, turns and plans, and the paths of files, in the responses so far. */
const createIds = () => {
  const known = new Map<string, string[]>();
  const note = (name: string, id: string): void => {
    const ids = known.get(name) ?? [];
    known.set(name, ids);
    if (!ids.includes(id)) ids.push(id);
    if (ids.length > IDS_MAX) ids.shift();
  };
  return {
    read: (text: string): void => {
      for (const [, name = '', id = ''] of text.matchAll(/"(task_id|turn_id|plan_id|path)":"([^"\\]{1,80})"/g))
        note(name, id);
      for (const [, id = '', kind = ''] of text.matchAll(/"id":"((task|turn)_[^"\\]{1,80})"/g)) note(`${kind}_id`, id);
    },
    pick: (name: string, nth: number): string => {
      const ids = known.get(name) ?? [];
      return encodeURIComponent(ids[nth % Math.max(1, ids.length)] ?? 'none');
    },
  };
};

/** Requests, made a slice at a time: the bodies of all of them would not fit into memory. */
function* slicesOf(requests: fc.Arbitrary<FuzzRequest>, seed: number, count: number): Generator<FuzzRequest> {
  for (let from = 0; from < count; from += SLICE) {
    const slice = fc.sample(requests, { seed: seed + from, numRuns: Math.min(SLICE, count - from) });
    yield* slice;
  }
}

/** Sends `count` requests made from `seed` to the real service in a process of its own with the offline model, and checks every response. */
export const fuzzService = async (seed: number, count: number): Promise<FuzzResult> => {
  const serve = await startServe({ cwd: temporaryFolder() });
  const port = Number(new URL(serve.url).port);
  const description = (await (await fetch(`${serve.url}/openapi.json`)).json()) as Description;
  const check = responseCheck(description);
  const ids = createIds();
  const faults = new Map<string, string[]>();
  const report = (fault: string, text: string): void => {
    faults.set(fault, [...(faults.get(fault) ?? []), text]);
  };
  const statuses = new Map<number, number>();

  const pathOf = ({ segments, query }: FuzzRequest): string => {
    const path = segments.map((each) => ('text' in each ? each.text : ids.pick(each.name, each.nth))).join('/');
    return query === '' ? path : `${path}?${query}`;
  };
  const one = async (request: FuzzRequest): Promise<void> => {
    const path = pathOf(request);
    try {
      const done = await exchange(port, request, path);
      const status = done.response?.status ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status < 300 && done.response !== null) ids.read(done.response.body);
      const fault = check(done);
      if (fault !== null) report(`${request.method} ${request.operation?.path}: ${fault}`, shown(done));
    } catch (error) {
      report(String(error), shown({ request, path, response: null }));
    }
  };

  const entries = slicesOf(fuzzRequests(description), seed, count);
  const lane = async (): Promise<void> => {
    for (const request of entries) {
      await one(request);
      if (serve.child.exitCode !== null) throw new Error(`the service ended: ${serve.stderr().slice(-2_000)}`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));

  return {
    serve,
    faults: [...faults].map(([fault, texts]) => ({ fault, times: texts.length, first: texts[0] ?? '' })),
    statuses,
  };
};
