import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { dayAt } from '../../src/audit/days.ts';
import { rows } from '../support/postgres/client.ts';
import { startCluster } from '../support/postgres/cluster.ts';
import { LOCAL_RECEIVER, startReceiver } from '../support/service/receiver.ts';

const DAY_MS = 86_400_000;

const SENT = "SELECT value FROM meta WHERE key = 'audit_root_sent'";

it('one of two nodes posts the root of a day, and after its kill the other one posts it once more', async () => {
  const { promise: isPosted, resolve } = Promise.withResolvers<ServerResponse>();
  const { url, posts, seen } = await startReceiver([resolve]);
  const cluster = await startCluster(2, ['ada'], { TRIPACT_AUDIT_WEBHOOK: url, ...LOCAL_RECEIVER });
  await expect.poll(() => rows(cluster, SENT)).toHaveLength(1);
  for (const node of cluster.nodes) await node.stop();
  const [first, second] = [3, 2].map((days) => dayAt(Date.now() - days * DAY_MS)) as [string, string];
  const before = dayAt(Date.now() - 4 * DAY_MS);
  await rows(cluster, `UPDATE meta SET value = '${before}' WHERE key = 'audit_root_sent'`);
  await Promise.all(cluster.nodes.map((node) => node.start()));

  await isPosted;
  const [keeper] = await cluster.homeAndOther('');
  await keeper.kill();
  const sent = async () => (await rows<{ value: string }>(cluster, SENT))[0]!.value;
  await expect.poll(async () => (await sent()) >= second).toBe(true);
  const [unanswered, again, next] = await posts(3);
  expect([unanswered, again, next].map((post) => post!.id)).toEqual(
    [first, first, second].map((day) => `audit-${day}`),
  );
  expect(again!.body.data).toEqual(unanswered!.body.data);

  // A node that comes back posts none of them again.
  await keeper.start();
  await cluster.settled();
  const ids = seen.map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(new Set(ids).size + 1);
});
