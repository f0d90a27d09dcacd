import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../lib/errors.ts';

/** Places that an owner's replies in progress take. */
export interface Slots {
  /** Takes a place until the reply is closed; throws `TOO_MANY_REQUESTS` when none is free. */
  take(request: FastifyRequest, reply: FastifyReply): void;
  /** Places that the owner has taken. */
  used(owner: string): number;
}

/** Makes the places, so many for each owner; `refusal` says what to do when none is free. */
export const createSlots = (perOwner: number, refusal: string): Slots => {
  const taken = new Map<string, number>();
  const used = (owner: string): number => taken.get(owner) ?? 0;
  const leave = (owner: string): void => {
    const left = used(owner) - 1;
    if (left === 0) taken.delete(owner);
    else taken.set(owner, left);
  };
  return {
    take: ({ owner }, { raw }) => {
      if (raw.destroyed) return;
      if (used(owner) >= perOwner) throw new ServiceError('TOO_MANY_REQUESTS', refusal);
      taken.set(owner, used(owner) + 1);
      raw.once('close', () => leave(owner));
    },
    used,
  };
};
