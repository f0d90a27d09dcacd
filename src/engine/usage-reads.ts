import type { SessionStore } from '../store/port.ts';
import type { createCountedOwners } from './owner-counts.ts';
import type { Engine } from './port.ts';

interface Parts {
  store: SessionStore;
  counted: Pick<ReturnType<typeof createCountedOwners>, 'of'>;
  now(): number;
}

/** Makes the reads of what an owner used, and what of it has a limit. */
export const createUsageReads = ({
  store,
  counted,
  now,
}: Parts): Pick<Engine, 'usage' | 'usageByDay' | 'usageToday'> => ({
  usageByDay: (owner, { limit, after }) => store.usageByDay(owner, limit, after ?? null),
  usageToday: (owner) => store.usageOn(owner, now()),
  usage: async (owner) => ({
    ...counted.of(owner),
    database_bytes: await store.storedBytes(),
    kept_calls: await store.calls.count(owner),
  }),
});
