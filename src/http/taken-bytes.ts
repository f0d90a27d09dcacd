import { ServiceError } from '../errors.ts';

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
  const taken = new Map<string, number>();
  let total = 0;
  const used = (owner: string): number => taken.get(owner) ?? 0;
  const refuse = (max: number, whose: string): never => {
    throw new ServiceError(
      'TOO_MANY_REQUESTS',
      `At most ${max} bytes of ${whose} bodies ${what} at once; send this again when others are through`,
    );
  };
  return {
    take: (owner, bytes) => {
      if (used(owner) + bytes > perOwner) refuse(perOwner, 'your');
      if (total + bytes > inAll) refuse(inAll, 'all');
      taken.set(owner, used(owner) + bytes);
      total += bytes;
    },
    giveBack: (owner, bytes) => {
      total -= bytes;
      // Owners come and go: one with nothing taken is not remembered.
      if (used(owner) === bytes) taken.delete(owner);
      else taken.set(owner, used(owner) - bytes);
    },
    used,
    usedInAll: () => total,
  };
};
