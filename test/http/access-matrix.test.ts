import type { FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';
import { PROTOCOLS } from '../../src/config/settings.ts';
import { protocols } from '../../src/http/protocols.ts';
import { packagedPaths } from '../../src/lib/packaged-docs.ts';
import { builtConsole } from '../support/http/built-console.ts';
import { KEYS, startHttp, startHttpOn } from '../support/http/http-app.ts';
import { askingTask } from '../support/http/model-scripts.ts';
import { type Answer, ask, say } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

/** Every route, such as `GET /v1/tasks`, as an application prints its tree of them; HEAD comes with GET, OPTIONS with CORS. */
const routesOf = (http: FastifyInstance): string[] => {
  const above: string[] = [];
  const found = http
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] =
        /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z, -]+)\))?$/.exec(line) ?? [];
      if (part === '') return [];
      above.length = indent.length / 4;
      above.push(part === '*' ? '/*' : part);
      // A route that takes a slash at its end is one with that without.
      const url = above
        .join('')
        .replaceAll('//', '/')
        .replace(/(?<=.)\/$/, '');
      return methods
        .split(', ')
        .flatMap((method) => (['', 'HEAD', 'OPTIONS'].includes(method) ? [] : [`${method} ${url}`]));
    });
  // A protocol's route is served with a slash behind it, too.
  const isTwin = (route: string): boolean => route.endsWith('/') && found.includes(route.slice(0, -1));
  return [...new Set(found)].filter((route) => !isTwin(route)).sort();
};

const [ADA, BOB, OPS] = KEYS.map(({ key }) => key) as [string, string, string];

/** Properties of a route; the rest follows. */
interface Row {
  /** A body that it takes. */
  body?: Record<string, unknown>;
  /** Its media type in place of JSON. */
  takes?: string;
  /** Who may call it; every caller with a key by default. */
  for?: 'all' | 'operators';
  /** Its address names something of an owner, which nobody else finds. */
  isOwned?: true;
  /** It answers in the form of another protocol, which passes over what it does not know. */
  isForeign?: true;
  /** Its body may have files. */
  hasFiles?: true;
  /** Its body may have a trace, or a prompt. */
  hasTrace?: true;
}

const owned: Row = { isOwned: true };
const everybody: Row = { for: 'all' };

/** The rows of the protocols of front ends, which have a table of their routes themselves. */
const foreignRows = Object.fromEntries(
  Object.values(protocols).flatMap(({ routes, isPublic = [] }) =>
    Object.entries(routes).map(([name, route]): [string, Row] => [
      route,
      {
        isForeign: true,
        ...(isPublic.includes(name) && { for: 'all' }),
        ...(route.startsWith('POST') && { body: {} }),
      },
    ]),
  ),
);

/** Every route has a row: who adds one says here who may call it. */
const rows: Record<string, Row> = {
  'GET /': everybody,
  'GET /llms.txt': everybody,
  ...Object.fromEntries(packagedPaths().map((path) => [`GET /${path}`, everybody])),
  'GET /docs': {},
  'GET /docs/*': {},
  'GET /console': everybody,
  'GET /console/*': everybody,
  'GET /openapi.json': {},
  'GET /metrics': { for: 'operators' },
  'GET /healthz': everybody,
  'GET /readyz': everybody,
  'GET /v1/sessions': {},
  'GET /v1/sessions/:session_id': owned,
  'DELETE /v1/sessions/:session_id': owned,
  'GET /v1/sessions/:session_id/turns': owned,
  'POST /v1/sessions/:session_id/turns': { body: { input: '/status' }, hasFiles: true },
  'GET /v1/sessions/:session_id/tasks': owned,
  'GET /v1/sessions/:session_id/trace': owned,
  'GET /v1/sessions/:session_id/events': owned,
  'GET /v1/sessions/:session_id/files': owned,
  'GET /v1/sessions/:session_id/files/*': owned,
  'PUT /v1/sessions/:session_id/files/*': { takes: 'application/octet-stream' },
  'DELETE /v1/sessions/:session_id/files/*': owned,
  'GET /v1/todos': {},
  'GET /v1/schedule': {},
  'GET /v1/memory': {},
  'POST /v1/memory': { body: { text: 'Drinks tea' } },
  'DELETE /v1/memory/:fact_id': owned,
  'GET /v1/goals': {},
  'POST /v1/goals': { body: { session_id: 's1', when: 'every day 9am', goal: 'Rest' } },
  'GET /v1/goals/preview': {},
  'GET /v1/goals/:goal_id': owned,
  'PATCH /v1/goals/:goal_id': { isOwned: true, body: { goal: 'Rest well' } },
  'DELETE /v1/goals/:goal_id': owned,
  'GET /v1/sessions/:session_id/plans': owned,
  'POST /v1/sessions/:session_id/plans': { body: { plan_id: 'move', title: 'Move', steps: ['Pack'] } },
  'GET /v1/sessions/:session_id/plans/:plan_id': owned,
  'PATCH /v1/sessions/:session_id/plans/:plan_id': { isOwned: true, body: { title: 'Move' } },
  'DELETE /v1/sessions/:session_id/plans/:plan_id': owned,
  'POST /v1/sessions/:session_id/plans/:plan_id/activate': owned,
  'POST /v1/sessions/:session_id/plans/:plan_id/run': { isOwned: true, body: { values: { nobody: 1 } } },
  'PATCH /v1/sessions/:session_id/plans/:plan_id/steps/:step_index': { isOwned: true, body: { status: 'completed' } },
  'GET /v1/turns/:turn_id': owned,
  'GET /v1/turns/:turn_id/events': owned,
  'PUT /v1/turns/:turn_id/feedback': { isOwned: true, body: { rating: 'up' } },
  'DELETE /v1/turns/:turn_id/feedback': owned,
  'GET /v1/tasks': {},
  'GET /v1/tasks/:task_id': owned,
  'GET /v1/tasks/:task_id/trace': owned,
  'GET /v1/tasks/:task_id/calls': owned,
  'GET /v1/tasks/:task_id/calls/:effect_id': owned,
  'GET /v1/tasks/:task_id/calls/:effect_id/prompt': owned,
  'POST /v1/tasks/:task_id/calls/:effect_id/rerun': { isOwned: true, hasTrace: true, body: {} },
  'PATCH /v1/tasks/:task_id/plan': { isOwned: true, body: { edits: [{ kind: 'add', step: 'Rest' }] } },
  'POST /v1/tasks/:task_id/cancel': owned,
  'GET /v1/tasks/:task_id/fork': owned,
  'POST /v1/tasks/:task_id/fork': { isOwned: true, body: {} },
  'GET /v1/approvals': {},
  'POST /v1/approvals/:approval_id/decision': { body: { type: 'approve' } },
  'GET /v1/callbacks': {},
  'POST /v1/callbacks/:callback_id/resend': { isOwned: true, body: {} },
  'GET /v1/sign-ins': {},
  'POST /v1/sign-ins/:server': { body: {} },
  'DELETE /v1/sign-ins/:server': {},
  'GET /v1/tools': {},
  'GET /v1/agents': {},
  'GET /v1/contracts': {},
  'GET /v1/me': {},
  'GET /v1/limits': {},
  'GET /v1/usage': {},
  'POST /v1/replay': { takes: 'application/x-ndjson' },
  'POST /v1/reruns': { for: 'operators', hasTrace: true, body: { session_id: 's1' } },
  'GET /v1/reruns': { for: 'operators' },
  'GET /v1/reruns/:rerun_id': { for: 'operators' },
  'DELETE /v1/reruns/:rerun_id': { for: 'operators' },
  'GET /v1/reruns/:rerun_id/traces/:task_id/:lane': { for: 'operators' },
  'GET /v1/audit': { for: 'operators' },
  'GET /v1/keys': { for: 'operators' },
  'POST /v1/keys': { for: 'operators', body: { owner: 'carol' } },
  'DELETE /v1/keys/:key_id': { for: 'operators' },
  'GET /v1/quotas/:owner': { for: 'operators' },
  'GET /v1/users': { for: 'operators' },
  'DELETE /v1/users/:user': { for: 'operators' },
  'PATCH /v1/sessions/:session_id': { isOwned: true, body: { title: 'x' } },
  'PATCH /v1/quotas/:owner': { for: 'operators', body: { turns_per_day: 1 } },
  ...foreignRows,
};

/** Deeper than anything that is meant, and within the longest body. */
const TOO_DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;

const ofMib = (mib: number): string => JSON.stringify({ input: 'x'.repeat(mib * 1024 * 1024) });

/** Bodies that routes do not take: beyond 1 MiB, 4 of traces, 32 of a turn or conversation with files. */
const TOO_BIG = { usual: ofMib(1), traces: ofMib(4), files: ofMib(32) };

const tooBig = ({ isForeign, hasFiles, hasTrace }: Row): string => {
  if (isForeign || hasFiles) return TOO_BIG.files;
  return hasTrace ? TOO_BIG.traces : TOO_BIG.usual;
};

/** Results of a request to a route, beside those that it should have. */
type Check = (route: string, row: Row) => Promise<(readonly [what: string, is: unknown, shouldBe: unknown])[]>;

/** Every check of every row that is not as it should be, one sentence each. */
const faults = async (check: Check): Promise<string[]> => {
  const found = await Promise.all(
    Object.entries(rows).map(async ([route, row]) =>
      (await check(route, row)).flatMap(([what, is, shouldBe]) =>
        is === shouldBe ? [] : [`${route}, ${what}: ${String(is)} and not ${String(shouldBe)}`],
      ),
    ),
  );
  return found.flat();
};

/** An HTTP application with keys, in which ada has one of everything. */
const openWithKeys = async () => {
  const { port } = await startHttp(askingTask, { apiKeys: KEYS, protocols: PROTOCOLS });
  const { turn } = await say(port, 's1', 'Do something', { 'x-api-key': ADA });
  const called = await ask(port, '/v1/sessions/s1/turns', {
    headers: { 'x-api-key': ADA },
    body: { input: '/status', callback_url: 'http://receiver.example/' },
  });
  expect(called.status).toBe(200);
  const make = async (path: string, body: unknown) => {
    const { status, json } = await ask(port, path, { headers: { 'x-api-key': ADA }, body });
    expect(status).toBe(201);
    return String((json as { id: number }).id);
  };
  await make('/v1/sessions/s1/plans', { plan_id: 'move', title: 'Move', steps: ['Pack'] });
  const fact_id = await make('/v1/memory', { text: 'Drinks tea' });
  const goal_id = await make('/v1/goals', { session_id: 's1', when: 'every day 9am', goal: 'Rest' });
  const callback_id = (JSON.parse(called.text) as { id: string }).id;
  const task_id = String(turn.task_id);
  const ids = { session_id: 's1', turn_id: turn.id, task_id, plan_id: 'move', callback_id, fact_id, goal_id };
  return { port, ids };
};

/** Ids of the same form that never were. */
const neverWere = (ids: Record<string, string>): Record<string, string> => ({
  session_id: 's2',
  turn_id: ids.turn_id!.replace(/.{9}$/, 'never1234'),
  task_id: ids.task_id!.replace(/.{9}$/, 'never1234'),
  plan_id: 'away',
  callback_id: ids.callback_id!.replace(/.{9}$/, 'never1234'),
});

const pathOf = (url: string, ids: Record<string, string>): string =>
  url.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '0').replace('*', 'x');

/** Sends a route a body that it takes, or another one. */
const call = (
  port: number,
  route: string,
  { body, takes }: Row,
  ids: Record<string, string>,
  headers: Record<string, string> = {},
  sent: unknown = body ?? (takes === undefined ? undefined : ''),
): Promise<Answer> => {
  const [method = '', url = ''] = route.split(' ');
  const type: Record<string, string> = takes === undefined ? {} : { 'content-type': takes };
  return ask(port, pathOf(url, ids), { method, headers: { ...type, ...headers }, body: sent });
};

const typeOf = ({ status, headers, text }: Answer): string =>
  headers['content-type'] === 'application/problem+json'
    ? (JSON.parse(text) as { type: string }).type
    : `status ${status}`;

it('every route has its row, and every row its route', async () => {
  const { http } = await startHttpOn(stubEngine({}), { protocols: PROTOCOLS, findConsole: builtConsole() });
  expect(routesOf(http)).toEqual(Object.keys(rows).sort());
});

it('a caller without a key, with a wrong one, or of another role, gets nothing', async () => {
  const { port, ids } = await openWithKeys();
  expect(
    await faults(async (route, row) => {
      // There is no console here: its own test opens it without a key.
      if (row.for === 'all') return [['no key', (await call(port, route, row, ids)).status === 401, false]];
      const status = async (key: Record<string, string>) => (await call(port, route, row, ids, key)).status;
      // A route that is not owned makes its own thing: in a session that no other row asks for.
      const unknown = { ...neverWere(ids), ...(row.isOwned !== true && { session_id: 's3' }) };
      const user = await call(port, route, row, unknown, { 'x-api-key': BOB });
      return [
        ['no key', await status({}), 401],
        ['a wrong key', await status({ authorization: `Bearer ${ADA}x` }), 401],
        ['a user', typeOf(user) === '/problems/operator-required', row.for === 'operators'],
        ['anything', user.status >= 500, false],
      ];
    }),
  ).toEqual([]);
});

it("another owner's ids are as unknown as ids that never existed, to the byte", async () => {
  const { port, ids } = await openWithKeys();
  expect(
    await faults(async (route, row) => {
      if (row.isOwned !== true) return [];
      const other = await call(port, route, row, ids, { 'x-api-key': BOB });
      const unknown = await call(port, route, row, neverWere(ids), { 'x-api-key': BOB });
      // A message may name what the caller asked for, and nothing else.
      const told = (answer: Answer, asked: Record<string, string>): string =>
        Object.entries(asked).reduce((text, [name, id]) => text.replaceAll(`\\"${id}\\"`, name), answer.text);
      return [
        ['the status', other.status, 404],
        ['the body', told(other, ids), told(unknown, neverWere(ids))],
        ['the headers', Object.keys(other.headers).join(), Object.keys(unknown.headers).join()],
      ];
    }),
  ).toEqual([]);
});

it('a body that is too big, too deep, of another type or with an unknown field is refused', async () => {
  const { port, ids } = await openWithKeys();
  expect(
    await faults(async (route, row) => {
      const send = (sent: unknown, type = row.takes ?? 'application/json') =>
        call(port, route, row, ids, { 'x-api-key': OPS, 'content-type': type }, sent);
      if (row.body === undefined) return [];
      const checks: [string, unknown, unknown][] = [
        ['too big', (await send(tooBig(row))).status, 413],
        ['a wrong type', (await send('{}', 'text/plain')).status, 415],
      ];
      checks.push(['too deep', (await send(TOO_DEEP)).status < 500, true]);
      if (row.isForeign !== true)
        checks.push(['an unknown field', (await send(JSON.stringify({ ...row.body, unknown: 1 }))).status, 400]);
      return checks;
    }),
  ).toEqual([]);
  const refused = { 'x-api-key': OPS, 'content-type': 'application/json' };
  expect((await ask(port, '/v1/replay', { method: 'POST', headers: refused, body: '{}' })).status).toBe(415);
});

it('pages of other sites, by their Host or their Origin, get nothing of a service without keys', async () => {
  const { port } = await startHttpOn(stubEngine({}), { protocols: PROTOCOLS, findConsole: builtConsole() });
  const foreign = { host: { host: 'tripact.evil.test' }, origin: { origin: 'https://evil.test' } };
  expect(
    await faults(async (route, row) =>
      Promise.all(
        Object.entries(foreign).map(async ([name, header]) => {
          const { status } = await call(port, route, row, {}, header);
          return [`a foreign ${name}`, status, 403] as const;
        }),
      ),
    ),
  ).toEqual([]);
});
