import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { type Cluster, type Node, startCluster } from '../support/postgres/cluster.ts';
import { LOCAL_RECEIVER, startReceiver } from '../support/service/receiver.ts';

const OWNERS = ['ada', 'bob', 'cleo'];

/** A connection to the cluster's database. */
const connect = async ({ databaseUrl }: Cluster): Promise<pg.Client> => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
};

/** A turn that a command answers, once a node takes it. */
const say = async ({ ask }: Cluster, node: Node, owner: string, session: string): Promise<void> => {
  const headers = { 'idempotency-key': randomUUID() };
  const init = { method: 'POST', body: JSON.stringify({ input: '/todo list' }), headers };
  const path = `/v1/sessions/${session}/turns`;
  await expect.poll(async () => (await ask(node, owner, path, init).catch(() => null))?.status).toBe(200);
};

const sessions = async ({ ask }: Cluster, node: Node, owner: string): Promise<string[] | null> => {
  const response = await ask(node, owner, '/v1/sessions').catch(() => null);
  if (response?.status !== 200) return null;
  return ((await response.json()) as { sessions: { session_id: string }[] }).sessions
    .map((each) => each.session_id)
    .sort();
};

const SCHEDULERS = ['leases', 'restate'];

it.each(SCHEDULERS)(
  'the webhook gets the events of owners at all nodes, each once, also after its node is killed: %s',
  async (TRIPACT_SCHEDULER) => {
    const receiver = await startReceiver();
    const settings = { TRIPACT_SCHEDULER, ...LOCAL_RECEIVER, TRIPACT_WEBHOOK_URL: receiver.url };
    const cluster = await startCluster(2, OWNERS, settings);
    const client = await connect(cluster);
    const states = async () => (await client.query<{ state: string }>('SELECT state FROM outbox')).rows;
    const delivered = (count: number) =>
      expect.poll(states).toEqual(Array.from({ length: count }, () => ({ state: 'delivered' })));
    const [first, second] = cluster.nodes as [Node, Node];
    await say(cluster, first, 'ada', 's1');
    await say(cluster, second, 'bob', 's1');
    await delivered(2);
    await cluster.settled();
    const [posting, other] = await cluster.homeAndOther('');
    await posting.kill();
    for (const owner of ['ada', 'bob']) await say(cluster, other, owner, 's1');
    await delivered(4);
    const posts = await receiver.posts(4);
    expect(posts.map(({ body }) => body.owner).sort()).toEqual(['ada', 'ada', 'bob', 'bob']);
    expect(new Set(posts.map(({ id }) => id)).size).toBe(4);
  },
);

const KEEPING_30_DAYS = { TRIPACT_RETENTION_DAYS: '30' };

/** Has each owner use a session, the first two 40 days ago. */
const useSessions = async (cluster: Cluster): Promise<void> => {
  const [first, second] = cluster.nodes as [Node, Node];
  await say(cluster, second, 'bob', 'old');
  await say(cluster, first, 'ada', 'old');
  await say(cluster, first, 'cleo', 'young');
  const client = await connect(cluster);
  const days = `- ${40 * 24 * 60 * 60 * 1_000}`;
  await client.query(`UPDATE entries SET at = at ${days} WHERE owner IN ('ada', 'bob')`);
  await client.query(`UPDATE sessions SET updated_at = updated_at ${days} WHERE session_id = 'old'`);
};

it('old sessions of an owner who is at home at another node stay until the owner comes to one that removes them', async () => {
  const cluster = await startCluster(2, OWNERS);
  const [first, second] = cluster.nodes as [Node, Node];
  await useSessions(cluster);
  await first.stop();
  await first.start(KEEPING_30_DAYS);
  await expect.poll(() => sessions(cluster, first, 'ada')).toEqual([]);
  expect(await sessions(cluster, first, 'bob')).toEqual(['old']);
  await second.stop();
  await expect.poll(() => sessions(cluster, first, 'bob')).toEqual([]);
  expect(await sessions(cluster, first, 'cleo')).toEqual(['young']);
});

it.each(SCHEDULERS)(
  'old sessions of owners without a home are removed by the nodes that they are given: %s',
  async (TRIPACT_SCHEDULER) => {
    const cluster = await startCluster(2, OWNERS, { TRIPACT_SCHEDULER, ...KEEPING_30_DAYS });
    const [first, second] = cluster.nodes as [Node, Node];
    await useSessions(cluster);
    await first.stop();
    await second.stop();
    await Promise.all([first.start(), second.start()]);
    const client = await connect(cluster);
    const left = async () => (await client.query<{ owner: string }>('SELECT owner FROM sessions')).rows;
    await expect.poll(left).toEqual([{ owner: 'cleo' }]);
  },
);
