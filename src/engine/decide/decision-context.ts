import type { ServiceLimits } from '../../../contracts/service-limits.ts';
import type { Commands } from '../../commands/port.ts';
import type { OwnerCounts } from '../owner-counts.ts';
import type { TaskDefaults } from '../session-input.ts';

/** What decisions need beside the session and the input. */
export interface DecisionContext {
  readonly defaults: TaskDefaults;
  readonly commands: Commands;
  readonly limits: ServiceLimits;
  /** What the session's owner has, without this decision. */
  readonly used: OwnerCounts;
  /** Events go to the webhook of the service, too. */
  readonly hasWebhook: boolean;
  /** The time of the decision in epoch milliseconds. */
  readonly now: number;
}
