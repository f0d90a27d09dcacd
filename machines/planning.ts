import { and, not } from 'xstate';
import { pausedAs, pausedFor, steered, whileOpen } from './settled-states.ts';
import { requests, taskSetup } from './setup.ts';

/** Where a task opens: it plans, unless it goes on with a plan that was left, or its goal itself is the plan (SPEC 3, 10). */
export const opened = taskSetup.createStateConfig({
  always: [
    { guard: 'isPlanInitialized', target: '#outer' },
    {
      guard: and([not('plansFirst'), 'confirmsPlan']),
      target: '#awaiting_user',
      actions: ['takeGoalAsPlan', 'askAboutPlan'],
    },
    { guard: not('plansFirst'), target: '#outer', actions: 'takeGoalAsPlan' },
    { target: '#planning' },
  ],
});

/** The plan, once in a task's life (SPEC 3); a plan that fails too often becomes the goal itself. It costs no budget. */
export const planning = taskSetup.createStateConfig({
  id: 'planning',
  entry: ['openEffect', requests('model.plan')],
  on: {
    'plan.made': [
      { guard: and(['confirmsPlan', 'hasPlan']), target: '#awaiting_user', actions: ['acceptPlan', 'askAboutPlan'] },
      { target: '#outer', actions: 'acceptPlan' },
    ],
    'plan.rejected': [
      {
        guard: and(['arePlanRetriesSpent', 'confirmsPlan']),
        target: '#awaiting_user',
        actions: ['refusePlan', 'takeGoalAsPlan', 'askAboutPlan'],
      },
      { guard: 'arePlanRetriesSpent', target: '#outer', actions: ['refusePlan', 'takeGoalAsPlan'] },
      { target: '#planning', reenter: true, actions: 'refusePlan' },
    ],
    'steer.received': steered,
    ...pausedAs,
    ...whileOpen,
  },
});

/** Writes of tools are verified before the answer goes out (SPEC 3); a failure leads to a replan that sees it. */
export const verifying = taskSetup.createStateConfig({
  id: 'verifying',
  entry: ['openUnsteered', requests('verify.run')],
  on: {
    'verification.finished': [
      { guard: and(['isVerified', 'isSteered']), target: '#outer', actions: ['passVerification', 'dropResponse'] },
      { guard: 'isVerified', target: '#done', actions: 'finish' },
      { guard: 'isVerifySpent', ...pausedFor('verification_failed', 'failVerification') },
      { target: '#outer', actions: 'failVerification' },
    ],
    'steer.received': { actions: ['takeSteer', 'noteSteered'] },
    ...pausedAs,
    ...whileOpen,
  },
});
