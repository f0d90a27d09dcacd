import { pausedAs, steered, whileOpen } from './rests.ts';
import { effectParams, taskSetup } from './setup.ts';

/** The plan, once in a task's life (SPEC 3); a plan that fails too often becomes the goal itself. It costs no budget. */
export const planning = taskSetup.createStateConfig({
  id: 'planning',
  entry: ['openEffect', { type: 'model.plan', params: effectParams.plan }],
  on: {
    'plan.made': [
      { guard: 'isPlanToBeConfirmed', target: '#awaiting_user', actions: ['acceptPlan', 'askAboutPlan'] },
      { target: '#outer', actions: 'acceptPlan' },
    ],
    'plan.rejected': [
      {
        guard: 'arePlanRetriesSpentAndConfirm',
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

/** What tools wrote is verified before the answer goes out (SPEC 3); a failure leads to a replan that sees it. */
export const verifying = taskSetup.createStateConfig({
  id: 'verifying',
  entry: ['openHeardEffect', { type: 'verify.run', params: effectParams.verify }],
  on: {
    'verification.finished': [
      { guard: 'isVerifiedUnheard', target: '#outer', actions: 'dropResponse' },
      { guard: 'isVerified', target: '#done', actions: 'finish' },
      {
        guard: 'isVerifySpent',
        target: '#paused',
        actions: [
          'failVerification',
          { type: 'pause', params: ({ event }) => ({ reason: 'verification_failed', detail: event.output }) },
        ],
      },
      { target: '#outer', actions: 'failVerification' },
    ],
    'steer.received': { actions: ['takeSteer', 'noteSteered'] },
    ...pausedAs,
    ...whileOpen,
  },
});
