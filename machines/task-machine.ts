import { and, not } from 'xstate';
import { initialContext } from './context.ts';
import { requests, taskSetup } from './setup.ts';

/** The machine's name and version, on every trace entry. Raise the version when any history would fold differently. */
export const MACHINE = 'tripact-task@4';

/** More microsteps than any one event can cause: past this the machine itself is at fault. */
const MAX_ITERATIONS = 100;

/**
 * One task, from its goal to its end (SPEC 3). Pure: it names its effects, and their outcomes come back as events. Every state is here and
 * written out, so that editors of statecharts can show it; a state that the API shows has its name as its id.
 */
export const taskMachine = taskSetup.createMachine({
  id: 'task',
  context: ({ input }) => initialContext(input),
  initial: 'open',
  options: { maxIterations: MAX_ITERATIONS },
  // A late result is stored and changes nothing. Without an action XState would not count it as a transition.
  on: { 'result.superseded': { actions: 'changeNothing' } },
  states: {
    open: {
      initial: 'working',
      on: {
        'task.cancelled': { target: '#cancelled' },
        'machine.changed': {
          target: '#paused',
          actions: { type: 'pause', params: { reason: 'machine_changed' } },
        },
      },
      states: {
        // A model, a tool or a verifier works: between events, each state in here has an open effect.
        working: {
          initial: 'opened',
          on: {
            // A steer joins the clarifications of a running task; the next outer loop replans (SPEC 2).
            'steer.received': { actions: 'takeSteer' },
            'model.unavailable': {
              target: '#paused',
              actions: { type: 'pause', params: { reason: 'model_unavailable' } },
            },
            'effect.abandoned': {
              target: '#paused',
              actions: { type: 'pause', params: { reason: 'crash_loop' } },
            },
            'quota.exhausted': {
              target: '#paused',
              actions: { type: 'pause', params: { reason: 'budget_exhausted' } },
            },
          },
          states: {
            // A task plans first, unless its user or a left plan gave it one, or its goal itself is the plan (SPEC 3, 10).
            opened: {
              always: [
                { guard: and(['isPlanReady', 'confirmsFirstPlan']), target: '#awaiting_user', actions: 'askAboutPlan' },
                { guard: 'isPlanInitialized', target: 'outer' },
                {
                  guard: and([not('plansFirst'), 'confirmsFirstPlan']),
                  target: '#awaiting_user',
                  actions: ['takeGoalAsPlan', 'askAboutPlan'],
                },
                { guard: not('plansFirst'), target: 'outer', actions: 'takeGoalAsPlan' },
                { target: 'planning' },
              ],
            },
            // The plan, once in a task's life (SPEC 3); a plan that fails too often becomes the goal itself. It costs no budget.
            planning: {
              id: 'planning',
              entry: ['openEffect', requests('model.plan')],
              on: {
                'plan.made': [
                  {
                    guard: and(['confirmsFirstPlan', 'hasPlan']),
                    target: '#awaiting_user',
                    actions: ['acceptPlan', 'askAboutPlan'],
                  },
                  { target: 'outer', actions: 'acceptPlan' },
                ],
                'plan.rejected': [
                  {
                    guard: and(['arePlanRetriesSpent', 'confirmsFirstPlan']),
                    target: '#awaiting_user',
                    actions: ['refusePlan', 'takeGoalAsPlan', 'askAboutPlan'],
                  },
                  {
                    guard: 'arePlanRetriesSpent',
                    target: 'outer',
                    actions: ['refusePlan', 'takeGoalAsPlan'],
                  },
                  { target: 'planning', reenter: true, actions: 'refusePlan' },
                ],
              },
            },
            // The outer loop (SPEC 3): a replan where one is needed, else the next item. It alone ends a task with an answer.
            outer: {
              id: 'outer',
              initial: 'gate',
              states: {
                gate: {
                  id: 'outer_gate',
                  always: [
                    { guard: 'isBudgetSpent', target: 'budget_spent' },
                    {
                      guard: and(['needsReplan', 'areReplansSpent']),
                      target: '#paused',
                      actions: { type: 'pause', params: { reason: 'replan_limit' } },
                    },
                    { guard: 'needsReplan', target: 'replanning' },
                    { guard: 'isPlanEmpty', target: 'inner' },
                    { guard: 'canPickItem', target: 'inner', actions: 'pickItem' },
                    {
                      guard: and(['isDeadlocked', 'wasDeadlocked']),
                      target: '#paused',
                      actions: ['markDeadlocked', { type: 'pause', params: { reason: 'deadlock' } }],
                    },
                    { guard: 'isDeadlocked', target: 'gate', actions: 'markDeadlocked' },
                    { target: 'gate', actions: 'requireReplan' },
                  ],
                },
                // Either gate leads here once steps, tokens or money are spent (SPEC 4).
                budget_spent: {
                  id: 'budget_spent',
                  always: [
                    { guard: and(['areStepsSpent', 'isStepLimitFinal']), target: '#failed' },
                    {
                      guard: 'areStepsSpent',
                      target: '#paused',
                      actions: { type: 'pause', params: { reason: 'step_limit' } },
                    },
                    { target: '#paused', actions: { type: 'pause', params: { reason: 'budget_exhausted' } } },
                  ],
                },
                replanning: {
                  id: 'replanning',
                  entry: ['openUnsteered', requests('model.replan')],
                  on: {
                    'steer.received': { actions: ['takeSteer', 'noteSteered'] },
                    'replan.made': [
                      {
                        guard: and(['isDone', 'isSteered']),
                        target: 'gate',
                        actions: ['countReplan', 'dropResponse'],
                      },
                      {
                        guard: and(['isDone', 'needsVerifying']),
                        target: '#verifying',
                        actions: 'keepResponse',
                      },
                      { guard: 'isDone', target: '#done', actions: 'keepResponse' },
                      {
                        guard: and(['confirmsPlan', not('isSteered')]),
                        target: '#awaiting_user',
                        actions: ['acceptReplan', 'askAboutPlan'],
                      },
                      { target: 'gate', actions: 'acceptReplan' },
                    ],
                    'replan.rejected': [
                      {
                        guard: 'areReplanRetriesSpent',
                        target: '#paused',
                        actions: ['refuseReplan', { type: 'pause', params: { reason: 'contract_failure' } }],
                      },
                      { target: 'gate', actions: 'refuseReplan' },
                    ],
                  },
                },
                // The inner loop (SPEC 3): rounds of thought, act and observe on one plan item. It never rewrites the plan.
                // The outer gate stands before its first round, its own before each other one.
                inner: {
                  initial: 'thinking',
                  states: {
                    gate: {
                      always: [
                        { guard: 'isBudgetSpent', target: '#budget_spent' },
                        { guard: 'needsReplan', target: '#outer_gate' },
                        { target: 'thinking' },
                      ],
                    },
                    thinking: {
                      id: 'thinking',
                      entry: ['openThought', requests('model.thought')],
                      on: {
                        'thought.made': [
                          { guard: 'givesItemUp', target: '#outer_gate', actions: 'blockItem' },
                          {
                            guard: and(['wantsAction', 'needsApproval']),
                            target: '#awaiting_user',
                            actions: 'askForApproval',
                          },
                          { guard: 'wantsAction', target: 'acting', actions: 'takeThought' },
                          { guard: 'asksUser', target: '#awaiting_user', actions: 'askThoughtsQuestion' },
                          { guard: 'concludesTask', target: '#done', actions: 'concludeTask' },
                          { target: '#outer_gate', actions: 'completeItem' },
                        ],
                        'thought.rejected': [
                          {
                            guard: 'isRejectedAgain',
                            target: '#awaiting_user',
                            actions: ['refuseThought', 'askWhatToDo'],
                          },
                          { target: 'gate', actions: 'refuseThought' },
                        ],
                      },
                    },
                    acting: {
                      id: 'acting',
                      entry: ['openEffect', requests('tool.call'), requests('tool.batch')],
                      on: {
                        'observation.recorded': { target: 'gate', actions: 'observeAction' },
                        // A server asks the user before it goes on with the call (SPEC 6).
                        'tool.asked': { target: '#awaiting_user', actions: 'askForTool' },
                        'observations.recorded': { target: 'gate', actions: 'observeActions' },
                      },
                    },
                  },
                },
              },
            },
            // Writes of tools are verified before the answer goes out (SPEC 3); a failure leads to a replan that sees it.
            verifying: {
              id: 'verifying',
              entry: ['openUnsteered', requests('verify.run')],
              on: {
                'steer.received': { actions: ['takeSteer', 'noteSteered'] },
                'verification.finished': [
                  {
                    guard: and(['isVerified', 'isSteered']),
                    target: 'outer',
                    actions: ['passVerification', 'dropResponse'],
                  },
                  { guard: 'isVerified', target: '#done' },
                  {
                    guard: 'isVerifySpent',
                    target: '#paused',
                    actions: ['failVerification', { type: 'pause', params: { reason: 'verification_failed' } }],
                  },
                  { target: 'outer', actions: 'failVerification' },
                ],
              },
            },
          },
        },
        // The task waits for the user: at no cost, for as long as it takes (SPEC 6).
        awaiting_user: {
          id: 'awaiting_user',
          exit: 'stopAsking',
          on: {
            'answer.received': [
              { guard: and(['isPlanShown', 'saysYes']), target: '#outer', actions: 'takeAgreement' },
              { guard: and(['isPlanShown', 'saysNo']), target: '#cancelled' },
              { guard: 'isPlanShown', target: '#outer', actions: 'takeRemark' },
              { guard: and(['isApprovalPending', 'letsItRun']), target: '#acting', actions: 'approveAction' },
              { guard: 'isApprovalPending', target: '#outer', actions: 'rejectAction' },
              { guard: and(['isToolAsking', 'isMisfit']), actions: 'askToolAgain' },
              { guard: and(['isToolAsking', 'asksMore']), actions: 'takeToolAnswer' },
              { guard: 'isToolAsking', target: '#acting', actions: 'takeToolAnswer' },
              { target: '#outer', actions: 'takeAnswer' },
            ],
            'decision.received': [
              { guard: and(['isApprovalPending', 'letsItRun']), target: '#acting', actions: 'approveAction' },
              { target: '#outer', actions: 'rejectAction' },
            ],
            'question.expired': {
              target: 'paused',
              actions: { type: 'pause', params: { reason: 'question_expired' } },
            },
            'plan.edited': [
              { guard: 'isActionHeld', actions: ['editPlan', 'withdrawAction'] },
              { guard: 'isPlanShown', actions: ['editPlan', 'askAboutPlan'] },
              { actions: 'editPlan' },
            ],
          },
        },
        // The task keeps everything until it is resumed (SPEC 6).
        paused: {
          id: 'paused',
          on: {
            'task.resumed': [
              { guard: 'isQuestionExpired', target: 'awaiting_user', actions: 'askAgain' },
              { guard: 'isPlanInitialized', target: '#outer', actions: 'resume' },
              { target: '#planning', actions: 'resume' },
            ],
            'plan.edited': { actions: ['editPlan', 'forgetQuestion'] },
          },
        },
      },
    },
    // The task has ended with an answer and changes no more; its outcome came with the answer.
    done: { id: 'done', type: 'final', entry: 'finish' },
    // The task has used every step that it may ever have.
    failed: { id: 'failed', type: 'final', entry: { type: 'end', params: { outcome: 'failed' } } },
    // The task was cancelled, and has no outcome.
    cancelled: { id: 'cancelled', type: 'final', entry: { type: 'end', params: { outcome: null } } },
  },
});
