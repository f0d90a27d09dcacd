import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { replay } from '../../src/history/replay.ts';
import { delayed, silence } from '../support/anthropic/answers.ts';
import { finished, read, say, untilServed } from '../support/postgres/client.ts';
import { type Node, startCluster, startNetworkTo } from '../support/postgres/cluster.ts';
import { type PostgresServer, startPostgres } from '../support/postgres/server.ts';
import { answer, ask, done, plan } from '../support/service/answers.ts';
import { shutGate } from '../support/service/gate.ts';

const OWNERS = ['ada', 'bob', 'cleo'];

const portOf = ({ address }: PostgresServer): number => Number(new URL(address).port);

/** Makes a replica the database. */
const promote = async ({ address }: PostgresServer): Promise<void> => {
  const client = new pg.Client(address);
  await client.connect();
  await client.query('SELECT pg_promote()').finally(() => client.end());
};

/** Tests nodes whose homes are given by `scheduler`. */
export const homesGivenBy = (scheduler: 'leases' | 'restate'): void => {
  describe(`homes given by ${scheduler}`, () => {
    /** All that does not depend on who gives homes. */
    const itOnce = it.runIf(scheduler === 'leases');

    itOnce(
      'any node takes any request: it is served at the home of its owner, and answered where it came in',
      async () => {
        const cluster = await startCluster(2, OWNERS, { TRIPACT_SCHEDULER: scheduler });
        const { model, nodes } = cluster;
        const [first, second] = nodes as [Node, Node];
        model.answer({ plan: plan('note it'), thought: ask('Which one?'), replan: answer('Noted.') });
        for (const owner of OWNERS) {
          expect(await read(await say(cluster, first, owner, 'note it'))).toMatchObject({ status: 'asking' });
          expect(await read(await cluster.ask(second, owner, '/v1/sessions/s1'))).toMatchObject({ session_id: 's1' });
          const followed = await say(cluster, second, owner, 'the red one', { accept: 'text/event-stream' });
          expect(await followed.text()).toContain('Noted.');
        }
        expect(model.requests).toHaveLength(3 * OWNERS.length);
        const [entry] = await cluster.trace(second, 'ada', 's1');
        expect(entry).toMatchObject({ session_id: 's1', seq: 1 });
        // Nobody is asked twice under one key, whichever node it comes to.
        const key = { 'idempotency-key': 'k1', prefer: 'respond-async' };
        const turns = await Promise.all(
          Array.from({ length: 20 }, async (_, i) =>
            read<TurnView>(await say(cluster, nodes[i % 2]!, 'bob', 'again', key)),
          ),
        );
        expect(new Set(turns.map(({ id }) => id)).size).toBe(1);
      },
    );

    it('what ran at a node that is killed goes on at another one, and no tool or answer is lost', async () => {
      const cluster = await startCluster(2, OWNERS, { TRIPACT_SCHEDULER: scheduler });
      const { model } = cluster;
      const first = cluster.nodes[0]!;
      model.answer([silence()]);
      const sent = await read<TurnView>(await say(cluster, first, 'ada', 'note it', { prefer: 'respond-async' }));
      await model.asked(1);
      model.answer({ plan: plan('note it'), thought: done('noted'), replan: answer('Noted.') });
      const [home, other] = await cluster.homeAndOther('ada');
      await home.kill();
      expect(await finished(cluster, other, 'ada', sent.id)).toMatchObject({ status: 'answered', output: 'Noted.' });
      const trace = await cluster.trace(other, 'ada', 's1');
      expect(await replay(trace, { gapless: true })).toEqual({ ok: true, entries: trace.length });
    });

    it('a node that was frozen stores nothing once another one has taken over, and forwards what it is asked', async () => {
      const cluster = await startCluster(2, OWNERS, { TRIPACT_SCHEDULER: scheduler });
      const { model } = cluster;
      const first = cluster.nodes[0]!;
      const gate = shutGate();
      model.answer({
        plan: [delayed(gate.opened, plan('too late')), plan('note it')],
        thought: done('noted'),
        replan: answer('Noted.'),
      });
      const sent = await read<TurnView>(await say(cluster, first, 'ada', 'note it', { prefer: 'respond-async' }));
      await model.asked(1);
      const [home, other] = await cluster.homeAndOther('ada');
      home.signal('SIGSTOP');
      await untilServed(() => cluster.ask(other, 'ada', `/v1/turns/${sent.id}`));
      await model.asked(4);
      gate.open();
      home.signal('SIGCONT');
      expect(await finished(cluster, home, 'ada', sent.id)).toMatchObject({ status: 'answered', output: 'Noted.' });
      const trace = await cluster.trace(other, 'ada', 's1');
      expect(await replay(trace, { gapless: true })).toEqual({ ok: true, entries: trace.length });
      expect(JSON.stringify(trace)).not.toContain('too late');
    });

    it('users of one front end have homes of their own, where any node has them served, and removed', async () => {
      const cluster = await startCluster(2, OWNERS, { TRIPACT_SCHEDULER: scheduler, TRIPACT_OPERATORS: 'ada' });
      const { model, nodes } = cluster;
      const made = { method: 'POST', body: JSON.stringify({ owner: 'web', role: 'front_end' }) };
      const { key } = await read<{ key: string }>(await cluster.ask(nodes[0]!, 'ada', '/v1/keys', made));
      const asUser = (node: Node, user: string, path: string, body?: object) =>
        cluster.ask(node, '', path, {
          ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
          headers: { authorization: `Bearer ${key}`, 'x-tripact-user': user },
        });
      model.answer({ plan: plan('note it'), thought: ask('Which one?'), replan: answer('Noted.') });
      for (const user of ['zoe', 'y@n'])
        for (const [i, node] of nodes.entries()) {
          const sent = await asUser(node, user, `/v1/sessions/s${i}/turns`, { input: 'note it' });
          expect(await read(sent)).toMatchObject({ status: 'asking' });
          await asUser(node, user, '/v1/memory', { text: `${user} says ${i}` });
        }
      const [home, other] = await cluster.homeAndOther('web~zoe');
      expect((await read<{ facts: unknown[] }>(await asUser(other, 'zoe', '/v1/memory'))).facts).toMatchObject([
        { text: 'zoe says 0' },
        { text: 'zoe says 1' },
      ]);
      const remove = (name: string) =>
        cluster.ask(other, 'ada', `/v1/users/${encodeURIComponent(name)}`, { method: 'DELETE' });
      expect((await remove('web~zoe')).status).toBe(204);
      for (const node of [home, other]) {
        expect((await asUser(node, 'zoe', '/v1/sessions/s0')).status).toBe(404);
        expect(await read(await asUser(node, 'zoe', '/v1/memory'))).toMatchObject({ facts: [] });
        expect((await asUser(node, 'y@n', '/v1/sessions/s0')).status).toBe(200);
        const { users } = await read<{ users: unknown[] }>(await cluster.ask(node, 'ada', '/v1/users'));
        expect(users).toMatchObject([{ user: expect.stringMatching(/^web~u-/) }]);
      }
      expect(await read(await asUser(other, 'zoe', '/v1/sessions/s0/turns', { input: 'note it' }))).toMatchObject({
        status: 'asking',
      });
    });

    it.each(['that is away for a minute', 'that fails over to its synchronous replica'])(
      'a database %s moves no home, loses nothing and buys nothing again',
      async (what) => {
        const isFailover = what.includes('replica');
        const server = await startPostgres({ synchronous_standby_names: isFailover ? '*' : '' });
        onTestFinished(() => server.stop());
        const replica = isFailover ? await server.replica() : null;
        onTestFinished(() => replica?.stop());
        const network = await startNetworkTo(portOf(server));
        const address = server.address.replace(/:\d+\//, `:${network.port}/`);
        const cluster = await startCluster(2, OWNERS, { TRIPACT_SCHEDULER: scheduler }, undefined, address);
        const { model, nodes } = cluster;
        const [first, second] = nodes as [Node, Node];
        const gate = shutGate();
        model.answer({ plan: plan('note it'), thought: delayed(gate.opened, done('noted')), replan: answer('Noted.') });
        const sent: [string, TurnView][] = [];
        for (const owner of OWNERS)
          sent.push([
            owner,
            await read<TurnView>(await say(cluster, first, owner, 'note it', { prefer: 'respond-async' })),
          ]);
        await model.asked(2 * OWNERS.length);
        await cluster.settled();
        await server.kill();
        gate.open();
        if (replica === null) {
          await pause(60_000);
          await server.start();
        } else {
          await promote(replica);
          network.leadTo(portOf(replica));
        }
        for (const [owner, { id }] of sent)
          expect(await finished(cluster, second, owner, id)).toMatchObject({ status: 'answered', output: 'Noted.' });
        expect(model.requests).toHaveLength(3 * OWNERS.length);
        expect(await cluster.moved()).toEqual([]);
      },
    );

    itOnce('a reminder and a goal come once, on another node, though the home of their owner died', async () => {
      const cluster = await startCluster(2, OWNERS, { TRIPACT_SCHEDULER: scheduler });
      const first = cluster.nodes[0]!;
      cluster.model.answer({ plan: plan('note it'), thought: done('noted'), replan: answer('Noted.') });
      // Times are read to the minute.
      const at = new Date(Date.now() + 75_000).toISOString();
      expect(await read(await say(cluster, first, 'ada', `/todo add call Bob --remind ${at}`))).toMatchObject({
        output: expect.stringContaining('call Bob'),
      });
      expect(await read(await say(cluster, first, 'ada', `/schedule goal "${at}" note it`))).toMatchObject({
        output: expect.stringContaining('Scheduled #1 note it'),
      });
      const [home, other] = await cluster.homeAndOther('ada');
      await home.kill();
      const due = async () =>
        (await cluster.trace(other, 'ada', 's1')).flatMap(({ event }) => (event.type.endsWith('.due') ? [event] : []));
      await untilServed(() => cluster.ask(other, 'ada', '/v1/sessions/s1'));
      while ((await due()).length < 2) await pause(200);
      const goal = (await due()).find((event) => event.type === 'goal.due');
      const run = await finished(cluster, other, 'ada', goal?.started_turn_id ?? '');
      expect(run).toMatchObject({ kind: 'goal', status: 'answered', output: 'Noted.' });
      await pause(1_500);
      expect((await due()).map(({ type }) => type).sort()).toEqual(['goal.due', 'reminder.due']);
      expect(cluster.model.requests).toHaveLength(3);
    });
  });
};
