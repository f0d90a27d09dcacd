import type { TaskEvent } from '../../contracts/event.ts';

/** What came of an effect, in one word: of a model call, of a tool call or of a verification. */
export type EffectOutcome =
  | 'answered'
  | 'rejected'
  | 'unavailable'
  | 'ok'
  | 'failed'
  | 'abandoned'
  | 'refused'
  | 'aborted';

/** The word for an effect's outcome; null: it was aborted. */
export const outcomeOf = (event: TaskEvent | null): EffectOutcome => {
  switch (event?.type) {
    case 'plan.made':
    case 'thought.made':
    case 'replan.made':
      return 'answered';
    case 'plan.rejected':
    case 'thought.rejected':
    case 'replan.rejected':
      return 'rejected';
    case 'model.unavailable':
      return 'unavailable';
    case 'observation.recorded':
    case 'verification.finished':
      return event.ok ? 'ok' : 'failed';
    case 'effect.abandoned':
      return 'abandoned';
    case 'quota.exhausted':
      return 'refused';
    default:
      return 'aborted';
  }
};
