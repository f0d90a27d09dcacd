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

it('the webhook gets the events of owners at all nodes, each once, and goes on when the node that posts them is killed', async () => {
  const receiver = await startReceiver();
  const cluster = await startCluster(2, OWNERS, { ...LOCAL_RECEIVER, TRIPACT_WEBHOOK_URL: receiver.url });
  const client = await connect(cluster);
  const states = async () => (await client.query<{ state: string }>('SELECT state FROM outbox')).rows;
  const delivered = (count: number) =>
    expect.poll(states).toEqual(Array.from({ length: count }, () => ({ state: 'delivered' })));
  const [first, second] = cluster.nodes as [Node, Node];
  await say(cluster, first, 'ada', 's1');
  await say(cluster, second, 'bob', 's1');
  await delivered(2);
  await cluster.settled();
  const { rows } = await client.query<{ url: string }>(
    "SELECT url FROM homes JOIN nodes ON nodes.id = homes.node WHERE owner = ''",
  );
  const [posting, other] = rows[0]!.url === first.url ? [first, second] : [second, first];
  await posting.kill();
  for (const owner of ['ada', 'bob']) await say(cluster, other, owner, 's1');
  await delivered(4);
  const posts = await receiver.posts(4);
  expect(posts.map(({ body }) => body.owner).sort()).toEqual(['ada', 'ada', 'bob', 'bob']);
  expect(new Set(posts.map(({ id }) => id)).size).toBe(4);
});

it('old sessions are removed by the home of their owner, or by whoever takes up an owner without one', async () => {
  const cluster = await startCluster(2, OWNERS);
  const client = await connect(cluster);
  const [first, second] = cluster.nodes as [Node, Node];
  await say(cluster, second, 'bob', 'old');
  await say(cluster, first, 'ada', 'old');
  await say(cluster, first, 'cleo', 'young');
  const days = `- ${40 * 24 * 60 * 60 * 1_000}`;
  await client.query(`UPDATE entries SET at = at ${days} WHERE owner IN ('ada', 'bob')`);
  await client.query(`UPDATE sessions SET updated_at = updated_at ${days} WHERE session_id = 'old'`);
  const keeping30Days = { TRIPACT_RETENTION_DAYS: '30' };
  await first.stop();
  await first.start(keeping30Days);
  await expect.poll(() => sessions(cluster, first, 'ada')).toEqual([]);
  expect(await sessions(cluster, first, 'bob')).toEqual(['old']);
  await second.stop();
  await first.stop();
  await first.start(keeping30Days);
  await expect.poll(() => sessions(cluster, first, 'bob')).toEqual([]);
  expect(await sessions(cluster, first, 'cleo')).toEqual(['young']);
});
