import { setImmediate as nextTurn } from 'node:timers/promises';
import { queueByKey } from '../queue-by-key.ts';
import type { SessionKey } from './session-key.ts';
import type { SessionStore } from './store.ts';

/** All of it is one queue: slices of many removals would be committed together, and hold the event loop together. */
const ONE_QUEUE = '';

/** Makes what hands on the texts that a session's forks read in it, slice by slice, so that removing it next takes no longer for them. Ends early when the service stops. */
export const createHandOn = (
  store: Pick<SessionStore, 'handOnTexts'>,
  isStopping: () => boolean,
): ((key: SessionKey) => Promise<void>) => {
  const queue = queueByKey();
  return (key) =>
    queue(ONE_QUEUE, async () => {
      for (let after: number | null = 0; after !== null && !isStopping(); ) {
        after = await store.handOnTexts(key, after);
        await nextTurn();
      }
    });
};
