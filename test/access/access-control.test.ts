import type { Database } from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createAccessControl } from '../../src/access/access-control.ts';
import { issueKey } from '../../src/access/keys.ts';
import type { AccessStore } from '../../src/access/port.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { storeInMemory } from '../support/engine/empty-store.ts';

const DAY_MS = 86_400_000;

const openKeys = (): AccessStore & { db: Database } => {
  const { db, sql } = storeInMemory();
  onTestFinished(() => void db.close());
  return { db, ...createStore(sql).access };
};

it('stores no key, only its hash', async () => {
  const { db, keys, quotas } = openKeys();
  const { key } = await issueKey({ keys, quotas }, { owner: 'ada', role: 'user', expires_at: null }, 0);
  const stored = JSON.stringify(db.prepare('SELECT * FROM access_keys').all());
  expect(stored).not.toContain(key);
  expect(stored).not.toContain(key.slice('tripact_'.length));
});

it('requires keys where it cannot be read whether there are any', () => {
  const { db, keys, quotas } = openKeys();
  db.exec('DROP TABLE meta');
  expect(createAccessControl({ apiKeys: [], store: { keys, quotas }, tokens: null, now: () => 0 }).isRequired()).toBe(
    true,
  );
});

it('knows which server its own key is for, and never asks for another', async () => {
  const { keys, quotas } = openKeys();
  const own = createAccessControl({ apiKeys: [], ownKey: 'own', store: { keys, quotas }, tokens: null, now: () => 0 });
  expect(own.isRequired()).toBe(false);
  expect(await own.identify('own')).toEqual({ owner: 'local', role: 'operator', roles: [] });
  expect(await own.identify('other')).toBe(null);
});

it('lets expired keys go a month later, with the next new one', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { keys, quotas } = openKeys();
  const at = (day: number): string => new Date(day * DAY_MS).toISOString();
  await issueKey({ keys, quotas }, { owner: 'old', role: 'user', expires_at: at(1) }, 0);
  await issueKey({ keys, quotas }, { owner: 'new', role: 'user', expires_at: null }, 20 * DAY_MS);
  const owners = async () => (await keys.list({ limit: 10 })).items.map(({ owner }) => owner);
  expect(await owners()).toEqual(['old', 'new']);
  vi.advanceTimersByTime(32 * DAY_MS);
  await issueKey({ keys, quotas }, { owner: 'newer', role: 'user', expires_at: null }, 32 * DAY_MS);
  expect(await owners()).toEqual(['new', 'newer']);
});

it('lists keys by page, and writes their last use once an hour', async () => {
  const { db, keys, quotas } = openKeys();
  const { key } = await issueKey({ keys, quotas }, { owner: 'a', role: 'user', expires_at: null }, 0);
  for (const owner of ['b', 'c']) await issueKey({ keys, quotas }, { owner, role: 'user', expires_at: null }, 0);
  const first = await keys.list({ limit: 2 });
  expect(first.items.map(({ owner }) => owner)).toEqual(['a', 'b']);
  expect((await keys.list({ limit: 2, after: first.next ?? undefined })).items.map(({ owner }) => owner)).toEqual([
    'c',
  ]);
  let now = DAY_MS;
  const control = createAccessControl({ apiKeys: [], store: { keys, quotas }, tokens: null, now: () => now });
  const changes = (): unknown => db.prepare('SELECT total_changes()').pluck().get();
  const key_id = first.items[0]!.id;
  const use = async () => expect(await control.identify(key)).toEqual({ owner: 'a', role: 'user', roles: [], key_id });
  const unused = changes();
  await use();
  await expect.poll(changes).not.toBe(unused);
  const before = changes();
  now += 60_000;
  await use();
  expect(changes()).toBe(before);
  now += 60 * 60_000;
  await use();
  await expect.poll(changes).not.toBe(before);
});
