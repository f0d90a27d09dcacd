import type { z } from 'zod';
import { TurnRequest } from '../../../contracts/http.ts';
import { parsed } from './parsed.ts';

/** A turn that a front end asked for, checked as one of the service's own API is. Throws `INVALID_REQUEST`. */
export const checkTurn = (turn: z.input<typeof TurnRequest>): TurnRequest & { input: string } => {
  const checked = parsed(TurnRequest, turn);
  return { ...checked, input: checked.input ?? '' };
};
