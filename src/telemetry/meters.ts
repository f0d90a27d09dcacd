import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Effect } from '../../contracts/event.ts';
import type { CallUsage } from '../../contracts/usage.ts';
import type { Activity } from '../engine/port.ts';
import type { CommitReport, EffectOutcome, Happening } from './port.ts';

/** Bucket bounds in seconds: a command takes milliseconds, a task of many model calls minutes. */
const TURN_SECONDS = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1_800];

/** The same of a model call: a short thought of a fast model to the longest that the deadline allows. */
const MODEL_SECONDS = [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160];

/** The same of a tool call: from a change of the owner's data to a coding agent. */
const TOOL_SECONDS = [0.005, 0.05, 0.25, 1, 5, 15, 60, 300];

/** The same of a commit: an fsync of a fast disk to one that a full disk or a backup holds up. */
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2];

/** Values that are asked for when the metrics are read. */
export interface Readings {
  activity(): Promise<Activity>;
  isReady(): Promise<boolean>;
  version: string;
}

const addGauges = (registers: Registry[], { activity, isReady, version }: Readings): void => {
  const gauge = (name: string, help: string, read: () => Promise<number>): void => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  };
  const counts = {
    turns_running: 'Turns that are not finished.',
    turns_queued: 'Turns that wait for their session; they run, too.',
    callbacks_pending: 'Callbacks that are to be posted.',
  } as const;
  for (const [name, help] of Object.entries(counts) as [keyof typeof counts, string][])
    gauge(`tripact_${name}`, help, async () => (await activity())[name]);
  new Gauge({
    name: 'tripact_effects_open',
    help: 'Model calls, tool calls and verifications that are asked for and have no outcome yet.',
    labelNames: ['type'],
    registers,
    async collect() {
      for (const [type, count] of Object.entries((await activity()).effects_open)) this.set({ type }, count);
    },
  });
  gauge('tripact_ready', '1 while turns are taken in and the store can be written, else 0.', async () =>
    Number(await isReady()),
  );
  new Gauge({ name: 'tripact_build_info', help: 'The version that runs.', labelNames: ['version'], registers }).set(
    { version },
    1,
  );
};

/** Longest name that is kept, in characters. */
const NAME_CHARS_MAX = 100;

/** Tools that are counted each by its name: more than a service has, but for MCP servers that rename theirs. */
const TOOLS_MAX = 200;

/** Models that are counted each by its name: a server may say another one at each call. */
const MODELS_MAX = 50;

/** Makes a function that gives the first `max` names as they are and `other` for all after them: each one is a time series that is kept for ever. */
const boundedNames = (max: number): ((name: string) => string) => {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size === max || name.length > NAME_CHARS_MAX) return 'other';
    known.add(name);
    return name;
  };
};

/** Makes the counters, histograms and gauges of one application, with the figures of its process. No label ever names a session or an owner. */
export const createMeters = (readings: Readings) => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  addGauges(registers, readings);
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new Histogram({ name, help, buckets, labelNames, registers });
  const turns = counter('tripact_turns_total', 'Turns finished, by how they ended.', 'status');
  const turnSeconds = histogram('tripact_turn_duration_seconds', 'Time of a turn, its waiting too.', TURN_SECONDS);
  const events = counter('tripact_events_streamed_total', 'Trace entries sent on event streams.');
  const steps = counter('tripact_steps_total', "Steps of tasks' machines, by event.", 'event');
  const pauses = counter('tripact_tasks_paused_total', 'Tasks paused, by reason.', 'reason');
  const modelCalls = counter('tripact_model_calls_total', 'Model calls, by outcome.', 'model', 'contract', 'outcome');
  const modelSeconds = histogram('tripact_model_call_duration_seconds', 'Time with retries.', MODEL_SECONDS, 'model');
  const modelTokens = counter('tripact_model_tokens_total', 'Tokens of model calls, by kind.', 'model', 'kind');
  const modelCost = counter('tripact_model_cost_total', 'Cost by the price list.', 'model', 'currency');
  const toolCalls = counter('tripact_tool_calls_total', 'Tool calls, by outcome.', 'tool', 'outcome');
  const toolSeconds = histogram('tripact_tool_call_duration_seconds', 'Time of a tool call.', TOOL_SECONDS, 'tool');
  const verifications = counter('tripact_verifications_total', 'Verifications before an answer.', 'outcome');
  const commitSeconds = histogram('tripact_commit_duration_seconds', 'Time until it was durable.', COMMIT_SECONDS);
  const commitFailures = counter('tripact_commit_failures_total', 'Commits that the store refused.');
  const posts = counter('tripact_callback_posts_total', 'Posts of callbacks, by outcome.', 'outcome');
  const callbacks = counter('tripact_callbacks_total', 'Callbacks that ended, by outcome.', 'outcome');
  const toolName = boundedNames(TOOLS_MAX);
  const modelName = boundedNames(MODELS_MAX);

  const countUsage = (model: string, usage: CallUsage): void => {
    const kinds = {
      input: usage.input_tokens,
      output: usage.output_tokens,
      cache_write: usage.cache_written_tokens ?? 0,
      cache_read: usage.cache_read_tokens ?? 0,
    };
    for (const [kind, tokens] of Object.entries(kinds)) if (tokens > 0) modelTokens.inc({ model, kind }, tokens);
    if (usage.cost !== undefined) modelCost.inc({ model, currency: usage.cost.currency }, Number(usage.cost.amount));
  };

  return {
    committed: (report: CommitReport): void => {
      commitSeconds.observe(report.duration_ms / 1_000);
      for (const { event, task } of report.steps) {
        steps.inc({ event: event.type });
        // An edit of its plan leaves a paused task paused.
        if (task.state === 'paused' && task.context.pause_reason !== null && event.type !== 'plan.edited')
          pauses.inc({ reason: task.context.pause_reason });
      }
      for (const { turn } of report.turns) {
        if (turn.finished_at === null) continue;
        turns.inc({ status: turn.status });
        turnSeconds.observe((Date.parse(turn.finished_at) - Date.parse(turn.created_at)) / 1_000);
      }
    },
    happened: (happening: Happening): void => {
      if (happening.type === 'commit_failed') commitFailures.inc();
      else (happening.type === 'callback_posted' ? posts : callbacks).inc({ outcome: happening.outcome });
    },
    /** Counts an effect; `asked` is the model that was asked. */
    effectEnded: (
      effect: Effect,
      outcome: EffectOutcome,
      usage: CallUsage | undefined,
      asked: string,
      seconds: number,
    ) => {
      switch (effect.type) {
        case 'model.plan':
        case 'model.thought':
        case 'model.replan': {
          const model = modelName(usage?.model ?? asked);
          modelCalls.inc({ model, contract: effect.type.slice('model.'.length), outcome });
          modelSeconds.observe({ model }, seconds);
          if (usage !== undefined) countUsage(model, usage);
          return;
        }
        case 'tool.call': {
          const tool = toolName(effect.params.tool);
          toolCalls.inc({ tool, outcome });
          toolSeconds.observe({ tool }, seconds);
          return;
        }
        case 'verify.run':
          return verifications.inc({ outcome });
        default:
          effect satisfies never;
      }
    },
    eventStreamed: (): void => events.inc(),
    exposition: async () => ({ contentType: registry.contentType, text: `${await registry.metrics()}\n` }),
  };
};

/** The meters of one application. */
export type Meters = ReturnType<typeof createMeters>;
