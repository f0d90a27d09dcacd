import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Activity } from '../engine/port.ts';

/** Bucket bounds in seconds: a command takes milliseconds, a task of many model calls minutes. */
const TURN_SECONDS = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1_800];

/** The same of a model call: a short thought of a fast model to the longest that the deadline allows. */
const MODEL_SECONDS = [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160];

/** The same of a tool call: from a change of the owner's data to a coding agent. */
const TOOL_SECONDS = [0.005, 0.05, 0.25, 1, 5, 15, 60, 300];

/** The same of a commit: an fsync of a fast disk to one that a full disk or a backup holds up. */
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2];

let ofProcess: Registry | undefined;

/** The process's own figures: memory, processor time, garbage collection, the event loop's delay. One set for all applications of a process. */
export const processRegistry = (): Registry => {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
};

/** What is asked for when the metrics are read. */
export interface Readings {
  activity(): Promise<Activity>;
  isReady(): Promise<boolean>;
  version: string;
}

const addGauges = (registers: Registry[], { activity, isReady, version }: Readings): void => {
  const gauge = (name: string, help: string, read: (activity: Activity) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(read(await activity()));
      },
    });
  };
  gauge('tripact_turns_running', 'Turns taken in and not finished yet.', ({ turns_running }) => turns_running);
  gauge(
    'tripact_turns_queued',
    'Turns that wait until their session is free; they count as running, too.',
    ({ turns_queued }) => turns_queued,
  );
  gauge(
    'tripact_callbacks_pending',
    'Callbacks to be posted, and turns that will have one once they are finished.',
    ({ callbacks_pending }) => callbacks_pending,
  );
  new Gauge({
    name: 'tripact_effects_open',
    help: 'Model calls, tool calls and verifications that are asked for and have no outcome yet.',
    labelNames: ['type'],
    registers,
    async collect() {
      for (const [type, count] of Object.entries((await activity()).effects_open)) this.set({ type }, count);
    },
  });
  new Gauge({
    name: 'tripact_ready',
    help: '1 while turns are taken in and the store can be written, else 0.',
    registers,
    async collect() {
      this.set(Number(await isReady()));
    },
  });
  new Gauge({ name: 'tripact_build_info', help: 'The version that runs.', labelNames: ['version'], registers }).set(
    { version },
    1,
  );
};

/** Makes an application's counters and gauges. No label ever names a session or an owner. */
export const createMeters = (readings: Readings) => {
  const registry = new Registry();
  const registers = [registry];
  addGauges(registers, readings);
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], labelNames: Label[]) =>
    new Histogram({ name, help, buckets, labelNames, registers });
  return {
    registry,
    turns: counter('tripact_turns_total', 'Turns finished, by how they ended.', ['status']),
    turnSeconds: histogram(
      'tripact_turn_duration_seconds',
      'Time from taking a turn in to finishing it.',
      TURN_SECONDS,
      [],
    ),
    events: counter('tripact_events_streamed_total', 'Trace entries sent on event streams.', []),
    steps: counter('tripact_steps_total', "Steps of tasks' machines, by event.", ['event']),
    pauses: counter('tripact_tasks_paused_total', 'Tasks paused, by reason.', ['reason']),
    modelCalls: counter('tripact_model_calls_total', 'Calls of models, by what came of them.', [
      'model',
      'contract',
      'outcome',
    ]),
    modelSeconds: histogram(
      'tripact_model_call_duration_seconds',
      'Time of a model call with its retries.',
      MODEL_SECONDS,
      ['model'],
    ),
    modelTokens: counter('tripact_model_tokens_total', 'Tokens of model calls, by kind.', ['model', 'kind']),
    modelCost: counter('tripact_model_cost_total', 'What model calls cost by the price list.', ['model', 'currency']),
    toolCalls: counter('tripact_tool_calls_total', 'Calls of tools, by what came of them.', ['tool', 'outcome']),
    toolSeconds: histogram('tripact_tool_call_duration_seconds', 'Time of a tool call.', TOOL_SECONDS, ['tool']),
    verifications: counter('tripact_verifications_total', 'Verifications before an answer.', ['outcome']),
    commitSeconds: histogram(
      'tripact_commit_duration_seconds',
      'Time from handing a commit to the store until it was durable.',
      COMMIT_SECONDS,
      [],
    ),
    commitFailures: counter('tripact_commit_failures_total', 'Commits that the store refused.', []),
    callbackPosts: counter('tripact_callback_posts_total', 'Posts of callbacks, by what came of each.', ['outcome']),
    callbacks: counter('tripact_callbacks_total', 'Callbacks that ended, by what came of them.', ['outcome']),
  };
};

export type Meters = ReturnType<typeof createMeters>;
