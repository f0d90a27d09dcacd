import type { EventOf } from '../../contracts/event.ts';
import type { Decision } from './progress-words.ts';

/** What a thought decided. Never what it said to itself: `current_step` and `response` are the model's own words. */
export const decisionOf = ({ status, signal }: EventOf<'thought.made'>): Decision => {
  if (signal === 'replan') return 'give_up';
  switch (status) {
    case 'continue':
      return 'act';
    case 'ask_user':
      return 'ask';
    case 'done':
      return 'done';
    default:
      return status satisfies never;
  }
};
