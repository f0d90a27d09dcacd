import { pausedAs } from './rests.ts';
import { effectParams, taskSetup } from './setup.ts';

/**
 * The inner loop (SPEC 3): rounds of thought, act and observe on one plan item. It never rewrites the plan, and leaves for the
 * outer loop when the item ends, when none can be picked, or when somebody asked for a replan meanwhile.
 */
export const innerLoop = taskSetup.createStateConfig({
  initial: 'picking',
  states: {
    picking: {
      always: [
        { guard: 'isPlanEmpty', target: 'gate' },
        { guard: 'canPickItem', target: 'gate', actions: 'pickItem' },
        {
          guard: 'isDeadlockedAgain',
          target: '#paused',
          actions: ['markDeadlocked', { type: 'pause', params: { reason: 'deadlock' } }],
        },
        { guard: 'isDeadlocked', target: '#outer.gate', actions: 'markDeadlocked' },
        { target: '#outer.gate', actions: 'requireReplan' },
      ],
    },
    gate: {
      always: [
        { guard: 'isBudgetSpentForGood', target: '#failed' },
        { guard: 'isBudgetSpent', target: '#paused', actions: { type: 'pause', params: { reason: 'step_limit' } } },
        { guard: 'needsReplan', target: '#outer.gate' },
        { target: 'thinking' },
      ],
    },
    thinking: {
      entry: ['openThought', { type: 'model.thought', params: effectParams.thought }],
      on: {
        'thought.made': [
          { guard: 'givesItemUp', target: '#outer.gate', actions: ['takeThought', 'blockItem'] },
          { guard: 'wantsAction', target: 'acting', actions: 'takeThought' },
          { guard: 'asksUser', target: '#awaiting_user', actions: ['takeThought', 'askThoughtsQuestion'] },
          { target: '#outer.gate', actions: ['takeThought', 'completeItem'] },
        ],
        'thought.rejected': [
          { guard: 'isRejectedAgain', target: '#awaiting_user', actions: ['refuseThought', 'askWhatToDo'] },
          { target: 'gate', actions: 'refuseThought' },
        ],
        ...pausedAs,
      },
    },
    acting: {
      entry: ['openEffect', { type: 'tool.call', params: effectParams.toolCall }],
      on: { 'observation.recorded': { target: 'observing', actions: 'observeAction' }, ...pausedAs },
    },
    observing: { always: 'gate' },
  },
});
