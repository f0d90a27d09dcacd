import { and } from 'xstate';
import type { PauseReason } from '../contracts/task.ts';
import { taskSetup } from './setup.ts';

/** The end of a transition that pauses a task, with the actions that come first. */
export const pausedFor = (reason: PauseReason, ...first: ('markDeadlocked' | 'refuseReplan' | 'failVerification')[]) =>
  ({ target: '#paused', actions: [...first, { type: 'pause', params: { reason } }] }) as const;

/** Transitions of a task until it has ended. */
export const whileOpen = taskSetup.createStateConfig({
  on: {
    'task.cancelled': { target: '#cancelled' },
    'machine.changed': pausedFor('machine_changed'),
  },
}).on;

/** Transitions that end or pause a task at a gate, once its budget is spent (SPEC 4). */
export const atSpentBudget = taskSetup.createStateConfig({
  always: [
    { guard: and(['isBudgetSpent', 'isLimitFinal']), target: '#failed' },
    { guard: 'isBudgetSpent', ...pausedFor('step_limit') },
    { guard: 'isTokenBudgetSpent', ...pausedFor('budget_exhausted') },
    { guard: 'isCostBudgetSpent', ...pausedFor('budget_exhausted') },
  ],
}).always;

/** Transitions that pause a task from any state that has an effect open (SPEC 6). */
export const pausedAs = taskSetup.createStateConfig({
  on: {
    'model.unavailable': pausedFor('model_unavailable'),
    'effect.abandoned': pausedFor('crash_loop'),
    'quota.exhausted': pausedFor('budget_exhausted'),
  },
}).on;

/** A steer joins the clarifications of a running task; the next outer loop replans (SPEC 2). */
export const steered = { actions: 'takeSteer' } as const;

/** The task waits for the user: at no cost, for as long as it takes (SPEC 6). */
export const awaitingUser = taskSetup.createStateConfig({
  id: 'awaiting_user',
  exit: 'stopAsking',
  on: {
    ...whileOpen,
    'answer.received': [
      { guard: and(['isPlanShown', 'saysYes']), target: '#outer', actions: 'takeAgreement' },
      { guard: and(['isPlanShown', 'saysNo']), target: '#cancelled' },
      { guard: 'isPlanShown', target: '#outer', actions: 'takeRemark' },
      { guard: and(['isApprovalPending', 'letsItRun']), target: '#acting', actions: 'approveAction' },
      { guard: 'isApprovalPending', target: '#outer', actions: 'rejectAction' },
      { target: '#outer', actions: 'takeAnswer' },
    ],
    'decision.received': [
      { guard: and(['isApprovalPending', 'letsItRun']), target: '#acting', actions: 'approveAction' },
      { target: '#outer', actions: 'rejectAction' },
    ],
    'question.expired': pausedFor('question_expired'),
    'plan.edited': [
      { guard: 'isApprovalPending', actions: ['editPlan', 'withdrawApproval'] },
      { guard: 'isPlanShown', actions: ['editPlan', 'askAboutPlan'] },
      { actions: 'editPlan' },
    ],
  },
});

/** The task is paused and keeps everything until it is resumed (SPEC 6). */
export const paused = taskSetup.createStateConfig({
  id: 'paused',
  on: {
    ...whileOpen,
    'task.resumed': [
      { guard: 'isQuestionExpired', target: '#awaiting_user', actions: 'askAgain' },
      { guard: 'isPlanInitialized', target: '#outer', actions: 'resume' },
      { target: '#planning', actions: 'resume' },
    ],
    'plan.edited': { actions: ['editPlan', 'forgetQuestion'] },
  },
});

/** The task has ended with an answer and changes no more; its outcome came with the answer. */
export const done = taskSetup.createStateConfig({ id: 'done', entry: 'end' });

/** The task has used every step that it may ever have. */
export const failed = taskSetup.createStateConfig({
  id: 'failed',
  entry: ['end', { type: 'setOutcome', params: { outcome: 'failed' } }],
});

/** The task was cancelled, and has no outcome. */
export const cancelled = taskSetup.createStateConfig({
  id: 'cancelled',
  entry: ['end', { type: 'setOutcome', params: { outcome: null } }],
});
