import type { EventOf, PlanEdit } from '../../contracts/event.ts';
import type { PlanItem } from '../../contracts/plan.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { planItems, skipRepeated } from '../plan-items.ts';
import { withFailure, withoutFailures, withUsage } from './failures.ts';
import { observed } from './observed.ts';

/** Ids of given-up items kept, so that a dependency on one is known: far more than `max_replans` plans can give up. */
const ABANDONED_KEPT = 1_000;

const abandon = (context: TaskContext, ids: string[]): string[] =>
  [...new Set([...context.abandoned_items, ...ids])].slice(-ABANDONED_KEPT);

/** The first plan is accepted. */
export const planAccepted = (context: TaskContext, event: EventOf<'plan.made'>): Partial<TaskContext> => {
  const planned = planItems(event.plan, context);
  if (!planned.ok) throw new Error(`an unacceptable plan went in: ${planned.reason}`);
  return {
    ...withUsage(context, event),
    ...withoutFailures,
    plan_initialized: true,
    plan_items: planned.items,
    items_numbered: planned.itemsNumbered,
    current_plan_index: 0,
    plan_failures: 0,
    notes: event.notes ?? [],
  };
};

/** One more plan failed its contract; a plan that failed too often becomes the goal itself (SPEC 6). */
export const planRefused = (context: TaskContext, event: EventOf<'plan.rejected'>): Partial<TaskContext> => ({
  ...withUsage(context, event),
  plan_failures: context.plan_failures + 1,
  recent_failures: withFailure(context, event.reason).recent_failures ?? [],
});

/** The goal becomes the only item of the plan. */
export const goalAsPlan = (context: TaskContext): Partial<TaskContext> => ({
  plan_initialized: true,
  plan_items: [
    {
      id: '1',
      step: context.goal,
      status: 'not_started',
      depends_on: [],
      executor: 'default',
      tools: null,
      expected: null,
      result: null,
    },
  ],
  items_numbered: 1,
  current_plan_index: 0,
  ...withoutFailures,
});

/** A replan replaced the plan: one atomic change (SPEC 3). A steer that came meanwhile asks for another replan. */
export const replanAccepted = (context: TaskContext, event: EventOf<'replan.made'>): Partial<TaskContext> => {
  const planned = planItems(event.plan, context);
  if (!planned.ok) throw new Error(`an unacceptable replan went in: ${planned.reason}`);
  const { items, index } = skipRepeated(planned.items, context.completed_items);
  const kept = new Set(items.map((item) => item.id));
  const givenUp = context.plan_items.filter((item) => item.status !== 'completed' && !kept.has(item.id));
  return {
    ...replanCounted(context, event),
    plan_items: items,
    current_plan_index: index,
    items_numbered: planned.itemsNumbered,
    abandoned_items: abandon(
      context,
      givenUp.map((item) => item.id),
    ).filter((id) => !kept.has(id)),
    notes: event.notes ?? [],
  };
};

/** A replan was accepted, whatever it said. */
export const replanCounted = (context: TaskContext, event: EventOf<'replan.made'>): Partial<TaskContext> => ({
  ...withUsage(context, event),
  ...(context.consecutive_failures === 0 ? withoutFailures : {}),
  step_count: context.step_count + 1,
  replans: context.replans + 1,
  replan_failures: 0,
  needs_replan: context.steered,
  steered: false,
});

/** A replan failed its contract; replans count apart from the other failures (SPEC 6). */
export const replanRefused = (context: TaskContext, event: EventOf<'replan.rejected'>): Partial<TaskContext> => ({
  ...withUsage(context, event),
  step_count: context.step_count + 1,
  replan_failures: context.replan_failures + 1,
  recent_failures: withFailure(context, event.reason).recent_failures ?? [],
});

/** Items left over when the task is answered. */
export const leftoversDropped = (context: TaskContext): Partial<TaskContext> => ({
  plan_items: context.plan_items.map((item) => (item.status === 'completed' ? item : { ...item, status: 'dropped' })),
});

/** None of the items left can ever run: they are blocked, and an observation says why (SPEC 3). */
export const deadlocked = (context: TaskContext): Partial<TaskContext> => {
  const stuck = context.plan_items.filter((item) => item.status === 'not_started' || item.status === 'in_progress');
  const why = stuck.map((item) => `"${item.step}" waits for ${item.depends_on.join(', ')}`).join('; ');
  const plan_items = context.plan_items.map(
    (item): PlanItem => (stuck.includes(item) ? { ...item, status: 'blocked' } : item),
  );
  return {
    plan_items,
    abandoned_items: abandon(
      context,
      stuck.map((item) => item.id),
    ),
    deadlocks_in_a_row: context.deadlocks_in_a_row + 1,
    needs_replan: true,
    observations: observed(context, {
      item_id: null,
      source: 'deadlock',
      tool: '',
      input: '',
      ok: false,
      result: `Deadlock, no item can run: ${why}`,
    }),
  };
};

const edited = (items: PlanItem[], edit: PlanEdit, context: TaskContext): PlanItem[] => {
  switch (edit.kind) {
    case 'add': {
      const planned = planItems([edit.step], { ...context, plan_items: items });
      if (!planned.ok) throw new Error(planned.reason);
      return items.toSpliced(edit.index ?? items.length, 0, ...planned.items);
    }
    case 'drop':
      return items.map((item, i) => (i === edit.index ? { ...item, status: 'dropped' } : item));
    case 'move': {
      const moved = items[edit.from];
      return moved === undefined ? items : items.toSpliced(edit.from, 1).toSpliced(edit.to, 0, moved);
    }
    case 'mark':
      return items.map((item, i) => (i === edit.index ? { ...item, status: edit.status } : item));
    default:
      return edit satisfies never;
  }
};

/** The user changed the plan; replan runs when the task goes on (SPEC 3). */
export const planEdited = (context: TaskContext, event: EventOf<'plan.edited'>): Partial<TaskContext> => {
  let items = context.plan_items;
  let numbered = context.items_numbered;
  for (const edit of event.edits) {
    items = edited(items, edit, { ...context, items_numbered: numbered });
    if (edit.kind === 'add') numbered = Math.max(numbered, ...items.map((item) => Number(item.id) || 0));
  }
  const isNew = (item: PlanItem): boolean =>
    context.plan_items.every(({ id, status }) => id !== item.id || status !== item.status);
  return {
    plan_items: items,
    items_numbered: numbered,
    needs_replan: true,
    current_plan_index: Math.min(context.current_plan_index, items.length),
    completed_items: [
      ...context.completed_items,
      ...items.filter((item) => item.status === 'completed' && isNew(item)),
    ],
    abandoned_items: abandon(
      context,
      items.filter((item) => item.status === 'dropped' || item.status === 'blocked').map((item) => item.id),
    ),
  };
};
