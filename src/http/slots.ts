import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';

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
  const taken = new Map<string, number>();
  let total = 0;
  const used = (owner: string): number => taken.get(owner) ?? 0;
  return {
    take: ({ owner }, { raw }) => {
      if (raw.destroyed) return;
      if (used(owner) >= perOwner || total >= inAll) throw new ServiceError('TOO_MANY_REQUESTS', refusal);
      taken.set(owner, used(owner) + 1);
      total += 1;
      raw.once('close', () => {
        // Owners come and go: one with nothing taken is not remembered.
        if (used(owner) === 1) taken.delete(owner);
        else taken.set(owner, used(owner) - 1);
        total -= 1;
      });
    },
    used,
    usedInAll: () => total,
  };
};
