import { NAMED_PLANS_MAX } from '../../../contracts/limits.ts';
import {
  type CreateNamedPlan,
  type MarkNamedStep,
  NamedPlan,
  type NamedPlanProgress,
  type NamedPlanSummary,
  type NamedStep,
  type UpdateNamedPlan,
} from '../../../contracts/named-plan.ts';
import { iso } from '../../lib/iso-time.ts';
import { type Queries, query } from '../../lib/queries.ts';
import type { ToolCall } from '../port.ts';

export type PlanScope = Pick<ToolCall, 'owner' | 'session_id'>;

/**
 * A request about a named plan that cannot be met; never a fault of the service. `full`: the session has reached its
 * limit of plans.
 */
export class PlanRefused extends Error {
  override name = 'PlanRefused';
  readonly reason: 'unknown' | 'no_active' | 'exists' | 'full' | 'no_such_step';

  constructor(reason: PlanRefused['reason']) {
    super(reason);
    this.reason = reason;
  }
}

type PlanRow = Omit<NamedPlanProgress, 'percent'> &
  Pick<NamedPlanSummary, 'plan_id' | 'title'> &
  Record<'id' | 'is_active' | 'created_at' | 'updated_at', number>;

const summaryOf = ({ plan_id, title, is_active, ...row }: PlanRow): NamedPlanSummary => {
  const { total, completed, in_progress, blocked, not_started, created_at, updated_at } = row;
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

/** A session's plans that meet a condition, with the counts of their steps. */
const rowsWhere = (condition: string, { owner, session_id }: PlanScope, values: { plan_id?: string } = {}) =>
  query<PlanRow>(
    `SELECT id, plan_id, title, is_active, created_at, updated_at, count(steps.plan) AS total,
       count(*) FILTER (WHERE steps.status = 'completed') AS completed,
       count(*) FILTER (WHERE steps.status = 'in_progress') AS in_progress,
       count(*) FILTER (WHERE steps.status = 'blocked') AS blocked,
       count(*) FILTER (WHERE steps.status = 'not_started') AS not_started
     FROM named_plans p LEFT JOIN named_plan_steps steps ON {steps.owner = p.owner AND} steps.plan = p.id
     WHERE p.owner = @owner AND session_id = @session_id AND ${condition} GROUP BY {p.owner,} p.id ORDER BY p.id`,
    { owner, session_id, ...values },
  );

function* find(scope: PlanScope, planId: string | undefined): Queries<PlanRow> {
  const [row] = yield* planId === undefined
    ? rowsWhere('is_active = 1', scope)
    : rowsWhere('plan_id = @plan_id', scope, { plan_id: planId.normalize('NFC') });
  if (row === undefined) throw new PlanRefused(planId === undefined ? 'no_active' : 'unknown');
  return row;
}

const stepsOf = ({ owner }: PlanScope, plan: number): Queries<NamedStep[]> =>
  query<NamedStep>(
    'SELECT step, status, notes FROM named_plan_steps WHERE {owner = @owner AND} plan = @plan ORDER BY position',
    { owner, plan },
  );

/**
 * The steps of a plan after an update. A step whose text is unchanged keeps its status and notes; among equal texts,
 * those at the same position come first.
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

function* setSteps(scope: PlanScope, plan: number, texts: readonly string[]): Queries<void> {
  const { owner } = scope;
  const steps = keepSteps(yield* stepsOf(scope, plan), texts);
  yield* query('DELETE FROM named_plan_steps WHERE {owner = @owner AND} plan = @plan', { owner, plan });
  for (const [position, { step, status, notes }] of steps.entries())
    yield* query(
      `INSERT INTO named_plan_steps ({owner,} plan, position, step, status, notes)
       VALUES ({@owner,} @plan, @position, @step, @status, @notes)`,
      { owner, plan, position, step, status, notes },
    );
}

function* makeActive({ owner, session_id }: PlanScope, id: number): Queries<void> {
  // Must come first, as there is at most one active plan at any time.
  yield* query('UPDATE named_plans SET is_active = 0 WHERE owner = @owner AND session_id = @session_id', {
    owner,
    session_id,
  });
  yield* query('UPDATE named_plans SET is_active = 1 WHERE {owner = @owner AND} id = @id', { owner, id });
}

/** Records a change of a plan and returns the plan after it. */
function* changed(scope: PlanScope, { id, plan_id }: PlanRow, title: string, now: number): Queries<NamedPlan> {
  const { owner } = scope;
  yield* query('UPDATE named_plans SET title = @title, updated_at = @now WHERE {owner = @owner AND} id = @id', {
    owner,
    id,
    title,
    now,
  });
  return yield* get(scope, plan_id);
}

function* list(scope: PlanScope): Queries<NamedPlanSummary[]> {
  return (yield* rowsWhere('true', scope)).map(summaryOf);
}

function* get(scope: PlanScope, planId: string | undefined): Queries<NamedPlan> {
  const row = yield* find(scope, planId);
  return NamedPlan.parse({ ...summaryOf(row), steps: yield* stepsOf(scope, row.id) });
}

function* create(
  scope: PlanScope,
  { plan_id, title = plan_id, steps }: CreateNamedPlan,
  now: number,
): Queries<NamedPlan> {
  const plans = yield* list(scope);
  if (plans.some((plan) => plan.plan_id === plan_id)) throw new PlanRefused('exists');
  if (plans.length >= NAMED_PLANS_MAX) throw new PlanRefused('full');
  const { owner, session_id } = scope;
  const [made] = yield* query<{ id: number }>(
    `INSERT INTO named_plans (owner, session_id, plan_id, title, is_active, created_at, updated_at)
     VALUES (@owner, @session_id, @plan_id, @title, 0, @now, @now) RETURNING id`,
    { owner, session_id, plan_id, title, now },
  );
  yield* setSteps(scope, made!.id, steps);
  yield* makeActive(scope, made!.id);
  return yield* get(scope, plan_id);
}

/** A new step whose text is unchanged keeps its status and notes, wherever it stands now. */
function* update(scope: PlanScope, planId: string, { title, steps }: UpdateNamedPlan, now: number): Queries<NamedPlan> {
  const row = yield* find(scope, planId);
  if (steps !== undefined) yield* setSteps(scope, row.id, steps);
  return yield* changed(scope, row, title ?? row.title, now);
}

/** `position` counts from 0; without a plan id the active plan is used. */
function* mark(
  scope: PlanScope,
  planId: string | undefined,
  position: number,
  { status, notes }: MarkNamedStep,
  now: number,
): Queries<NamedPlan> {
  const row = yield* find(scope, planId);
  const step = (yield* stepsOf(scope, row.id))[position];
  if (step === undefined) throw new PlanRefused('no_such_step');
  const marked = { status: status ?? step.status, notes: notes === undefined ? step.notes : notes };
  yield* query(
    `UPDATE named_plan_steps SET status = @status, notes = @notes
     WHERE {owner = @owner AND} plan = @plan AND position = @position`,
    { owner: scope.owner, plan: row.id, position, ...marked },
  );
  return yield* changed(scope, row, row.title, now);
}

function* activate(scope: PlanScope, planId: string): Queries<NamedPlan> {
  const row = yield* find(scope, planId);
  yield* makeActive(scope, row.id);
  return yield* get(scope, row.plan_id);
}

function* remove(scope: PlanScope, planId: string): Queries<void> {
  const { id } = yield* find(scope, planId);
  yield* query('DELETE FROM named_plans WHERE {owner = @owner AND} id = @id', { owner: scope.owner, id });
}

/**
 * The plans that a session stores under names (SPEC 10). Requests that cannot be met throw `PlanRefused`; times are
 * epoch milliseconds.
 */
export const namedPlans = { list, get, create, update, mark, activate, remove };
