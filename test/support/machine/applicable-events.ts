import type { TaskEvent } from '../../../contracts/event.ts';
import type { TaskSnapshot } from '../../../contracts/task.ts';
import { toolAsked } from './random-events.ts';
import { written } from './task-driver.ts';

/** The events that make sense in the task's state: every kind of outcome once, and what a user may do meanwhile. */
export const sensibleEvents = ({ state, context }: TaskSnapshot): TaskEvent[] => {
  const effect = context.open_effect ?? 0;
  const read = { effect, reader: 'strict' as const };
  const thought = { type: 'thought.made' as const, current_step: 'now', next_action: null, question: null, ...read };
  const cancel: TaskEvent = { type: 'task.cancelled', turn_id: null };
  /** One steer, early: enough to find every transition while the walk stays finite. */
  const steer: TaskEvent[] =
    context.clarification_history.length === 0 && context.step_count < 3
      ? [{ type: 'steer.received', turn_id: 'turn_1', text: 'Mind the cat' }]
      : [];
  const offline: TaskEvent = { type: 'model.unavailable', effect, reason: 'overloaded' };
  switch (state) {
    case 'planning':
      return [
        { type: 'plan.made', status: 'planned', goal: undefined, plan: written('A'), ...read },
        { type: 'plan.made', status: 'planned', goal: undefined, plan: [], ...read },
        { type: 'plan.rejected', effect, reason: 'no JSON' },
        ...steer,
        offline,
        cancel,
      ];
    case 'replanning':
      return [
        { type: 'replan.made', status: 'done', plan: [], response: 'All done', ...read },
        { type: 'replan.made', status: 'done', plan: [], response: 'I give up', outcome: 'failed', ...read },
        { type: 'replan.made', status: 'replanned', plan: written('B'), response: null, ...read },
        ...context.abandoned_items.slice(0, 1).map(
          (id): TaskEvent => ({
            type: 'replan.made',
            status: 'replanned',
            plan: written({ id: `after ${id}`, step: 'C', depends_on: [id] }),
            response: null,
            ...read,
          }),
        ),
        { type: 'replan.rejected', effect, reason: 'no JSON' },
        ...steer,
        { type: 'machine.changed', from: 'task@1', to: 'task@2', reason: 'other effects' },
        cancel,
      ];
    case 'thinking':
      return [
        { ...thought, status: 'continue', next_action: { tool: 'todo', input: 'list' }, response: null },
        {
          ...thought,
          status: 'continue',
          next_action: { tool: 'search', input: 'a' },
          response: null,
          more_actions: [{ tool: 'search', input: 'b' }],
        },
        { ...thought, status: 'ask_user', question: 'Which day?', response: null },
        { ...thought, status: 'done', response: null },
        { ...thought, status: 'done', response: null, outcome: 'blocked' },
        { type: 'thought.rejected', effect, reason: 'no JSON' },
        ...steer,
        { type: 'quota.exhausted', effect, reason: 'no tokens left' },
        cancel,
      ];
    case 'acting':
      return [
        { type: 'observation.recorded', effect, tool: 'todo', input: 'list', ok: true, result: 'milk' },
        { type: 'observation.recorded', effect, tool: 'todo', input: 'list', ok: false, result: 'no list' },
        ...[true, false].map((ok): TaskEvent => {
          const observations = ['a', 'b'].map((input) => ({ tool: 'search', input, ok, result: 'found' }));
          return { type: 'observations.recorded', effect, observations };
        }),
        // Once, early: what a call does after its question is the same later.
        ...(context.tool_question === null && context.step_count === 1
          ? [toolAsked(effect, { tool: 'todo', input: 'list' }, 'Which day?')]
          : []),
        ...steer,
        { type: 'effect.abandoned', effect, begins: 3 },
        cancel,
      ];
    case 'verifying':
      return [
        { type: 'verification.finished', effect, ok: true, output: '' },
        { type: 'verification.finished', effect, ok: false, output: '1 test failed' },
        ...steer,
        cancel,
      ];
    case 'awaiting_user':
      return [
        ...(context.awaiting === 'approval'
          ? [
              { type: 'decision.received' as const, turn_id: 'turn_2', decision: { type: 'approve_always' as const } },
              { type: 'plan.edited' as const, turn_id: null, edits: [{ kind: 'add' as const, step: 'D' }] },
            ]
          : []),
        ...(context.awaiting === 'tool'
          ? [
              { type: 'answer.received' as const, turn_id: 'turn_2', text: 'Monday' },
              { type: 'plan.edited' as const, turn_id: null, edits: [{ kind: 'add' as const, step: 'D' }] },
            ]
          : []),
        { type: 'answer.received', turn_id: 'turn_2', text: 'yes' },
        { type: 'answer.received', turn_id: 'turn_2', text: 'no' },
        // Only for the rarest question: the results of others are the same, and would double every path after it.
        ...(context.awaiting === 'failures'
          ? [{ type: 'question.expired' as const, expired_at: '2026-01-05T10:00:00.000Z' }]
          : []),
        cancel,
      ];
    case 'paused':
      return [
        { type: 'task.resumed', turn_id: 'turn_3' },
        ...(context.needs_replan
          ? []
          : [{ type: 'plan.edited' as const, turn_id: null, edits: [{ kind: 'add' as const, step: 'D' }] }]),
        cancel,
      ];
    case 'done':
    case 'failed':
    case 'cancelled':
      return [{ type: 'result.superseded', effect: 1, outcome: 'late' }];
    default:
      return state satisfies never;
  }
};
