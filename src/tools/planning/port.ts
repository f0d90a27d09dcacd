import type {
  CreateNamedPlan,
  MarkNamedStep,
  NamedPlan,
  NamedPlanSummary,
  UpdateNamedPlan,
} from '../../../contracts/named-plan.ts';
import type { Asking } from '../../store/questions.ts';

/** Whose named plans are meant. */
export interface PlanScope {
  owner: string;
  session_id: string;
}

/** Why a named plan is not shown or changed. `full`: the session has as many plans as it may. */
export type PlanRefusal = 'unknown' | 'no_active' | 'exists' | 'full' | 'no_such_step';

/** A request about a named plan that can't be met; never a fault of the service. Its callers have the message. */
export class PlanRefused extends Error {
  override name = 'PlanRefused';
  readonly reason: PlanRefusal;

  constructor(reason: PlanRefusal) {
    super(reason);
    this.reason = reason;
  }
}

/** The plans that a session keeps under names (SPEC 10). What can't be done throws `PlanRefused`; times are epoch milliseconds. */
export interface NamedPlans {
  /** In the order in which they were made. */
  list(scope: PlanScope): Asking<NamedPlanSummary[]>;
  /** The plan of that id, or the active one when it is undefined. */
  get(scope: PlanScope, planId: string | undefined): Asking<NamedPlan>;
  /** The new plan becomes the active one. */
  create(scope: PlanScope, plan: CreateNamedPlan, now: number): Asking<NamedPlan>;
  /** Of new steps, one whose text is unchanged keeps its status and notes, wherever it stands now. */
  update(scope: PlanScope, planId: string, change: UpdateNamedPlan, now: number): Asking<NamedPlan>;
  /** `index` counts from 0; without a plan id the active plan is meant. */
  mark(
    scope: PlanScope,
    planId: string | undefined,
    index: number,
    mark: MarkNamedStep,
    now: number,
  ): Asking<NamedPlan>;
  activate(scope: PlanScope, planId: string): Asking<NamedPlan>;
  delete(scope: PlanScope, planId: string): Asking<void>;
}
