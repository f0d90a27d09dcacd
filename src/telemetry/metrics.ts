import { setTimeout as delay } from 'node:timers/promises';
import type { Counter, Gauge } from 'prom-client';
import { Rating } from '../../contracts/feedback.ts';
import { PauseReason } from '../../contracts/task.ts';
import type { CallUsage } from '../../contracts/usage.ts';
import { createGenAiHistograms } from './gen-ai-histograms.ts';
import type {
  Activity,
  EffectOrigin,
  EffectOutcome,
  Happening,
  MetricsSource,
  ReportedEffect,
  Telemetry,
} from './port.ts';

/** Bucket bounds in seconds: a command takes milliseconds, a task with many model calls minutes. */
const TURN_SECONDS = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1_800];

/** Bucket bounds of a model call: from a short thought of a fast model to the longest that the deadline allows. */
const MODEL_SECONDS = [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160];

/** Bucket bounds of a tool call: from a change of the owner's data to a coding agent. */
const TOOL_SECONDS = [0.005, 0.05, 0.25, 1, 5, 15, 60, 300];

/** Bucket bounds of a commit: from an fsync of a fast disk to one delayed by a full disk or a backup. */
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2];

export interface Readings {
  activity(): Promise<Activity>;
  isReady(): Promise<boolean>;
  version: string;
  /** Commits that wait for a connection to PostgreSQL; absent: the store is SQLite. */
  connectionsWaiting?: (() => number) | undefined;
  /** The owners at home here; absent: there are no other nodes. */
  homes?: (() => readonly string[]) | undefined;
}

/** Outcomes that start at 0: an alert sees no increase in a series that begins with its first event. */
const OUTCOMES: {
  readonly [Type in Happening['type']]?: Extract<Happening, { type: Type; outcome: string }>['outcome'][];
} = {
  forwarded: ['answered', 'unreachable', 'cut_off'],
  callback_posted: ['accepted', 'refused', 'unreachable'],
  callback_ended: ['delivered', 'given_up'],
};

/** Names of tools and models with their own series: a model may invent any name. */
const TOOLS_MAX = 200;
const MODELS_MAX = 50;

/** Returns the first `max` names unchanged, and `other` for the rest. */
const boundedNames = (max: number): ((name: string) => string) => {
  const known = new Set<string>();
  return (name) => {
    if (known.size < max) known.add(name);
    return known.has(name) ? name : 'other';
  };
};

/** Creates the counters, histograms and gauges, and the process's metrics. No label ever names a session or owner. */
const createMeters = (library: typeof import('prom-client'), readings: Readings) => {
  const { activity, isReady, version, connectionsWaiting, homes } = readings;
  const registry = new library.Registry();
  const registers = [registry];
  library.collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, read: (gauge: Gauge) => unknown, ...labelNames: string[]) =>
    new library.Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        await read(this);
      },
    });
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
    new library.Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new library.Histogram({ name, help, buckets, labelNames, registers });

  const counts = {
    turns_running: 'Unfinished turns.',
    turns_queued: 'Turns that wait for their session; they also count as unfinished.',
    callbacks_pending: 'Callbacks to be posted.',
  } as const;
  for (const [name, help] of Object.entries(counts) as [keyof typeof counts, string][])
    gauge(`tripact_${name}`, help, async (read) => read.set((await activity())[name]));
  const readEffects = async (read: Gauge): Promise<void> => {
    for (const [type, count] of Object.entries((await activity()).effects_open)) read.set({ type }, count);
  };
  gauge('tripact_effects_open', 'Effects without an outcome yet.', readEffects, 'type');
  const ready = '1 while the service accepts turns and can write the store, else 0.';
  gauge('tripact_ready', ready, async (read) => read.set(Number(await isReady())));
  if (connectionsWaiting !== undefined) {
    const help = 'Commits that wait for a connection to PostgreSQL.';
    gauge('tripact_database_connections_waiting', help, (read) => read.set(connectionsWaiting()));
  }
  if (homes !== undefined) gauge('tripact_homes', 'Owners at home at this node.', (read) => read.set(homes().length));
  gauge('tripact_build_info', 'The running version.', (read) => read.set({ version }, 1), 'version');

  const meters = {
    toolName: boundedNames(TOOLS_MAX),
    modelName: boundedNames(MODELS_MAX),
    turns: counter('tripact_turns_total', 'Turns finished, by outcome.', 'status', 'agent'),
    turnSeconds: histogram('tripact_turn_duration_seconds', 'Time of a turn, including its wait.', TURN_SECONDS),
    events: counter('tripact_events_streamed_total', 'Trace entries sent on event streams.'),
    steps: counter('tripact_steps_total', "Events of tasks' machines, by type.", 'event'),
    pauses: counter('tripact_tasks_paused_total', 'Tasks paused, by reason.', 'reason', 'agent'),
    modelCalls: counter(
      'tripact_model_calls_total',
      'Model calls, by outcome.',
      'model',
      'contract',
      'outcome',
      'agent',
    ),
    modelSeconds: histogram(
      'tripact_model_call_duration_seconds',
      'Time of a model call, including retries.',
      MODEL_SECONDS,
      'model',
    ),
    genAi: createGenAiHistograms(histogram),
    modelTokens: counter('tripact_model_tokens_total', 'Tokens of model calls, by kind.', 'model', 'kind', 'agent'),
    modelCost: counter(
      'tripact_model_cost_total',
      'Cost of model calls by the price list.',
      'model',
      'currency',
      'agent',
    ),
    toolCalls: counter('tripact_tool_calls_total', 'Tool calls, by outcome.', 'tool', 'outcome'),
    toolSeconds: histogram('tripact_tool_call_duration_seconds', 'Time of a tool call.', TOOL_SECONDS, 'tool'),
    verifications: counter('tripact_verifications_total', 'Verifications before an answer.', 'outcome'),
    commitSeconds: histogram('tripact_commit_duration_seconds', 'Time until a commit was durable.', COMMIT_SECONDS),
    happenings: {
      commit_failed: counter('tripact_commit_failures_total', 'Commits that the store refused.'),
      callback_posted: counter('tripact_callback_posts_total', 'Posts of callbacks, by outcome.', 'outcome'),
      callback_ended: counter('tripact_callbacks_total', 'Callbacks finished, by outcome.', 'outcome'),
      feedback_given: counter('tripact_feedback_total', 'Replies that users rated, by rating.', 'rating'),
      ...(homes !== undefined && {
        home_claimed: counter('tripact_homes_claimed_total', 'Owners whose home this node became.'),
        home_lost: counter('tripact_homes_lost_total', 'Commits refused because another node had taken the home.'),
        forwarded: counter('tripact_forwards_total', "Requests sent to their owner's home, by outcome.", 'outcome'),
      }),
    } as Partial<Record<Happening['type'], Counter>>,
    exposition: async () => ({ contentType: registry.contentType, text: `${await registry.metrics()}\n` }),
  };
  for (const reason of PauseReason.options) meters.pauses.inc({ reason }, 0);
  for (const rating of Rating.options) meters.happenings.feedback_given?.inc({ rating }, 0);
  for (const [type, outcomes] of Object.entries(OUTCOMES))
    for (const outcome of outcomes) meters.happenings[type as Happening['type']]?.inc({ outcome }, 0);
  return meters;
};
type Meters = ReturnType<typeof createMeters>;

const countUsage = (
  { modelTokens, modelCost }: Meters,
  by: { model: string; agent?: string },
  usage: CallUsage,
): void => {
  const kinds = {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cache_write: usage.cache_written_tokens ?? 0,
    cache_read: usage.cache_read_tokens ?? 0,
  };
  for (const [kind, tokens] of Object.entries(kinds)) if (tokens > 0) modelTokens.inc({ ...by, kind }, tokens);
  if (usage.cost !== undefined) modelCost.inc({ ...by, currency: usage.cost.currency }, Number(usage.cost.amount));
};

/** The label of an agent with a name: the configuration bounds how many there are. */
const agentLabel = (agent: string | undefined) => (agent === undefined ? {} : { agent });

/** Counts an effect that ended after the given number of seconds. */
const countEffect = (
  meters: Meters,
  effect: ReportedEffect,
  outcome: EffectOutcome,
  seconds: number,
  { model: modelName, agent }: Pick<EffectOrigin, 'model' | 'agent'>,
  usage: CallUsage | undefined,
): void => {
  const model = meters.modelName(modelName);
  const by = { model, ...agentLabel(agent) };
  switch (effect.type) {
    case 'model.plan':
    case 'model.thought':
    case 'model.replan':
      meters.modelCalls.inc({ ...by, contract: effect.type.slice('model.'.length), outcome });
      meters.modelSeconds.observe({ model }, seconds);
      meters.genAi.counted(model, outcome, seconds, usage);
      if (usage !== undefined) countUsage(meters, by, usage);
      return;
    case 'tool.call': {
      const tool = meters.toolName(effect.params.tool);
      meters.toolCalls.inc({ tool, outcome });
      meters.toolSeconds.observe({ tool }, seconds);
      return;
    }
    case 'verify.run':
      return meters.verifications.inc({ outcome });
    default:
      effect satisfies never;
  }
};

/** How long after the first count the library is loaded, in milliseconds: by then the first turn has its reply. */
const LOAD_MS = 1_000;

/**
 * Creates an application's metrics. Their library is loaded when they are first read, or some time after the first
 * count; until then counts wait.
 */
export const createMetrics = (readings: Readings): MetricsSource & { telemetry: Telemetry } => {
  let loaded: Promise<Meters> | undefined;
  const load = (waitMs: number): Promise<Meters> => {
    loaded ??= delay(waitMs, undefined, { ref: false })
      .then(() => import('prom-client'))
      .then((library) => createMeters(library, readings));
    return loaded;
  };
  const record = (count: (meters: Meters) => void): void => void load(LOAD_MS).then(count, () => {});
  const happened: Telemetry['happened'] = ({ type, ...labels }) =>
    record(({ happenings }) => happenings[type]?.inc(labels));

  return {
    happened,
    exposition: async () => (await load(0)).exposition(),
    eventStreamed: () => record(({ events }) => events.inc()),
    telemetry: {
      committed: (report) =>
        record((meters) => {
          meters.commitSeconds.observe(report.duration_ms / 1_000);
          for (const { event, task } of report.steps) {
            meters.steps.inc({ event: event.type });
            // An edit of its plan leaves a paused task paused.
            if (task.state === 'paused' && task.context.pause_reason !== null && event.type !== 'plan.edited')
              meters.pauses.inc({ reason: task.context.pause_reason, ...agentLabel(report.agent) });
          }
          for (const { turn } of report.turns) {
            if (turn.finished_at === null) continue;
            meters.turns.inc({ status: turn.status, ...agentLabel(report.agent) });
            meters.turnSeconds.observe((Date.parse(turn.finished_at) - Date.parse(turn.created_at)) / 1_000);
          }
        }),
      happened,
      effectStarted: (effect, { model, agent }) => {
        const began = performance.now();
        return {
          run: (perform) => perform(),
          ended: (outcome, usage) => {
            const seconds = (performance.now() - began) / 1_000;
            record((meters) =>
              countEffect(meters, effect, outcome, seconds, { model: usage?.model ?? model, agent }, usage),
            );
          },
        };
      },
    },
  };
};
