import { expect, it } from 'vitest';
import { listKeys } from '../../src/access/list-keys.ts';
import type { AccessStore } from '../../src/access/port.ts';

const busy = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

it('lets others on between the owners of a page of keys', async () => {
  const items = Array.from({ length: 100 }, (_, i) => ({
    ...{ id: `key_${i}`, hash: '', owner: `owner-${i}`, role: 'user' as const },
    ...{ created_at: 0, expires_at: null, last_used_at: null },
  }));
  const store = {
    keys: { list: async () => ({ items, next: null }) },
    quotas: { of: async () => null },
    usedOn: async () => {
      busy(1);
      return { turns: 0, tokens: 0 };
    },
  } as unknown as AccessStore;
  let turns = 0;
  let isOver = false;
  const tick = (): void => {
    turns += 1;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  expect((await listKeys(store, { limit: 100 }, 0)).items).toHaveLength(100);
  isOver = true;
  expect(turns).toBeGreaterThan(5);
});
