import { z } from 'zod';
import { TurnRequest } from '../../../contracts/http.ts';
import { ServiceError } from '../../errors.ts';

/** A turn that a front end asked for, checked as one of the service's own API is. Throws `INVALID_REQUEST`. */
export const checkTurn = (turn: z.input<typeof TurnRequest>): TurnRequest & { input: string } => {
  const { success, data, error } = TurnRequest.safeParse(turn);
  if (!success) throw new ServiceError('INVALID_REQUEST', z.prettifyError(error));
  return { ...data, input: data.input ?? '' };
};
