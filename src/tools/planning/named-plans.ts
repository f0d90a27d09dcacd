import { NAMED_PLANS_MAX } from '../../../contracts/limits.ts';
import {
  NamedPlan,
  type NamedPlanProgress,
  type NamedPlanSummary,
  type NamedStep,
} from '../../../contracts/named-plan.ts';
import { iso } from '../../lib/iso-time.ts';
import { type Asking, ask } from '../../store/questions.ts';
import { type NamedPlans, PlanRefused, type PlanScope } from './port.ts';

interface PlanRow extends Omit<NamedPlanProgress, 'percent'> {
  id: number;
  plan_id: string;
  title: string;
  is_active: number;
  created_at: number;
  updated_at: number;
}

const summaryOf = ({
  id: _id,
  is_active,
  created_at,
  updated_at,
  plan_id,
  title,
  ...counts
}: PlanRow): NamedPlanSummary => ({
  plan_id,
  title,
  active: is_active === 1,
  progress: {
    ...counts,
    percent: counts.total === 0 ? 0 : Math.round((counts.completed / counts.total) * 1_000) / 10,
  },
  created_at: iso(created_at),
  updated_at: iso(updated_at),
});

/** A session's plans with the counts of their steps, those of a condition alone. */
const rowsWhere = (condition: string, { owner, session_id }: PlanScope, values: { plan_id?: string } = {}) =>
  ask<PlanRow>(
    `SELECT id, plan_id, title, is_active, created_at, updated_at, count(steps.plan) AS total,
       count(*) FILTER (WHERE steps.status = 'completed') AS completed,
       count(*) FILTER (WHERE steps.status = 'in_progress') AS in_progress,
       count(*) FILTER (WHERE steps.status = 'blocked') AS blocked,
       count(*) FILTER (WHERE steps.status = 'not_started') AS not_started
     FROM named_plans LEFT JOIN named_plan_steps steps ON steps.plan = named_plans.id
     WHERE owner = @owner AND session_id = @session_id AND ${condition} GROUP BY named_plans.id ORDER BY named_plans.id`,
    { owner, session_id, ...values },
  );

const rowsOf = (scope: PlanScope, plan_id: string): Asking<PlanRow[]> =>
  rowsWhere('plan_id = @plan_id', scope, { plan_id: plan_id.normalize('NFC') });

/** The plan of that id, or the active one. */
function* find(scope: PlanScope, planId: string | undefined): Asking<PlanRow> {
  const [row] = yield* planId === undefined ? rowsWhere('is_active = 1', scope) : rowsOf(scope, planId);
  if (row === undefined) throw new PlanRefused(planId === undefined ? 'no_active' : 'unknown');
  return row;
}

const stepsOf = (plan: number): Asking<NamedStep[]> =>
  ask<NamedStep>('SELECT step, status, notes FROM named_plan_steps WHERE plan = @plan ORDER BY position', { plan });

/**
 * The steps of a plan after an update: one whose text is unchanged keeps its status and notes, even where it moved; all others
 * are not started. Of several with one text, those that stayed in place come first, then the others in order.
 */
const keepSteps = (before: readonly NamedStep[], texts: readonly string[]): NamedStep[] => {
  const moved = before.filter(({ step }, index) => step !== texts[index]);
  return texts.map((text, index) => {
    const stayed = before[index];
    if (stayed?.step === text) return stayed;
    const from = moved.findIndex(({ step }) => step === text);
    const [kept] = from === -1 ? [] : moved.splice(from, 1);
    return kept ?? { step: text, status: 'not_started', notes: null };
  });
};

function* setSteps(plan: number, texts: readonly string[]): Asking<void> {
  const steps = keepSteps(yield* stepsOf(plan), texts);
  yield* ask('DELETE FROM named_plan_steps WHERE plan = @plan', { plan });
  for (const [position, { step, status, notes }] of steps.entries())
    yield* ask(
      'INSERT INTO named_plan_steps (plan, position, step, status, notes) VALUES (@plan, @position, @step, @status, @notes)',
      { plan, position, step, status, notes },
    );
}

function* makeActive({ owner, session_id }: PlanScope, id: number): Asking<void> {
  // First of all, for there is one active plan at any time.
  yield* ask('UPDATE named_plans SET is_active = 0 WHERE owner = @owner AND session_id = @session_id', {
    ...{ owner, session_id },
  });
  yield* ask('UPDATE named_plans SET is_active = 1 WHERE id = @id', { id });
}

const change = (id: number, title: string, now: number): Asking<unknown> =>
  ask('UPDATE named_plans SET title = @title, updated_at = @now WHERE id = @id', { id, title, now });

/** The named plans of the owner's data. */
export const namedPlans: NamedPlans = {
  *list(scope) {
    return (yield* rowsWhere('true', scope)).map(summaryOf);
  },
  *get(scope, planId) {
    const row = yield* find(scope, planId);
    return NamedPlan.parse({ ...summaryOf(row), steps: yield* stepsOf(row.id) });
  },
  *create(scope, { plan_id, title = plan_id, steps }, now) {
    if ((yield* rowsOf(scope, plan_id)).length > 0) throw new PlanRefused('exists');
    const { owner, session_id } = scope;
    const [plans] = yield* ask<{ count: number }>(
      'SELECT count(*) AS count FROM named_plans WHERE owner = @owner AND session_id = @session_id',
      { owner, session_id },
    );
    if (plans!.count >= NAMED_PLANS_MAX) throw new PlanRefused('full');
    const [made] = yield* ask<{ id: number }>(
      `INSERT INTO named_plans (owner, session_id, plan_id, title, is_active, created_at, updated_at)
       VALUES (@owner, @session_id, @plan_id, @title, 0, @now, @now) RETURNING id`,
      { owner, session_id, plan_id, title, now },
    );
    yield* setSteps(made!.id, steps);
    yield* makeActive(scope, made!.id);
    return yield* namedPlans.get(scope, plan_id);
  },
  *update(scope, planId, { title, steps }, now) {
    const row = yield* find(scope, planId);
    if (steps !== undefined) yield* setSteps(row.id, steps);
    yield* change(row.id, title ?? row.title, now);
    return yield* namedPlans.get(scope, row.plan_id);
  },
  *mark(scope, planId, index, { status, notes }, now) {
    const row = yield* find(scope, planId);
    const at = { plan: row.id, index };
    const [step] = yield* ask<NamedStep>(
      'SELECT step, status, notes FROM named_plan_steps WHERE plan = @plan AND position = @index',
      at,
    );
    if (step === undefined) throw new PlanRefused('no_such_step');
    const marked = { status: status ?? step.status, notes: notes === undefined ? step.notes : notes };
    yield* ask(
      'UPDATE named_plan_steps SET status = @status, notes = @notes WHERE plan = @plan AND position = @index',
      {
        ...{ ...at, ...marked },
      },
    );
    yield* change(row.id, row.title, now);
    return yield* namedPlans.get(scope, row.plan_id);
  },
  *activate(scope, planId) {
    const row = yield* find(scope, planId);
    yield* makeActive(scope, row.id);
    return yield* namedPlans.get(scope, row.plan_id);
  },
  *delete(scope, planId) {
    const { id } = yield* find(scope, planId);
    yield* ask('DELETE FROM named_plans WHERE id = @id', { id });
  },
};
