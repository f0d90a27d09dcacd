import type { CallbackView } from '../../../contracts/callback.ts';
import type { ServiceLimits } from '../../../contracts/service-limits.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Upkeep } from '../../store/port.ts';
import type { CountedOwners } from '../owner-counts.ts';
import type { CallbackReader, Engine } from '../port.ts';
import type { Callbacks } from './callbacks.ts';
import { type ListedCallback, WEBHOOK_READER } from './message.ts';

interface Parts {
  store: Pick<Upkeep, 'callback' | 'resendCallback'>;
  callbacks: Pick<Callbacks, 'resent'>;
  counted: Pick<CountedOwners, 'of' | 'countCallback'>;
  limits: Pick<ServiceLimits, 'pending_callbacks'>;
  now(): number;
  /** Throws `SHUTTING_DOWN` while the service stops. */
  assertRunning(): void;
}

export const readersOf = ({ owner, isOperator }: CallbackReader): string[] => [
  owner,
  ...(isOperator ? [WEBHOOK_READER] : []),
];

export const callbackView = ({ reader: _, ...view }: ListedCallback): CallbackView => view;

/** Sends a callback again. */
export const createResendCallback = (parts: Parts): Engine['resendCallback'] => {
  const { store, callbacks, counted, limits, now, assertRunning } = parts;

  const ownCallback = async (viewer: CallbackReader, id: string): Promise<ListedCallback> => {
    const found = await store.callback(readersOf(viewer), id);
    if (found === null) throw new ServiceError('CALLBACK_NOT_FOUND', 'There is no callback of that id');
    return found;
  };

  /** It is pending again from here on, also for the limit; gives what takes that back. */
  const reserve = ({ state, reader }: ListedCallback): (() => void) => {
    if (state === 'pending' || reader === WEBHOOK_READER) return () => {};
    if (counted.of(reader).pending_callbacks >= limits.pending_callbacks)
      throw new ServiceError(
        'TOO_MANY_REQUESTS',
        `${limits.pending_callbacks} of your turns have a callback still to come; wait for some to be posted`,
      );
    counted.countCallback(reader, 1);
    return () => counted.countCallback(reader, -1);
  };

  return async (viewer, id) => {
    assertRunning();
    const found = await ownCallback(viewer, id);
    const release = reserve(found);
    let wasEnded = false;
    try {
      wasEnded = await store.resendCallback(viewer.owner, id, now());
    } finally {
      if (!wasEnded) release();
    }
    callbacks.resent(found.reader, wasEnded);
    return callbackView(await ownCallback(viewer, id));
  };
};
