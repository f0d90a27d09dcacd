import type { namedPlans } from './named-plans.ts';

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

/** The plans that a session keeps under names, apart from any task (SPEC 10). */
export type NamedPlans = typeof namedPlans;
