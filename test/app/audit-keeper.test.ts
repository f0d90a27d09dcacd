import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../src/app/app.ts';
import { createAuditKeeper } from '../../src/app/audit-keeper.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import type { PostResult } from '../../src/runtime/outbox/post-callback.ts';
import type { PendingCallback } from '../../src/session/outbox-message.ts';
import { echo } from '../support/engine/model-answers.ts';
import { freshDataDir, openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';
import { databaseSetting } from '../support/postgres/database-of.ts';
import { LOCAL_RECEIVER, startReceiver } from '../support/service/receiver.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const START = Date.UTC(2026, 0, 1, 12);

const tool = { name: 'dig', description: 'Digs', usage: 'dig <where>', input_schema: null };

/** Keepers of one store, as one process after another has one. */
const onNewYear = async () => {
  let now = START;
  let outcome: PostResult = { outcome: 'accepted' };
  const posted: PendingCallback[] = [];
  const { store } = await openEngine({ model: createScriptedModel([]), now: () => now });
  const keep = async (until: () => Promise<boolean>): Promise<void> => {
    const keeper = createAuditKeeper({
      audit: store.audit,
      registry: { list: () => [tool] } as never,
      versions: { service: '1', machine: 'm@1', model: 'some' },
      webhookUrl: 'https://roots.example',
      post: async (_url, callback) => {
        posted.push(callback);
        return outcome;
      },
      isKeeper: () => true,
      now: () => now,
      log: pino({ level: 'silent' }),
    });
    onTestFinished(keeper.stop);
    keeper.start();
    await expect.poll(until).toBe(true);
    await keeper.stop();
  };
  return {
    store,
    posted,
    keep,
    pass: (ms: number): void => {
      now += ms;
    },
    answer: (next: PostResult): void => {
      outcome = next;
    },
  };
};

it('posts the root of each day once it is over, of those without acts too, and each again until it is accepted', async () => {
  const { store, posted, keep, pass, answer } = await onNewYear();
  const sent = (day: string) => async () => (await store.audit.sentDay()) === day;
  await keep(sent('2025-12-31'));
  expect(posted).toEqual([]);

  pass(DAY_MS / 2 + 11 * MINUTE_MS);
  answer({ outcome: 'refused', error: 'HTTP 500' });
  await keep(async () => posted.length === 1);
  expect(await store.audit.sentDay()).toBe('2025-12-31');

  pass(2 * DAY_MS);
  answer({ outcome: 'accepted' });
  await keep(sent('2026-01-03'));
  expect(posted.map(({ id }) => id)).toEqual([
    'audit-2026-01-01',
    'audit-2026-01-01',
    'audit-2026-01-02',
    'audit-2026-01-03',
  ]);
  expect(posted[0]).toMatchObject({ event: 'audit.root', owner: '', data: { day: '2026-01-01', acts: 1 } });
  expect(posted[1]!.data).toEqual(posted[0]!.data);
});

it('notes which service, model and tools act, once as long as they are the same', async () => {
  const { store, keep, pass } = await onNewYear();
  const acts = async () => {
    const lines = await Array.fromAsync(store.audit.lines({ now: START + DAY_MS, from: '2026-01-01' }));
    return lines.filter((line) => 'act' in line);
  };
  await keep(async () => (await acts()).length > 0);
  pass(MINUTE_MS);
  const before = await acts();
  await keep(async () => true);
  expect(await acts()).toEqual(before);
  expect(before[0]).toMatchObject({ act: 'versions', service: '1', model: 'some', tools: { dig: expect.any(String) } });
});

it('posts roots of a service signed as its other webhooks are', async () => {
  const dataDir = freshDataDir();
  const { url, posts } = await startReceiver();
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const openAt = async (now: number) => {
    const config = loadConfig({
      TRIPACT_DATA_DIR: dataDir,
      ...(await databaseSetting(dataDir)),
      ...LOCAL_RECEIVER,
      TRIPACT_AUDIT_WEBHOOK: url,
      TRIPACT_WEBHOOK_SECRET: secret,
    });
    const log = pino({ level: 'silent' });
    const app = await buildApp({ config, log, version: '7', model: createScriptedModel(echo), now: () => now });
    onTestFinished(() => app.close());
    return app;
  };
  const first = await openAt(START);
  await sessionOf(first.engine).ask('One');
  await first.close();
  await openAt(START + DAY_MS);
  const [post] = await posts(1);
  expect(post).toMatchObject({ id: 'audit-2026-01-01', body: { type: 'audit.root', data: { day: '2026-01-01' } } });
  const at = new Date(Number(post!.headers['webhook-timestamp']) * 1_000);
  expect(post!.headers['webhook-signature']).toBe(new Webhook(secret).sign(post!.id, at, post!.text));
});
