import Database from 'better-sqlite3';
import {
  NamedPlan,
  type NamedPlanProgress,
  type NamedPlanSummary,
  type NamedStep,
} from '../../../contracts/named-plan.ts';
import { ServiceError } from '../../errors.ts';
import { keepSteps } from './keep-steps.ts';
import { type NamedPlans, PlanRefused, type PlanScope } from './port.ts';

/** Most named plans of one session: more than anybody keeps track of, and few enough for one list. */
export const NAMED_PLANS_MAX = 100;

interface PlanRow {
  id: number;
  plan_id: string;
  title: string;
  is_active: number;
  created_at: number;
  updated_at: number;
}
type Counts = Omit<NamedPlanProgress, 'percent'>;

const COUNTS = `(SELECT json_object('total', count(*), 'completed', count(*) FILTER (WHERE status = 'completed'),
  'in_progress', count(*) FILTER (WHERE status = 'in_progress'), 'blocked', count(*) FILTER (WHERE status = 'blocked'),
  'not_started', count(*) FILTER (WHERE status = 'not_started')) FROM named_plan_steps WHERE plan = named_plans.id) AS counts`;
const SELECT = `SELECT id, plan_id, title, is_active, created_at, updated_at, ${COUNTS} FROM named_plans
  WHERE owner = @owner AND session_id = @session_id`;

const summaryOf = ({ id: _, is_active, counts, ...row }: PlanRow & { counts: string }): NamedPlanSummary => {
  const counted = JSON.parse(counts) as Counts;
  const percent = counted.total === 0 ? 0 : Math.round((counted.completed / counted.total) * 1_000) / 10;
  return {
    ...row,
    active: is_active === 1,
    progress: { ...counted, percent },
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
};

/** A store error outside of the engine's own transactions, as its callers know it. */
const unavailable = (error: unknown): unknown =>
  error instanceof Database.SqliteError && !error.code.startsWith('SQLITE_CONSTRAINT')
    ? new ServiceError('STORAGE_UNAVAILABLE', 'The disk is full or can not be written; nothing was stored. Try again', {
        cause: error,
      })
    : error;

/** Opens the named plans of a database that has migration 003. */
export const createNamedPlans = (db: Database.Database): NamedPlans => {
  type Named = PlanScope & { plan_id: string };
  const all = db.prepare<[PlanScope], PlanRow & { counts: string }>(`${SELECT} ORDER BY id`);
  const byId = db.prepare<[Named], PlanRow & { counts: string }>(`${SELECT} AND plan_id = @plan_id`);
  const active = db.prepare<[PlanScope], PlanRow & { counts: string }>(`${SELECT} AND is_active = 1`);
  const stepsOf = db.prepare<[number], NamedStep>(
    'SELECT step, status, notes FROM named_plan_steps WHERE plan = ? ORDER BY position',
  );
  const insert = db.prepare(
    `INSERT INTO named_plans (owner, session_id, plan_id, title, is_active, created_at, updated_at)
     VALUES (@owner, @session_id, @plan_id, @title, 0, @now, @now)`,
  );
  const insertStep = db.prepare(
    'INSERT INTO named_plan_steps (plan, position, step, status, notes) VALUES (?, ?, ?, ?, ?)',
  );
  const removeSteps = db.prepare('DELETE FROM named_plan_steps WHERE plan = ?');
  const change = db.prepare('UPDATE named_plans SET title = ?, updated_at = ? WHERE id = ?');
  const markStep = db.prepare('UPDATE named_plan_steps SET status = ?, notes = ? WHERE plan = ? AND position = ?');
  const remove = db.prepare('DELETE FROM named_plans WHERE id = ?');
  const deactivate = db.prepare(
    'UPDATE named_plans SET is_active = 0 WHERE owner = @owner AND session_id = @session_id',
  );
  const activate = db.prepare('UPDATE named_plans SET is_active = 1 WHERE id = ?');

  const find = ({ owner, session_id }: PlanScope, planId: string | undefined) => {
    const row =
      planId === undefined
        ? active.get({ owner, session_id })
        : byId.get({ owner, session_id, plan_id: planId.normalize('NFC') });
    if (row === undefined) throw new PlanRefused(planId === undefined ? 'no_active' : 'unknown');
    return row;
  };
  const get = (scope: PlanScope, planId: string | undefined): NamedPlan => {
    const row = find(scope, planId);
    return NamedPlan.parse({ ...summaryOf(row), steps: stepsOf.all(row.id) });
  };
  const setSteps = (plan: number, steps: NamedStep[]): void => {
    removeSteps.run(plan);
    for (const [position, { step, status, notes }] of steps.entries())
      insertStep.run(plan, position, step, status, notes);
  };
  const makeActive = ({ owner, session_id }: PlanScope, id: number): void => {
    deactivate.run({ owner, session_id });
    activate.run(id);
  };
  /** One transaction, or a part of the one that is open: that one's owner sees the store's own errors. */
  const write = <Result>(work: () => Result): Result => {
    if (db.inTransaction) return work();
    try {
      return db.transaction(work).immediate();
    } catch (error) {
      throw unavailable(error);
    }
  };

  return {
    list: ({ owner, session_id }) => all.all({ owner, session_id }).map(summaryOf),
    get,
    create: (scope, { plan_id, title, steps }, now) =>
      write(() => {
        const { owner, session_id } = scope;
        if (byId.get({ owner, session_id, plan_id }) !== undefined) throw new PlanRefused('exists');
        if (all.all({ owner, session_id }).length >= NAMED_PLANS_MAX) throw new PlanRefused('full');
        const id = Number(insert.run({ owner, session_id, plan_id, title: title ?? plan_id, now }).lastInsertRowid);
        setSteps(id, keepSteps([], steps));
        makeActive(scope, id);
        return get(scope, plan_id);
      }),
    update: (scope, planId, { title, steps }, now) =>
      write(() => {
        const row = find(scope, planId);
        if (steps !== undefined) setSteps(row.id, keepSteps(stepsOf.all(row.id), steps));
        change.run(title ?? row.title, now, row.id);
        return get(scope, row.plan_id);
      }),
    mark: (scope, planId, index, { status, notes }, now) =>
      write(() => {
        const row = find(scope, planId);
        const step = stepsOf.all(row.id)[index];
        if (step === undefined) throw new PlanRefused('no_such_step');
        markStep.run(status ?? step.status, notes === undefined ? step.notes : notes, row.id, index);
        change.run(row.title, now, row.id);
        return get(scope, row.plan_id);
      }),
    activate: (scope, planId) =>
      write(() => {
        const row = find(scope, planId);
        makeActive(scope, row.id);
        return get(scope, row.plan_id);
      }),
    delete: (scope, planId) =>
      write(() => {
        remove.run(find(scope, planId).id);
      }),
  };
};
