import { ServiceError } from '../lib/errors.ts';
import { iso } from '../lib/iso-time.ts';
import type { EngineParts } from './engine-parts.ts';
import type { Engine } from './port.ts';

/** Creates the part of an engine that takes feedback on replies. It is stored beside turns, and no history has it. */
export const createFeedback = (
  { store, now, telemetry }: Pick<EngineParts, 'store' | 'now' | 'telemetry'>,
  reads: Pick<Engine, 'turn'>,
): Pick<Engine, 'rate'> => ({
  rate: async (owner, turnId, said, by) => {
    const { feedback: before } = await reads.turn(owner, turnId);
    const feedback = said && { ...said, by, at: iso(now()) };
    if (!(await store.rate(owner, turnId, feedback))) {
      // It may have been removed since it was read.
      await reads.turn(owner, turnId);
      throw new ServiceError('TURN_NOT_FINISHED', 'The turn has no reply yet: wait until it is finished');
    }
    if (feedback !== null && feedback.rating !== before?.rating)
      telemetry?.happened({ type: 'feedback_given', rating: feedback.rating });
    return reads.turn(owner, turnId);
  },
});
