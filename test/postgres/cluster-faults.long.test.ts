import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { delayed, message, silence } from '../support/anthropic/answers.ts';
import { sendJson, serve } from '../support/http/local-server.ts';
import { ASYNC, finished, read, rows, say, untilServed } from '../support/postgres/client.ts';
import { type Cluster, type Node, startCluster } from '../support/postgres/cluster.ts';
import { judge } from '../support/postgres/laws.ts';
import { act, answer, ask, done, plan } from '../support/service/answers.ts';
import { shutGate } from '../support/service/gate.ts';

/** The laws that hold after any fault. */
const expectLaws = async ({ databaseUrl, trace }: Cluster, node: Node): Promise<void> => {
  const judged = await judge(databaseUrl, (owner, session) => trace(node, owner, session));
  expect(judged.broken).toEqual([]);
  expect(judged.commits).toBeGreaterThan(0);
};

it('a tool that runs at most once is rung once, though the node is killed in its call', async () => {
  const bell = await serve(() => {});
  const config = `export default { tools: [{ name: 'bell', description: 'Rings.', usage: 'bell', writes: false, effect: 'at_most_once',
    run: async (_, { signal }) => { await fetch('${bell.origin}', { signal }); return { ok: true, result: 'rung' }; } }] };`;
  const cluster = await startCluster(2, ['ada'], {}, config);
  const { model, nodes } = cluster;
  const [first, second] = nodes as [Node, Node];
  const thoughts = [act('bell', 'once'), done('perhaps')];
  model.answer({ plan: plan('ring'), thought: thoughts, replan: answer('Rung, perhaps.') });
  const sent = await read(await say(cluster, first, 'ada', 'ring', ASYNC));
  await expect.poll(() => bell.seen.length).toBe(1);
  await first.kill();
  expect(await finished(cluster, second, 'ada', sent.id)).toMatchObject({ output: 'Rung, perhaps.' });
  expect(bell.seen).toHaveLength(1);
  expect(JSON.stringify(await cluster.trace(second, 'ada', 's1'))).toContain('outcome unknown');
  await expectLaws(cluster, second);
});

it('a commit whose answer gets lost is found, and goes on: a first turn, an answer to a question, a reply', async () => {
  const cluster = await startCluster(1, ['ada']);
  const { model } = cluster;
  const node = cluster.nodes[0]!;
  const key = (name: string) => ({ 'idempotency-key': name });
  model.answer({ plan: plan('book'), thought: [ask('Which room?'), done('booked')], replan: answer('Booked.') });
  node.database.loseAnswer('INSERT 0');
  // By its key it is found at once where the database had committed it by then.
  expect([202, 503]).toContain((await say(cluster, node, 'ada', 'book a room', { ...key('k1'), ...ASYNC })).status);
  const asking = await read(await untilServed(() => say(cluster, node, 'ada', 'book a room', key('k1'))));
  expect(asking).toMatchObject({ status: 'asking', question: 'Which room?' });
  node.database.loseAnswer('INSERT 0');
  const booked = await read(await untilServed(() => say(cluster, node, 'ada', 'the small one', key('k2'))));
  expect(booked).toMatchObject({ output: 'Booked.', task_id: asking.task_id });
  // The commit in which a turn is finished, for which its sender waits.
  const gate = shutGate();
  model.answer({ plan: plan(), thought: done(), replan: delayed(gate.opened, answer('Hello.')) });
  const waiting = say(cluster, node, 'ada', 'hello');
  await model.asked(6);
  node.database.loseAnswer('INSERT 0');
  gate.open();
  expect(await read(await waiting)).toMatchObject({ output: 'Hello.' });
  expect(model.requests).toHaveLength(6);
  await expectLaws(cluster, node);
});

it('a node that is frozen inside a transaction holds its owner up for seconds, and stores nothing of it', async () => {
  const cluster = await startCluster(2, ['ada']);
  const [first, second] = cluster.nodes as [Node, Node];
  await say(cluster, first, 'ada', '/todo list');
  await cluster.settled();
  const client = new pg.Client(cluster.databaseUrl);
  await client.connect();
  await client.query('BEGIN; LOCK TABLE todos');
  const adding = say(cluster, first, 'ada', '/todo add milk', { 'idempotency-key': 'k1' }).catch(() => null);
  const waits =
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%todos%'";
  await expect.poll(async () => (await rows(cluster, waits)).length).toBe(1);
  first.signal('SIGSTOP');
  await client.query('COMMIT');
  await client.end();
  const again = () => say(cluster, second, 'ada', '/todo add milk', { 'idempotency-key': 'k1' });
  expect((await untilServed(again)).status).toBe(200);
  first.signal('SIGCONT');
  expect((await adding)?.status).not.toBe(500);
  expect((await untilServed(() => say(cluster, first, 'ada', '/todo list'))).status).toBe(200);
  await expectLaws(cluster, first);
});

it('two nodes that are asked for an owner at once make one of them the home, whose turns stay in order', async () => {
  const owners = Array.from({ length: 24 }, (_, i) => `owner${i}`);
  const cluster = await startCluster(2, owners);
  const { nodes } = cluster;
  const sent = owners.flatMap((owner) => nodes.map((node) => say(cluster, node, owner, `/todo add of ${owner}`)));
  for (const response of await Promise.all(sent)) expect(response.status).toBe(200);
  expect(await cluster.moved()).toEqual([]);
  const added = Array.from({ length: 20 }, (_, i) => say(cluster, nodes[i % 2]!, 'owner0', `/todo add item ${i}`));
  for (const response of await Promise.all(added)) expect(response.status).toBe(200);
  // Of each sender, who waits for each reply, in the order in which they were sent.
  const sender = async (node: Node, name: string): Promise<number[]> => {
    const ids: number[] = [];
    for (let i = 0; i < 5; i += 1)
      ids.push(
        Number(
          /#(\d+)/.exec(String((await read(await say(cluster, node, 'owner1', `/todo add ${name} ${i}`))).output))?.[1],
        ),
      );
    return ids;
  };
  for (const ids of await Promise.all(nodes.map((node, i) => sender(node, `of ${i}`))))
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  await expectLaws(cluster, nodes[0]!);
});

it('of two nodes that claim an owner at once the database makes one the home, a thousand times', async () => {
  const cluster = await startCluster(2, ['ada']);
  const ids = await rows<{ id: number }>(cluster, 'SELECT id FROM nodes');
  const pool = new pg.Pool({ connectionString: cluster.databaseUrl, max: ids.length });
  onTestFinished(() => pool.end());
  const claim = 'SELECT fence FROM claim($1, $2, 0, true)';
  for (let i = 0; i < 1_000; i += 1) {
    const answers = await Promise.all(ids.map(({ id }) => pool.query<{ fence: string }>(claim, [`owner${i}`, id])));
    const fences = answers.map((answer) => answer.rows[0]!.fence);
    expect(fences.sort()).toEqual(['1', null]);
  }
});

it('a cut between two nodes is a 503 that says when to ask again, and moves no home', async () => {
  const cluster = await startCluster(2, ['ada']);
  const [first, second] = cluster.nodes as [Node, Node];
  cluster.model.answer({ plan: plan('note'), thought: done('noted'), replan: answer('Noted.') });
  await say(cluster, first, 'ada', '/todo add milk');
  first.door.cut();
  const key = { 'idempotency-key': 'k1' };
  for (const refused of [
    await say(cluster, second, 'ada', 'note it', key),
    await cluster.ask(second, 'ada', '/v1/todos'),
  ]) {
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
  }
  first.door.heal();
  expect((await untilServed(() => cluster.ask(second, 'ada', '/v1/todos'))).status).toBe(200);
  first.door.silence();
  const unanswered = await cluster.ask(second, 'ada', '/v1/todos');
  expect([unanswered.status, unanswered.headers.get('retry-after')]).toEqual([503, '1']);
  first.door.heal();
  const noted = await untilServed(() => say(cluster, second, 'ada', 'note it', key));
  expect(await read(noted)).toMatchObject({ output: 'Noted.' });
  expect(await cluster.moved()).toEqual([]);
  await expectLaws(cluster, second);
});

it('a node that gets no answer from the database loses its homes, and its waiting clients learn of it', async () => {
  const cluster = await startCluster(2, ['ada']);
  const { model } = cluster;
  const [first, second] = cluster.nodes as [Node, Node];
  model.answer([silence()]);
  const sent = await read(await say(cluster, first, 'ada', 'note it', ASYNC));
  await model.asked(1);
  const followed = await cluster.ask(first, 'ada', '/v1/sessions/s1/events');
  expect(followed.status).toBe(200);
  const end = followed.text().catch(() => 'broken');
  await cluster.settled();
  model.answer({ plan: plan('note it'), thought: done('noted'), replan: answer('Noted.') });
  first.database.silence();
  expect(await finished(cluster, second, 'ada', sent.id)).toMatchObject({ output: 'Noted.' });
  first.database.heal();
  await end;
  expect(await finished(cluster, first, 'ada', sent.id)).toMatchObject({ output: 'Noted.' });
  expect(model.requests).toHaveLength(4);
  await expectLaws(cluster, first);
});

it('nodes that are stopped one after the other buy nothing again, and lose no callback of an owner without a home', async () => {
  const posts: string[] = [];
  let isDown = true;
  const receiver = await serve(({ body }, response) => {
    if (isDown) response.destroy();
    else {
      posts.push(body);
      sendJson(response, {});
    }
  });
  const cluster = await startCluster(2, ['ada', 'bob'], { TRIPACT_CALLBACK_HOSTS: '127.0.0.1' });
  const { model, nodes } = cluster;
  const [first, second] = nodes as [Node, Node];
  model.answer({ plan: plan('note it'), thought: done('noted'), replan: answer('Noted.') });
  const sent: [string, TurnView][] = [];
  for (const [owner, node] of [
    ['ada', first],
    ['bob', second],
  ] as const)
    sent.push([
      owner,
      await read(await say(cluster, node, owner, 'note it', ASYNC, { callback_url: receiver.origin })),
    ]);
  for (const node of nodes) {
    await node.stop();
    await node.start();
  }
  for (const [owner, { id }] of sent)
    expect(await finished(cluster, first, owner, id)).toMatchObject({ output: 'Noted.' });
  expect(model.requests).toHaveLength(6);
  await second.kill();
  isDown = false;
  await expect.poll(() => new Set(posts).size, { timeout: 60_000 }).toBe(2);
  await expectLaws(cluster, first);
});

it('an owner whom a newer version has served is not taken by an older one, and its task is not paused', async () => {
  const cluster = await startCluster(1, ['ada']);
  const node = cluster.nodes[0]!;
  cluster.model.answer({ plan: plan('book'), thought: [ask('Which room?'), done()], replan: answer('Booked.') });
  expect(await read(await say(cluster, node, 'ada', 'book a room'))).toMatchObject({ status: 'asking' });
  await node.stop();
  await rows(cluster, "UPDATE homes SET rank = rank + 1 WHERE owner = 'ada'");
  await node.start();
  const refused = await say(cluster, node, 'ada', 'the small one');
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('upgrade this node')]);
  await rows(cluster, "UPDATE homes SET rank = rank - 1 WHERE owner = 'ada'");
  expect(await read(await say(cluster, node, 'ada', 'the small one'))).toMatchObject({ output: 'Booked.' });
  await expectLaws(cluster, node);
});

it('todos of one owner and of many are added once each, while their nodes are killed one after the other', async () => {
  const owners = ['ada', 'o1', 'o2', 'o3', 'o4'];
  const cluster = await startCluster(2, owners);
  const { model, nodes } = cluster;
  const [first, second] = nodes as [Node, Node];
  const goals = Array.from({ length: 8 }, (_, i) => ({
    owner: owners[i < 4 ? 0 : i - 3]!,
    session: `s${i}`,
    text: `item-${i}`,
  }));
  const textIn = (body: string): string => /item-\d/.exec(body)?.[0] ?? '';
  model.answer({
    plan: plan('add it'),
    thought: async (response, request) => {
      const prompt = request.body.messages.map(({ content }) => content).join('\n');
      const next = prompt.includes('<result of="todo"') ? done('added') : act('todo', `add ${textIn(prompt)}`);
      return message(next)(response, request);
    },
    replan: answer('Added.'),
  });
  const sent = await Promise.all(
    goals.map(async ({ owner, session, text }, i) => {
      const init = { method: 'POST', headers: ASYNC, body: JSON.stringify({ input: `add ${text}` }) };
      const path = `/v1/sessions/${session}/turns`;
      return { owner, turn: await read(await cluster.ask(nodes[i % 2]!, owner, path, init)) };
    }),
  );
  await model.asked(12);
  await first.kill();
  await first.start();
  await second.kill();
  await second.start();
  for (const { owner, turn } of sent)
    expect(await finished(cluster, first, owner, turn.id)).toMatchObject({ output: 'Added.' });
  const ids = await rows<{ id: string }>(cluster, "SELECT id FROM todos WHERE owner = 'ada' ORDER BY id");
  expect(ids.map(({ id }) => Number(id))).toEqual([1, 2, 3, 4]);
  await expectLaws(cluster, first);
});
