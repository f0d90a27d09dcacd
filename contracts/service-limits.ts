import { limitRows } from './limit-row.ts';
import { CLARIFICATIONS_KEPT } from './limits.ts';

const MIB = 1024 * 1024;

/** Limits that `limits` of the configuration file may set otherwise; what has no row here or below may not grow. */
export const serviceLimits = limitRows({
  connections: {
    scope: 'service',
    unit: 'connections',
    limit: 8_192,
    at_limit: 'closed',
    reason: 'Each open connection takes a file descriptor and its buffers.',
  },
  requests_per_second: {
    scope: 'owner',
    unit: 'requests a second',
    limit: 1_000,
    at_limit: '429',
    reason: 'More than one caller needs; all others are still served. Twice as many may come at once.',
  },
  receiving_bytes: {
    scope: 'owner',
    unit: 'bytes of requests',
    limit: 64 * MIB,
    at_limit: '429',
    reason: 'Bodies that are still coming in are held in memory: what each declares, or what has come of it.',
  },
  receiving_bytes_in_all: {
    scope: 'service',
    unit: 'bytes of requests',
    limit: 256 * MIB,
    at_limit: '429',
    reason: 'The same of all owners.',
  },
  answering_bytes: {
    scope: 'owner',
    unit: 'bytes of requests',
    limit: 128 * MIB,
    at_limit: '429',
    reason: 'Bodies are held until their replies end: chat front ends send whole conversations.',
  },
  answering_bytes_in_all: {
    scope: 'service',
    unit: 'bytes of requests',
    limit: 192 * MIB,
    at_limit: '429',
    reason: 'The same of all owners; what was read of a body takes up to twice as much.',
  },
  waiting_requests: {
    scope: 'owner',
    unit: 'requests',
    limit: 1_000,
    at_limit: '429',
    reason: 'Each holds a connection while its turn runs. Send "Prefer: respond-async" to hold none.',
  },
  waiting_seconds: {
    scope: 'request',
    unit: 'seconds',
    limit: 3_600,
    at_limit: '202',
    reason: 'A task that takes longer is asked for at its Location; the turn itself goes on.',
  },
  event_streams: {
    scope: 'owner',
    unit: 'streams',
    limit: 500,
    at_limit: '429',
    reason: 'Each holds a connection and reads every entry of its session; all of them may leave in the same moment.',
  },
  event_streams_in_all: {
    scope: 'service',
    unit: 'streams',
    limit: 4_000,
    at_limit: '429',
    reason: 'What all owners together may follow leaves connections for requests.',
  },
  replays: {
    scope: 'owner',
    unit: 'replays at once',
    limit: 2,
    at_limit: '429',
    reason: 'So that one owner leaves room for others; a trace that comes in too slowly is cut with 408.',
  },
  replays_in_all: {
    scope: 'service',
    unit: 'replays at once',
    limit: 4,
    at_limit: '429',
    reason: 'Each keeps the tasks of its trace in memory and takes turns with all other work.',
  },
  replay_bytes: {
    scope: 'request',
    unit: 'bytes',
    limit: 64 * MIB,
    at_limit: '413',
    reason: 'A trace is read as a stream, so this bounds time, not memory.',
  },
  replay_tasks: {
    scope: 'request',
    unit: 'tasks',
    limit: 10_000,
    at_limit: '413',
    reason: 'Each task of a trace is kept in memory until its end, about 7 KB of it.',
  },
  queued_turns: {
    scope: 'session',
    unit: 'turns',
    limit: 100,
    at_limit: '429',
    reason: 'Each waits for all tasks before it, and is held in memory with its session.',
  },
  unfinished_turns: {
    scope: 'owner',
    unit: 'turns',
    limit: 2_000,
    at_limit: '429',
    reason: 'Turns that wait or run are held in memory, over all of your sessions.',
  },
  tool_runs: {
    scope: 'session',
    unit: 'tools tried at once',
    limit: 4,
    at_limit: '429',
    reason: 'Each may hold a process or a connection until its time limit.',
  },
  owner_tool_runs: {
    scope: 'owner',
    unit: 'tools tried at once',
    limit: 100,
    at_limit: '429',
    reason: 'The same in all of your sessions.',
  },
  session_turns: {
    scope: 'session',
    unit: 'turns',
    limit: 100_000,
    at_limit: '429',
    reason: 'Commands and their idempotency keys count too; nobody reads more. Go on in a new session.',
  },
  session_entries: {
    scope: 'session',
    unit: 'trace entries',
    limit: 100_000,
    at_limit: '429',
    reason: 'No task opens beyond it, and no reminder is written: who follows from the start reads all.',
  },
  session_file_bytes: {
    scope: 'session',
    unit: 'bytes of files',
    limit: 64 * MIB,
    at_limit: 'refused',
    reason: 'Text that tasks keep in their folder; the files tool writes nothing beyond it, whoever wrote the rest.',
  },
  session_files: {
    scope: 'session',
    unit: 'files',
    limit: 1_000,
    at_limit: 'refused',
    reason: 'Each write and each list looks at all of them.',
  },
  sessions: {
    scope: 'owner',
    unit: 'sessions',
    limit: 100_000,
    at_limit: '429',
    reason: 'Each is kept with its folder until it is removed, by TRIPACT_RETENTION_DAYS or tripact prune.',
  },
  running_tasks: {
    scope: 'owner',
    unit: 'tasks',
    limit: 1_000,
    at_limit: '429',
    reason: 'Each is held in memory and waits for a model or a tool of its own.',
  },
  forks: {
    scope: 'owner',
    unit: 'forked sessions',
    limit: 1_000,
    at_limit: '429',
    reason: 'Each starts with a row for each entry of a history.',
  },
  fork_entries: {
    scope: 'request',
    unit: 'entries of history',
    limit: 3_000,
    at_limit: '413',
    reason: 'A fork adds a row for each in one commit, which all others wait for.',
  },
  kept_calls: {
    scope: 'owner',
    unit: 'model calls',
    limit: 20_000,
    at_limit: 'oldest_dropped',
    reason: 'Prompts and answers, compressed; they go after TRIPACT_KEEP_PROMPTS days in any case.',
  },
  bridge_files: {
    scope: 'service',
    unit: 'files',
    limit: 10_000,
    at_limit: 'oldest_dropped',
    reason: 'What a coding agent is done with; it goes after TRIPACT_RETENTION_DAYS in any case.',
  },
  pending_callbacks: {
    scope: 'owner',
    unit: 'turns',
    limit: 10_000,
    at_limit: '429',
    reason: 'A receiver that is slow or gone holds them back.',
  },
  pending_webhook_events: {
    scope: 'service',
    unit: 'events',
    limit: 100_000,
    at_limit: 'given_up',
    reason: 'Its receiver may be gone for hours, and no caller has to wait for that: the oldest are given up.',
  },
  callback_posts: {
    scope: 'request',
    unit: 'posts of a callback',
    limit: 8,
    at_limit: 'given_up',
    reason: 'Eight posts take about four hours; then it is listed as given up, and can be sent again.',
  },
  database_bytes: {
    scope: 'service',
    unit: 'bytes',
    limit: 64 * 1024 * MIB,
    at_limit: '503',
    reason: 'All that is stored; beyond it nothing new is, until old sessions are removed.',
  },
  steers: {
    scope: 'task',
    unit: 'inputs',
    limit: CLARIFICATIONS_KEPT,
    at_limit: '429',
    reason: 'A task keeps no more clarifications than these, and every one is shown to the model.',
  },
});

export type LimitName = keyof typeof serviceLimits;

/** The limits that a service runs on, by name. */
export type ServiceLimits = Readonly<Record<LimitName, number>>;

/** The limits with those that are set otherwise. */
export const serviceLimitsWith = (changed: Partial<ServiceLimits> = {}): ServiceLimits => {
  const defaults = Object.entries(serviceLimits).map(([name, { limit }]) => [name, limit]);
  return { ...(Object.fromEntries(defaults) as ServiceLimits), ...changed };
};
