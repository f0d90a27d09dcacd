import { ServiceError } from '../lib/errors.ts';
import { createOwnerTotals } from './owner-totals.ts';

/** Bytes that requests take, so many for each owner and so many in all. */
export interface TakenBytes {
  /** Throws `TOO_MANY_REQUESTS`, and takes nothing, where they are more than there may be. */
  take(owner: string, bytes: number): void;
  giveBack(owner: string, bytes: number): void;
  /** Bytes that the owner's requests take. */
  used(owner: string): number;
  /** Bytes that the requests of all owners take. */
  usedInAll(): number;
}

/** Makes the count with nothing taken; `what` goes on with "at once". */
export const createTakenBytes = (perOwner: number, inAll: number, what: string): TakenBytes => {
  const taken = createOwnerTotals();
  const refuse = (max: number, whose: string): never => {
    throw new ServiceError(
      'TOO_MANY_REQUESTS',
      `At most ${max} bytes of ${whose} bodies ${what} at once; send this again when others are through`,
    );
  };
  return {
    take: (owner, bytes) => {
      if (taken.of(owner) + bytes > perOwner) refuse(perOwner, 'your');
      if (taken.inAll() + bytes > inAll) refuse(inAll, 'all');
      taken.add(owner, bytes);
    },
    giveBack: (owner, bytes) => taken.add(owner, -bytes),
    used: taken.of,
    usedInAll: taken.inAll,
  };
};
