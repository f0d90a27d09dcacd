import type { SessionStore } from '../store/port.ts';
import type { Callbacks } from './outbox/callbacks.ts';
import type { createCountedOwners } from './owner-counts.ts';
import type { Engine } from './port.ts';
import type { RunningBytes } from './running-bytes.ts';

interface Parts {
  store: SessionStore;
  counted: Pick<ReturnType<typeof createCountedOwners>, 'of'>;
  running: RunningBytes;
  callbacks: Pick<Callbacks, 'webhookPending'>;
  now(): number;
}

/** Makes the reads of what an owner used, and what of it has a limit. */
export const createUsageReads = ({
  store,
  counted,
  running,
  callbacks,
  now,
}: Parts): Pick<Engine, 'usage' | 'usageByDay' | 'usageToday'> => ({
  usageByDay: (owner, { limit, after }) => store.usageByDay(owner, limit, after ?? null),
  usageToday: (owner) => store.usageOn(owner, now()),
  usage: async (owner) => ({
    ...counted.of(owner),
    running_bytes: running.of(owner),
    running_bytes_in_all: running.inAll(),
    pending_webhook_events: callbacks.webhookPending(),
    database_bytes: await store.storedBytes(),
    kept_call_bytes: await store.calls.bytesOf(owner),
  }),
});
