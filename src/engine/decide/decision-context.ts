import type { ServiceLimits } from '../../../contracts/service-limits.ts';
import type { Commands } from '../../commands/port.ts';
import type { UsedCounts } from '../owner-counts.ts';
import type { RunningBytes } from '../running-bytes.ts';
import type { TaskDefaults } from '../session-input.ts';

/** What decisions need beside the session and the input. */
export interface DecisionContext {
  readonly defaults: TaskDefaults;
  readonly commands: Commands;
  readonly limits: ServiceLimits;
  /** What the session's owner has, without this decision. */
  readonly used: UsedCounts;
  /** What the tasks that run hold in memory. */
  readonly running: RunningBytes;
  /** Events go to the webhook of the service, too. */
  readonly hasWebhook: boolean;
  /** The time of the decision in epoch milliseconds. */
  readonly now: number;
}
