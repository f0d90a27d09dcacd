import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../lib/errors.ts';
import { createOwnerTotals } from './owner-totals.ts';

/** Places that replies in progress take, so many for each owner and so many in all. */
export interface Slots {
  /** Takes a place until the reply is closed; throws `TOO_MANY_REQUESTS` when none is free. */
  take(request: FastifyRequest, reply: FastifyReply): void;
  /** Places that the owner has taken. */
  used(owner: string): number;
  /** Places taken by all owners. */
  usedInAll(): number;
}

/** Makes the places; `refusal` says what to do when none is free. */
export const createSlots = (perOwner: number, inAll: number, refusal: string): Slots => {
  const taken = createOwnerTotals();
  return {
    take: ({ owner }, { raw }) => {
      if (raw.destroyed) return;
      if (taken.of(owner) >= perOwner || taken.inAll() >= inAll) throw new ServiceError('TOO_MANY_REQUESTS', refusal);
      taken.add(owner, 1);
      raw.once('close', () => taken.add(owner, -1));
    },
    used: taken.of,
    usedInAll: taken.inAll,
  };
};
