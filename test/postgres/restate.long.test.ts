import { once } from 'node:events';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { replay } from '../../src/history/replay.ts';
import { delayed } from '../support/anthropic/answers.ts';
import { cli } from '../support/cli/cli-process.ts';
import { freePort } from '../support/http/free-port.ts';
import { finished } from '../support/postgres/client.ts';
import { type Cluster, startCluster } from '../support/postgres/cluster.ts';
import { startRestates } from '../support/restate/server.ts';
import { answer, done, plan } from '../support/service/answers.ts';
import { shutGate } from '../support/service/gate.ts';

/** So many that Restate needs several connections, which a balancer spreads: which node gets one alone is chance. */
const OWNERS = Array.from({ length: 20 }, (_, number) => `owner-${number}`);

const RESTATE = { TRIPACT_SCHEDULER: 'restate' };

/** Sends a turn that nobody waits for, again and again until it is taken. */
const send = async ({ ask, nodes }: Cluster, owner: string, session: string): Promise<string> => {
  const init = {
    method: 'POST',
    body: JSON.stringify({ input: 'note it' }),
    headers: { prefer: 'respond-async', 'idempotency-key': session },
  };
  for (;;) {
    const response = await ask(nodes[0]!, owner, `/v1/sessions/${session}/turns`, init);
    if (response.ok) return ((await response.json()) as TurnView).id;
    await pause(100);
  }
};

it('a Restate that is killed and loses its data moves no home, buys nothing again, and gives homes again', async () => {
  const cluster = await startCluster(2, OWNERS, RESTATE);
  const { model, restate } = cluster;
  const gate = shutGate();
  model.answer({ plan: plan('note it'), thought: delayed(gate.opened, done('noted')), replan: answer('Noted.') });
  const running = OWNERS.slice(0, -2);
  const ids = await Promise.all(running.map((owner) => send(cluster, owner, 's1')));
  await model.asked(2 * running.length);
  const homes = await Promise.all(running.map((owner) => cluster.homeAndOther(owner)));
  expect(new Set(homes.map(([{ url }]) => url)).size).toBe(2);
  await restate!.kill();
  // Who has a home is served; who has none is told to come again, until Restate is back, which knows nothing.
  const refused = await cluster.ask(cluster.nodes[0]!, OWNERS.at(-2)!, '/v1/sessions');
  expect([refused.status, await refused.json()]).toMatchObject([503, { title: 'Storage unavailable' }]);
  gate.open();
  await restate!.start(true);
  for (const owner of OWNERS.slice(-2)) {
    running.push(owner);
    ids.push(await send(cluster, owner, 's1'));
  }
  for (const [i, owner] of running.entries()) {
    expect(await finished(cluster, cluster.nodes[1]!, owner, ids[i]!)).toMatchObject({
      status: 'answered',
      output: 'Noted.',
    });
    const trace = await cluster.trace(cluster.nodes[0]!, owner, 's1');
    expect(await replay(trace, { gapless: true })).toEqual({ ok: true, entries: trace.length });
  }
  expect(model.requests).toHaveLength(3 * OWNERS.length);
  expect(await cluster.moved()).toEqual([]);
});

it('three Restate servers give homes, and move none, though each of them is killed in turn', async () => {
  const restates = await startRestates();
  const cluster = await startCluster(2, OWNERS, RESTATE, undefined, undefined, restates);
  const { model } = cluster;
  const gate = shutGate();
  model.answer({ plan: plan('note it'), thought: delayed(gate.opened, done('noted')), replan: answer('Noted.') });
  const sent = [await send(cluster, OWNERS[0]!, 's1')];
  for (const restate of restates) {
    await restate.kill();
    sent.push(await send(cluster, OWNERS[sent.length]!, 's1'));
    await restate.start();
  }
  await model.asked(2 * sent.length);
  gate.open();
  for (const [i, id] of sent.entries())
    expect(await finished(cluster, cluster.nodes[1]!, OWNERS[i]!, id)).toMatchObject({
      status: 'answered',
      output: 'Noted.',
    });
  expect(model.requests).toHaveLength(3 * sent.length);
  expect(await cluster.moved()).toEqual([]);
});

it('a node takes homes only from the Restate whose key it knows', async () => {
  const { restate, ask, nodes } = await startCluster(1, ['ada'], RESTATE);
  expect((await ask(nodes[0]!, 'ada', '/v1/sessions')).status).toBe(200);
  const { deployments } = (await (await fetch(`${restate!.admin}/deployments`)).json()) as {
    deployments: { uri: string }[];
  };
  const session = connect(deployments[0]!.uri);
  onTestFinished(() => session.destroy());
  const request = session.request({ ':method': 'POST', ':path': '/invoke/owner/home' }).end();
  const [{ ':status': status }] = (await once(request, 'response')) as [IncomingHttpHeaders];
  expect(status).toBe(401);
});

it('a node does not start without Restate, nor beside nodes whose homes are given by leases', async () => {
  const { databaseUrl, nodes, restate } = await startCluster(1, ['ada'], RESTATE);
  const start = async (env: Record<string, string>) => {
    const { code, stderr } = await cli(['serve'], {
      env: { TRIPACT_PORT: '0', TRIPACT_DATABASE_URL: databaseUrl, TRIPACT_NODE_URL: nodes[0]!.url, ...env },
    });
    expect(code).toBe(2);
    return stderr;
  };
  const settings = { TRIPACT_SCHEDULER: 'restate', TRIPACT_RESTATE_PORT: String(await freePort()) };
  expect(await start({})).toContain('The other nodes on this database have another TRIPACT_SCHEDULER');
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  expect(await start({ ...settings, TRIPACT_RESTATE_URL: nowhere })).toContain(
    `TRIPACT_SCHEDULER=restate: Restate cannot be reached at ${nowhere}/`,
  );
  const taken = { TRIPACT_RESTATE_URL: restate!.ingress, TRIPACT_RESTATE_PORT: new URL(nodes[0]!.url).port };
  expect(await start({ ...settings, ...taken })).toContain('TRIPACT_SCHEDULER=restate: listen EADDRINUSE');
});
