import type { Effect, EffectType, TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import type { CallUsage } from '../../contracts/usage.ts';
import type { Task } from '../../machines/step.ts';
import type { Log, TraceIds } from '../lib/log.ts';

/** A turn that a commit added or finished. */
export interface ReportedTurn {
  readonly turn: TurnView;
  /** The W3C `traceparent` of the request that brought it; undefined where it is none that is added, or had none. */
  readonly traceparent: string | undefined;
}

export interface CommitReport {
  readonly session_id: string;
  /** From handing it to the store until it was durable, in milliseconds. */
  readonly duration_ms: number;
  readonly steps: readonly { readonly event: TaskEvent | TaskOpened; readonly task: Task }[];
  readonly turns: readonly ReportedTurn[];
}

/** An effect as it is reported: calls that are made at once are reported one by one. */
export type ReportedEffect = Exclude<Effect, { type: 'tool.batch' }>;

export interface EffectOrigin {
  readonly session_id: string;
  /** Null for a tool that a user tries. */
  readonly task_id: string | null;
  /** The effect's id; the turn's where a user tries a tool. */
  readonly effect_id: string;
  /** The oldest unfinished turn of the task, or the one in which the user tries the tool. */
  readonly turn_id: string | null;
  /** The model that is asked, where the effect asks one. */
  readonly model: string;
}

/** The outcome of an effect, in one word: of a model call, of a tool call or of a verification. */
export type EffectOutcome =
  | 'answered'
  | 'rejected'
  | 'unavailable'
  | 'ok'
  | 'failed'
  | 'abandoned'
  | 'refused'
  | 'aborted';

/** An effect that is being performed. */
export interface EffectSpan {
  /** Performs it, where it is to be found as the cause of what happens meanwhile. */
  run<Result>(perform: () => Result): Result;
  /** Called once, with the tokens of a model call. */
  ended(outcome: EffectOutcome, usage: CallUsage | undefined): void;
}

/** Events beside commits and effects: failed commits, callbacks, and with several nodes homes that come or go and forwarded requests. */
export type Happening =
  | { readonly type: 'commit_failed' | 'home_claimed' | 'home_lost' }
  | { readonly type: 'forwarded'; readonly outcome: 'answered' | 'unreachable' | 'cut_off' }
  | { readonly type: 'callback_posted'; readonly outcome: 'accepted' | 'refused' | 'unreachable' }
  | { readonly type: 'callback_ended'; readonly outcome: 'delivered' | 'given_up' };

/** Reports of the engine on its work. No function waits, throws, or changes what it is given: each has to take microseconds. */
export interface Telemetry {
  committed(report: CommitReport): void;
  happened(happening: Happening): void;
  effectStarted(effect: ReportedEffect, origin: EffectOrigin): EffectSpan;
}

/** Counts of what runs and waits now. */
export interface Activity {
  readonly turns_running: number;
  /** Those of them that wait until their session is free. */
  readonly turns_queued: number;
  readonly effects_open: Readonly<Record<EffectType, number>>;
  /** Callbacks that are to be posted, and turns that will have one once they are finished. */
  readonly callbacks_pending: number;
}

/** The counts of one application, as `/metrics` gives them. */
export interface MetricsSource {
  /** In Prometheus' text format, with its media type. */
  exposition(): Promise<{ contentType: string; text: string }>;
  /** A trace entry went out on an event stream. */
  eventStreamed(): void;
  happened: Telemetry['happened'];
}

/** Where a turn, or the last turn of a task, is in its trace; undefined where nothing is traced, or that is long ago. */
export type TraceOf = (turnOrTaskId: string) => TraceIds | undefined;

/** Environment variables, as OpenTelemetry names them. */
export type TracingEnvironment = Readonly<Record<string, string | undefined>>;

/** The service whose work is traced. */
export interface TracedService {
  model: string;
  version: string;
  log: Log;
}
