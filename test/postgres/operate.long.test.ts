import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { cli, startServe } from '../support/cli/cli-process.ts';
import { freePort } from '../support/http/free-port.ts';
import { type Node, startCluster } from '../support/postgres/cluster.ts';
import { answer, ask, plan } from '../support/service/answers.ts';
import { samplesOf } from '../support/service/read-metrics.ts';

const NEWER_MACHINE = fileURLToPath(new URL('../support/postgres/newer-machine.mjs', import.meta.url));

const turn = (input: string): RequestInit => ({ method: 'POST', body: JSON.stringify({ input }) });

it('the metrics of each node say whom it is home of, and what it forwards', async () => {
  const cluster = await startCluster(2, ['ada', 'bob']);
  const [one, two] = cluster.nodes as [Node, Node];
  cluster.model.answer([plan('write'), ask('Which Bob?')]);
  await cluster.ask(one, 'ada', '/v1/sessions/s1/turns', turn('Write to Bob'));
  for (let i = 0; i < 3; i += 1) await cluster.ask(two, 'ada', '/v1/sessions/s1');
  const env = { TRIPACT_DATABASE_URL: cluster.databaseUrl };
  const key = (await cli(['keys', 'add', 'op', '--role', 'operator'], { env })).stdout.trim();
  const metricsOf = async (node: Node) => {
    const response = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
    return Object.fromEntries(samplesOf(await response.text()));
  };
  // One of them is home of the service itself, too.
  const counted = async () => {
    const [first, second] = await Promise.all([metricsOf(one), metricsOf(two)]);
    const homes = (name: string): number => Number(first[name]) + Number(second[name]);
    return { first, second, claimed: homes('tripact_homes_claimed_total'), held: homes('tripact_homes') };
  };
  await expect.poll(counted).toMatchObject({
    first: { tripact_homes_lost_total: 0, tripact_database_connections_waiting: 0 },
    second: { 'tripact_forwards_total{outcome="answered"}': 3 },
    claimed: 2,
    held: 2,
  });
});

it('a newer machine takes over from an older one: its waiting question is answered there, and no older node serves it after that', async () => {
  const cluster = await startCluster(1, ['ada', 'bob']);
  const { model } = cluster;
  const [older] = cluster.nodes as [Node];
  model.answer([plan('write'), ask('Which Bob?')]);
  const asked = await cluster.ask(older, 'ada', '/v1/sessions/s1/turns', turn('Write to Bob'));
  expect(await asked.json()).toMatchObject({ status: 'asking' });
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const newer = await startServe({
    node: ['--import', NEWER_MACHINE],
    env: {
      TRIPACT_DATABASE_URL: cluster.databaseUrl,
      TRIPACT_MODEL: 'anthropic:m',
      ANTHROPIC_BASE_URL: model.url,
      TRIPACT_API_KEYS: 'ada:key-of-ada-0123456789,bob:key-of-bob-0123456789',
      TRIPACT_PORT: port,
      TRIPACT_NODE_URL: url,
    },
  });
  await older.stop();
  const at = (node: { url: string }) => ({ ...older, url: node.url });
  model.answer([answer('Written.')]);
  const answered = await cluster.ask(at(newer), 'ada', '/v1/sessions/s1/turns', turn('Bob Smith'));
  expect(await answered.json()).toMatchObject({ status: 'answered', output: 'Written.' });
  const trace = await cluster.trace(at(newer), 'ada', 's1');
  expect(new Set(trace.map(({ machine }) => machine))).toEqual(new Set(['tripact-task@4', 'tripact-task@5']));
  // An older node that comes again forwards while the newer one lives, and else takes nothing of it up.
  await older.start();
  expect(await (await cluster.ask(older, 'ada', '/v1/sessions/s1')).json()).toMatchObject({ session_id: 's1' });
  newer.child.kill('SIGKILL');
  await newer.ended;
  const refused = async (): Promise<unknown> => (await cluster.ask(older, 'ada', '/v1/sessions/s1')).json();
  await expect
    .poll(refused)
    .toMatchObject({ status: 503, detail: expect.stringContaining('A newer version has served you') });
  expect((await cluster.ask(older, 'bob', '/v1/sessions')).status).toBe(200);
});

it('a node that is stopped behind a balancer with health checks loses no request, and hands over', async () => {
  const owners = ['ada', 'bob', 'cleo'];
  const cluster = await startCluster(2, owners);
  const [one, two] = cluster.nodes as [Node, Node];
  const isReady = async ({ url }: Node): Promise<boolean> =>
    (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;
  const statuses: number[] = [];
  let sent = 0;
  let repeated = 0;
  const refusedAt = new Set<string>();
  /** Goes to the first node that is ready, and to the other one where that can't be reached. */
  const send = async (owner: string): Promise<void> => {
    sent += 1;
    await post(owner, { ...turn(`/todo add todo-${sent}`), headers: { 'idempotency-key': `key-${sent}` } });
  };
  const post = async (owner: string, init: RequestInit): Promise<void> => {
    const nodes = (await isReady(one)) ? [one, two] : [two];
    if (nodes.length === 1) refusedAt.add(one.url);
    for (const node of nodes) {
      const response = await cluster.ask(node, owner, '/v1/sessions/s1/turns', init).catch(() => null);
      if (response === null) continue;
      await response.text();
      // A request under way as its owner left is not stored, and its caller is told to come again.
      if (response.status === 503 && response.headers.has('retry-after')) {
        repeated += 1;
        return post(owner, init);
      }
      statuses.push(response.status);
      return;
    }
  };
  for (const owner of owners) await send(owner);
  const stopped = one.stop().then(() => 'stopped');
  let state: unknown = 'running';
  while (state !== 'stopped') {
    // Also what still comes to it while it stops.
    await Promise.all(owners.map(send));
    const direct = await cluster.ask(one, 'ada', '/v1/todos').catch(() => null);
    if (direct !== null) statuses.push(direct.status);
    state = await Promise.race([stopped, Promise.resolve('running')]);
  }
  await Promise.all(owners.map(send));
  expect(statuses.filter((status) => status >= 400)).toEqual([]);
  expect(repeated).toBeLessThanOrEqual(owners.length);
  expect(refusedAt.size).toBe(1);
  const todos = await Promise.all(
    owners.map(
      async (owner) =>
        (await cluster.ask(two, owner, '/v1/todos?limit=500')).json() as Promise<{ todos: { text: string }[] }>,
    ),
  );
  const texts = todos.flatMap((each) => each.todos.map(({ text }) => text));
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts).toHaveLength(sent);
});
