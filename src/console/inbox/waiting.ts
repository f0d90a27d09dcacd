import { computed } from '@preact/signals';
import { createPolled } from '../api/polled.ts';
import { listWaiting } from '../api/routes.ts';

/** How often it is asked what waits, in milliseconds. */
const EVERY_MS = 3_000;

/** Most tasks that are listed: who has more waiting answers some first. */
const SHOWN_MAX = 100;

/** Everything that waits for the user over all sessions, longest first. */
export const waiting = createPolled((signal) => listWaiting({ limit: SHOWN_MAX, signal }), EVERY_MS);

/** The sessions with a paused task, of those that are listed. */
export const pausedSessions = computed(
  (): ReadonlySet<string> =>
    new Set(
      (waiting.loaded.value.value?.tasks ?? []).flatMap(({ task, session_id }) =>
        task.state === 'paused' ? [session_id] : [],
      ),
    ),
);

/** How many wait, of those that are listed. */
export const waitingCount = computed(() => waiting.loaded.value.value?.tasks.length ?? 0);
