import { z } from 'zod';
import {
  FRONT_END_BYTES_MAX,
  INPUT_BYTES_MAX,
  NAMED_PLANS_MAX,
  REPLAY_BYTES_MAX,
  REQUEST_BYTES_MAX,
  SCHEDULE_EVENTS_MAX,
  TODOS_MAX,
  TURN_FILE_BYTES_MAX,
} from './limits.ts';

const MIB = 1024 * 1024;

/** A row of `GET /v1/limits`; `used` is null where usage is not counted in total. */
export const LimitView = z.object({
  name: z.string(),
  /** Per what the limit counts. */
  scope: z.enum(['service', 'owner', 'session', 'request']),
  unit: z.string(),
  limit: z.number().int(),
  used: z.number().int().nullable(),
  /**
   * The effect of the limit: a status with a problem, 202 in place of a finished turn, an error of the command or
   * tool (`refused`), or the oldest is dropped.
   */
  at_limit: z.enum(['429', '413', '503', '202', 'refused', 'oldest_dropped']),
  reason: z.string(),
});
export type LimitView = z.infer<typeof LimitView>;

type LimitRow = Omit<LimitView, 'name' | 'used'>;

const row = (
  scope: LimitRow['scope'],
  limit: number,
  unit: string,
  at_limit: LimitRow['at_limit'],
  reason: string,
): LimitRow => ({ scope, unit, limit, at_limit, reason });

/** Limits that `limits` in the configuration file can change. */
export const serviceLimits = {
  requests_per_second: row('owner', 1_000, 'requests a second', '429', 'More than one caller needs.'),
  waiting_requests: row(
    'owner',
    1_000,
    'requests',
    '429',
    'Each holds a connection; "Prefer: respond-async" does not.',
  ),
  waiting_seconds: row('request', 3_600, 'seconds', '202', 'The turn goes on; ask for it at its Location.'),
  event_streams: row('owner', 500, 'streams', '429', 'Each holds a connection and reads every entry.'),
  replays: row('owner', 2, 'replays at once', '429', 'Each takes a process for its time.'),
  reruns: row('owner', 1, 'reruns at once', '429', 'Each asks models and runs tasks.'),
  sessions: row('owner', 100_000, 'sessions', '429', 'Kept until TRIPACT_RETENTION_DAYS or tripact prune.'),
  running_tasks: row('owner', 1_000, 'tasks', '429', 'Each is in memory and waits for its model or tool.'),
  unfinished_turns: row('owner', 2_000, 'turns', '429', 'Those that wait or run, over all of your sessions.'),
  queued_turns: row('session', 100, 'turns', '429', 'Each waits for all tasks before it.'),
  tool_runs: row('owner', 16, 'tools tried at once', '429', 'Each may hold a process until its time limit.'),
  pending_callbacks: row('owner', 10_000, 'turns', '429', 'A receiver that is slow or gone holds them back.'),
  session_turns: row('session', 100_000, 'turns', '429', 'Commands count too. Go on in a new session.'),
  session_entries: row('session', 100_000, 'trace entries', '429', 'No task opens beyond it, and no reminder comes.'),
  session_files: row('session', 1_000, 'files', 'refused', 'Each write and each list looks at all of them.'),
  session_file_bytes: row('session', 64 * MIB, 'bytes of files', 'refused', 'The files tool writes nothing beyond it.'),
  kept_calls: row('owner', 20_000, 'model calls', 'oldest_dropped', 'They also go after TRIPACT_KEEP_PROMPTS days.'),
  fork_entries: row('request', 3_000, 'entries of history', '413', 'A fork adds a row for each in one commit.'),
  database_bytes: row('service', 64 * 1024 * MIB, 'bytes', '503', 'Nothing new until old sessions are removed.'),
};

/** Limits that cannot be configured: stored data and prompts rely on them. */
export const fixedLimits = {
  request_bytes: row('request', REQUEST_BYTES_MAX, 'bytes', '413', 'A body is parsed as a whole.'),
  turn_file_bytes: row('request', TURN_FILE_BYTES_MAX, 'bytes of a file', '413', 'Providers of models take no more.'),
  front_end_bytes: row(
    'request',
    FRONT_END_BYTES_MAX,
    'bytes',
    '413',
    'A chat front end sends the whole conversation, with its files.',
  ),
  input_bytes: row('request', INPUT_BYTES_MAX, 'bytes', '413', 'A turn is a message, not a file.'),
  replay_bytes: row('request', REPLAY_BYTES_MAX, 'bytes', '413', 'A trace is replayed as a whole.'),
  named_plans: row('session', NAMED_PLANS_MAX, 'plans', 'refused', 'Each list shows all of them.'),
  todos: row('owner', TODOS_MAX, 'todos', 'refused', 'Each list sorts all of them, done ones too.'),
  schedule_events: row('owner', SCHEDULE_EVENTS_MAX, 'events', 'refused', 'Each list reads all of them.'),
};

export type LimitName = keyof typeof serviceLimits;

export type ServiceLimits = Readonly<Record<LimitName, number>>;

/** The limits with the configured changes. */
export const serviceLimitsWith = (changed: Partial<ServiceLimits> = {}): ServiceLimits => {
  const defaults = Object.entries(serviceLimits).map(([name, { limit }]) => [name, limit]);
  return { ...(Object.fromEntries(defaults) as ServiceLimits), ...changed };
};

/** All rows: the limits as set, and their usage as far as it is known. */
export const limitViews = (limits: ServiceLimits, used: Partial<Record<LimitName, number>> = {}): LimitView[] =>
  Object.entries<LimitRow>({ ...serviceLimits, ...fixedLimits }).map(([name, row]) => ({
    name,
    ...row,
    limit: limits[name as LimitName] ?? row.limit,
    used: used[name as LimitName] ?? null,
  }));
