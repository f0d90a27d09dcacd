import { NAMED_PLANS_MAX } from '../../../contracts/limits.ts';
import { NamedPlan, type NamedPlanSummary, type NamedStep } from '../../../contracts/named-plan.ts';
import { iso } from '../../lib/iso-time.ts';
import { type Asking, ask } from '../../store/questions.ts';
import { keepSteps } from './keep-steps.ts';
import { type NamedPlans, PlanRefused, type PlanScope } from './port.ts';

interface PlanRow {
  id: number;
  plan_id: string;
  title: string;
  is_active: number;
  created_at: number;
  updated_at: number;
  total: number;
  completed: number;
  in_progress: number;
  blocked: number;
  not_started: number;
}

const counted = (status: string): string => `count(*) FILTER (WHERE steps.status = '${status}') AS ${status}`;
const select = (condition: string): string =>
  `SELECT id, plan_id, title, is_active, created_at, updated_at, count(steps.plan) AS total,
     ${['completed', 'in_progress', 'blocked', 'not_started'].map(counted).join(', ')}
   FROM named_plans LEFT JOIN named_plan_steps steps ON steps.plan = named_plans.id
   WHERE owner = @owner AND session_id = @session_id AND ${condition} GROUP BY named_plans.id ORDER BY named_plans.id`;

const summaryOf = (row: PlanRow): NamedPlanSummary => {
  const { plan_id, title, is_active, created_at, updated_at, total, completed, in_progress, blocked, not_started } =
    row;
  const percent = total === 0 ? 0 : Math.round((completed / total) * 1_000) / 10;
  return {
    plan_id,
    title,
    active: is_active === 1,
    progress: { total, completed, in_progress, blocked, not_started, percent },
    created_at: iso(created_at),
    updated_at: iso(updated_at),
  };
};

const rowsOf = ({ owner, session_id }: PlanScope): Asking<PlanRow[]> =>
  ask<PlanRow>(select('1 = 1'), { owner, session_id });

function* rowById({ owner, session_id }: PlanScope, planId: string): Asking<PlanRow | undefined> {
  const [row] = yield* ask<PlanRow>(select('plan_id = @plan_id'), {
    owner,
    session_id,
    plan_id: planId.normalize('NFC'),
  });
  return row;
}

function* activeRow({ owner, session_id }: PlanScope): Asking<PlanRow | undefined> {
  const [row] = yield* ask<PlanRow>(select('is_active = 1'), { owner, session_id });
  return row;
}

function* find(scope: PlanScope, planId: string | undefined): Asking<PlanRow> {
  const row = planId === undefined ? yield* activeRow(scope) : yield* rowById(scope, planId);
  if (row === undefined) throw new PlanRefused(planId === undefined ? 'no_active' : 'unknown');
  return row;
}

const stepsOf = (plan: number): Asking<NamedStep[]> =>
  ask<NamedStep>('SELECT step, status, notes FROM named_plan_steps WHERE plan = @plan ORDER BY position', { plan });

function* setSteps(plan: number, steps: NamedStep[]): Asking<void> {
  yield* ask('DELETE FROM named_plan_steps WHERE plan = @plan', { plan });
  for (const [position, { step, status, notes }] of steps.entries())
    yield* ask(
      'INSERT INTO named_plan_steps (plan, position, step, status, notes) VALUES (@plan, @position, @step, @status, @notes)',
      { plan, position, step, status, notes },
    );
}

function* makeActive({ owner, session_id }: PlanScope, id: number): Asking<void> {
  yield* ask('UPDATE named_plans SET is_active = 0 WHERE owner = @owner AND session_id = @session_id', {
    owner,
    session_id,
  });
  yield* ask('UPDATE named_plans SET is_active = 1 WHERE id = @id', { id });
}

const change = (id: number, title: string, now: number): Asking<unknown> =>
  ask('UPDATE named_plans SET title = @title, updated_at = @now WHERE id = @id', { id, title, now });

/** The named plans of the owner's data. */
export const namedPlans: NamedPlans = {
  *list(scope) {
    return (yield* rowsOf(scope)).map(summaryOf);
  },
  *get(scope, planId) {
    const row = yield* find(scope, planId);
    return NamedPlan.parse({ ...summaryOf(row), steps: yield* stepsOf(row.id) });
  },
  *create(scope, { plan_id, title, steps }, now) {
    if ((yield* rowById(scope, plan_id)) !== undefined) throw new PlanRefused('exists');
    const [plans] = yield* ask<{ count: number }>(
      'SELECT count(*) AS count FROM named_plans WHERE owner = @owner AND session_id = @session_id',
      { owner: scope.owner, session_id: scope.session_id },
    );
    if (plans!.count >= NAMED_PLANS_MAX) throw new PlanRefused('full');
    const kept = keepSteps([], steps);
    const named = title ?? plan_id;
    const { owner, session_id } = scope;
    const [made] = yield* ask<{ id: number }>(
      `INSERT INTO named_plans (owner, session_id, plan_id, title, is_active, created_at, updated_at)
       VALUES (@owner, @session_id, @plan_id, @title, 0, @now, @now) RETURNING id`,
      { owner, session_id, plan_id, title: named, now },
    );
    yield* setSteps(made!.id, kept);
    yield* makeActive(scope, made!.id);
    return yield* namedPlans.get(scope, plan_id);
  },
  *update(scope, planId, { title, steps }, now) {
    const row = yield* find(scope, planId);
    const named = title ?? row.title;
    if (steps !== undefined) yield* setSteps(row.id, keepSteps(yield* stepsOf(row.id), steps));
    yield* change(row.id, named, now);
    return yield* namedPlans.get(scope, row.plan_id);
  },
  *mark(scope, planId, index, { status, notes }, now) {
    const row = yield* find(scope, planId);
    const [step] = yield* ask<NamedStep>(
      'SELECT step, status, notes FROM named_plan_steps WHERE plan = @plan AND position = @index',
      { plan: row.id, index },
    );
    if (step === undefined) throw new PlanRefused('no_such_step');
    yield* ask(
      'UPDATE named_plan_steps SET status = @status, notes = @notes WHERE plan = @plan AND position = @index',
      {
        ...{ plan: row.id, index, status: status ?? step.status, notes: notes === undefined ? step.notes : notes },
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
    yield* ask('DELETE FROM named_plan_steps WHERE plan = @id', { id });
    yield* ask('DELETE FROM named_plans WHERE id = @id', { id });
  },
};
