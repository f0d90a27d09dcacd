import type { PlanItem } from '../contracts/answer.ts';
import type { EventOf, PlanEdit } from '../contracts/event.ts';
import { messages } from '../contracts/messages/messages.ts';
import type { TaskContext } from '../contracts/task.ts';
import { exposedBy } from './approvals.ts';
import { assigned, firstPlan, onEvent } from './context.ts';
import { acceptedItems, isOpen, skipRepeated } from './plan-items.ts';
import { withAbandoned, withFailure, withFinding, withPast, withUsage } from './tallies.ts';

/** The task with the tools available now. Their marks of untrusted results hold for earlier results, too. */
const withCatalogue = (context: TaskContext, { catalogue }: EventOf<'plan.made' | 'replan.made'>): TaskContext =>
  catalogue === undefined
    ? context
    : { ...context, catalogue, exposed: exposedBy(context.exposed, catalogue, context.observations) };

const replanCounted = (context: TaskContext, event: EventOf<'replan.made'>): Partial<TaskContext> => ({
  ...withUsage(context, event),
  recent_failures: context.recent_failures.slice(
    0,
    Math.max(0, context.recent_failures.length - context.replan_failures),
  ),
  step_count: context.step_count + 1,
  replans: context.replans + 1,
  failed_since_replan: false,
  replan_failures: 0,
  needs_replan: context.steered,
  steered: false,
});

/** The task with one edit more made to its plan, of several that are taken together. */
const withEdit = (context: TaskContext, edit: PlanEdit): TaskContext => {
  const items = context.plan_items;
  switch (edit.kind) {
    case 'add': {
      const past = [...context.abandoned_items, ...items.map((item) => item.id)];
      const planned = acceptedItems([edit.step], { ...context, plan_items: [], abandoned_items: past });
      return {
        ...context,
        items_numbered: planned.itemsNumbered,
        plan_items: items.toSpliced(edit.index ?? items.length, 0, ...planned.items),
      };
    }
    case 'drop':
      return { ...context, plan_items: items.with(edit.index, { ...items[edit.index]!, status: 'dropped' }) };
    case 'move':
      return { ...context, plan_items: items.toSpliced(edit.from, 1).toSpliced(edit.to, 0, items[edit.from]!) };
    case 'mark':
      return { ...context, plan_items: items.with(edit.index, { ...items[edit.index]!, status: edit.status }) };
    default:
      return edit satisfies never;
  }
};

const hasEnded = (status: PlanItem['status'] | undefined): boolean => status === 'completed' || status === 'blocked';

/** The user changed the plan; replan runs when the task resumes (SPEC 3). An ended item that the edit reopens is worked on again. */
export const planEdited = (context: TaskContext, event: EventOf<'plan.edited'>): Partial<TaskContext> => {
  const { plan_items, items_numbered } = event.edits.reduce(withEdit, context);
  const before = new Map(context.plan_items.map((item) => [item.id, item.status]));
  const changed = plan_items.filter(({ id, status }) => before.get(id) !== status);
  const reopened = changed.filter(({ id }) => hasEnded(before.get(id)));
  const isReopened = (past: PlanItem): boolean =>
    reopened.some(({ id, step }) => before.get(id) === past.status && (id === past.id || step === past.step));
  const givenUp = plan_items.filter((item) => item.status === 'dropped' || item.status === 'blocked');
  const current = context.plan_items[context.current_plan_index]?.id;
  const index = plan_items.findIndex((item) => item.id === current);
  return {
    items_numbered,
    needs_replan: true,
    current_plan_index: index === -1 ? plan_items.length : index,
    ...withPast(
      plan_items,
      context.past_items.filter((past) => !isReopened(past)),
      changed.filter(({ status }) => hasEnded(status)),
    ),
    abandoned_items: withAbandoned(
      context,
      plan_items,
      [...givenUp, ...context.past_items.filter(isReopened)].map((item) => item.id),
    ),
  };
};

export const planActions = {
  acceptPlan: onEvent('plan.made', (before, event) => {
    const context = withCatalogue(before, event);
    return {
      ...withUsage(context, event),
      ...firstPlan(context, event.plan),
      catalogue: context.catalogue,
      notes: event.notes ?? [],
    };
  }),
  /** One more plan failed its contract; a plan that failed too often becomes the goal itself (SPEC 6). */
  refusePlan: onEvent('plan.rejected', (context, event) => ({
    ...withUsage(context, event),
    plan_failures: context.plan_failures + 1,
    recent_failures: withFailure(context, event.reason).recent_failures ?? [],
  })),
  takeGoalAsPlan: assigned((context) => firstPlan(context, [context.goal])),
  /** A replan replaced the plan: one atomic change (SPEC 3). A steer that came meanwhile asks for another replan. */
  acceptReplan: onEvent('replan.made', (before, event) => {
    const context = withCatalogue(before, event);
    const planned = acceptedItems(event.plan, context);
    const { items, index } = skipRepeated(planned.items, context);
    const kept = new Set(items.map((item) => item.id));
    const givenUp = context.plan_items.filter((item) => item.status !== 'completed' && !kept.has(item.id));
    return {
      ...replanCounted(context, event),
      catalogue: context.catalogue,
      exposed: context.exposed,
      plan_items: items,
      current_plan_index: index,
      items_numbered: planned.itemsNumbered,
      abandoned_items: withAbandoned(
        context,
        items,
        givenUp.map((item) => item.id),
      ).filter((id) => !kept.has(id)),
      notes: event.notes ?? [],
    };
  }),
  countReplan: onEvent('replan.made', replanCounted),
  /** A replan failed its contract; replans count apart from the other failures (SPEC 6). */
  refuseReplan: onEvent('replan.rejected', (context, event) => ({
    ...withUsage(context, event),
    step_count: context.step_count + 1,
    replan_failures: context.replan_failures + 1,
    recent_failures: withFailure(context, event.reason).recent_failures ?? [],
  })),
  editPlan: onEvent('plan.edited', planEdited),
  requireReplan: assigned(() => ({ needs_replan: true })),
  /** The open items can never run: they are blocked, and an observation says why (SPEC 3). */
  markDeadlocked: assigned((context) => {
    const stuck = context.plan_items.filter(isOpen);
    const texts = messages(context.language).taskNotes;
    const plan_items = context.plan_items.map(
      (item): PlanItem => (stuck.includes(item) ? { ...item, status: 'blocked' } : item),
    );
    const blocked = plan_items.filter((_, i) => stuck.includes(context.plan_items[i]!));
    return {
      ...withPast(plan_items, context.past_items, blocked),
      is_recovering: true,
      abandoned_items: withAbandoned(
        context,
        plan_items,
        stuck.map((item) => item.id),
      ),
      deadlocks_in_a_row: context.deadlocks_in_a_row + 1,
      needs_replan: true,
      observations: withFinding(
        context,
        'deadlock',
        '',
        texts.deadlock(stuck.map((item) => texts.waitsFor(item.step, item.depends_on))),
      ),
    };
  }),
  /** A replan ended the task: its answer, which may have to be verified first, and how the task ends with it. */
  keepResponse: onEvent('replan.made', (context, event) => ({
    ...replanCounted(context, event),
    pending_final_response: event.response,
    pending_answer: event.answer ?? null,
    outcome: event.outcome ?? 'completed',
  })),
  dropResponse: assigned(() => ({ pending_final_response: null, outcome: null, needs_replan: true, steered: false })),
};
