import { and } from 'xstate';
import { atSpentBudget, pausedAs } from './settled-states.ts';
import { requests, taskSetup } from './setup.ts';

/** The inner loop (SPEC 3): rounds of thought, act and observe on one plan item. It never rewrites the plan. */
export const innerLoop = taskSetup.createStateConfig({
  initial: 'gate',
  states: {
    gate: {
      always: [...atSpentBudget, { guard: 'needsReplan', target: '#outer.gate' }, { target: 'thinking' }],
    },
    thinking: {
      entry: ['openThought', requests('model.thought')],
      on: {
        'thought.made': [
          { guard: 'givesItemUp', target: '#outer.gate', actions: 'blockItem' },
          { guard: and(['wantsAction', 'needsApproval']), target: '#awaiting_user', actions: 'askForApproval' },
          { guard: 'wantsAction', target: 'acting', actions: 'takeThought' },
          { guard: 'asksUser', target: '#awaiting_user', actions: 'askThoughtsQuestion' },
          { guard: 'concludesTask', target: '#done', actions: ['concludeTask', 'finish'] },
          { target: '#outer.gate', actions: 'completeItem' },
        ],
        'thought.rejected': [
          { guard: 'isRejectedAgain', target: '#awaiting_user', actions: ['refuseThought', 'askWhatToDo'] },
          { target: 'gate', actions: 'refuseThought' },
        ],
        ...pausedAs,
      },
    },
    acting: {
      id: 'acting',
      entry: ['openEffect', requests('tool.call'), requests('tool.batch')],
      on: {
        'observation.recorded': { target: 'gate', actions: 'observeAction' },
        'observations.recorded': { target: 'gate', actions: 'observeActions' },
        ...pausedAs,
      },
    },
  },
});
