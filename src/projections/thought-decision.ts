import type { EventOf } from '../../contracts/event.ts';
import type { Decision } from '../../contracts/messages/en/progress.ts';

/** What a thought decided. Never its reasoning: `current_step` and `response` are not shown. */
export const decisionOf = ({ status, outcome }: EventOf<'thought.made'>): Decision => {
  if (outcome === 'blocked') return 'give_up';
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
