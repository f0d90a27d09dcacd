import { and, not } from 'xstate';
import { innerLoop } from './inner-loop.ts';
import { atSpentBudget, pausedAs, pausedFor, steered, whileOpen } from './settled-states.ts';
import { requests, taskSetup } from './setup.ts';

/** The outer loop (SPEC 3): the budget, a replan where one is needed, else the next item. It alone ends a task with an answer. */
export const outerLoop = taskSetup.createStateConfig({
  id: 'outer',
  initial: 'gate',
  states: {
    gate: {
      always: [
        ...atSpentBudget,
        { guard: and(['needsReplan', 'areReplansSpent']), ...pausedFor('replan_limit') },
        { guard: 'needsReplan', target: 'replanning' },
        { guard: 'isPlanEmpty', target: 'inner' },
        { guard: 'canPickItem', target: 'inner', actions: 'pickItem' },
        { guard: and(['isDeadlocked', 'wasDeadlocked']), ...pausedFor('deadlock', 'markDeadlocked') },
        { guard: 'isDeadlocked', target: 'gate', actions: 'markDeadlocked' },
        { target: 'gate', actions: 'requireReplan' },
      ],
    },
    replanning: {
      entry: ['openUnsteered', requests('model.replan')],
      on: {
        'replan.made': [
          { guard: and(['isDone', 'isSteered']), target: 'gate', actions: ['countReplan', 'dropResponse'] },
          { guard: and(['isDone', 'needsVerifying']), target: '#verifying', actions: ['countReplan', 'keepResponse'] },
          { guard: 'isDone', target: '#done', actions: ['countReplan', 'keepResponse', 'finish'] },
          {
            guard: and(['confirmsPlan', not('isSteered')]),
            target: '#awaiting_user',
            actions: ['acceptReplan', 'askAboutPlan'],
          },
          { target: 'gate', actions: 'acceptReplan' },
        ],
        'replan.rejected': [
          { guard: 'areReplanRetriesSpent', ...pausedFor('contract_failure', 'refuseReplan') },
          { target: 'gate', actions: 'refuseReplan' },
        ],
        'steer.received': { actions: ['takeSteer', 'noteSteered'] },
        ...pausedAs,
      },
    },
    inner: innerLoop,
  },
  on: { 'steer.received': steered, ...whileOpen },
});
