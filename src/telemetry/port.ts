import type { Call } from '../../contracts/calls.ts';
import type { Effect, EffectType, TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { Rating } from '../../contracts/feedback.ts';
import type { SentPrompt } from '../../contracts/model-call.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import type { CallUsage } from '../../contracts/usage.ts';
import type { Task } from '../../machines/step.ts';
import type { Log, TraceIds } from '../lib/log.ts';

/** A turn that a commit added or finished. */
export interface ReportedTurn {
  readonly turn: TurnView;
  /**
   * The W3C `traceparent` of the request that brought an added turn; undefined if it had none, or if the turn was not
   * added.
   */
  readonly traceparent: string | undefined;
  /** The agent of its session; absent: the service has one, without a name. */
  readonly agent?: string | undefined;
}

export interface CommitReport {
  readonly session_id: string;
  /** The agent of the session; absent: the service has one, without a name. */
  readonly agent?: string | undefined;
  /** From handing the commit to the store until it was durable, in milliseconds. */
  readonly duration_ms: number;
  readonly steps: readonly {
    readonly event: TaskEvent | TaskOpened;
    /** The task that the event found; null where it opened the task. */
    readonly before: Task | null;
    readonly task: Task;
  }[];
  readonly turns: readonly ReportedTurn[];
}

/** An effect as reported. Calls made at the same time are reported one by one. */
export type ReportedEffect = Exclude<Effect, { type: 'tool.batch' }>;

export interface EffectOrigin {
  readonly session_id: string;
  /** The agent of the session; absent: the service has one, without a name. */
  readonly agent?: string | undefined;
  /** Null for a tool that a user tries. */
  readonly task_id: string | null;
  /** The effect's id; the turn's if a user tries a tool. */
  readonly effect_id: string;
  /** The oldest unfinished turn of the task, or the turn in which the user tries the tool. */
  readonly turn_id: string | null;
  /** The model that the effect asks, if any. */
  readonly model: string;
}

/** The outcome of a model call, a tool call or a verification, in one word. */
export type EffectOutcome =
  | 'answered'
  | 'rejected'
  | 'unavailable'
  | 'ok'
  | 'failed'
  | 'abandoned'
  | 'refused'
  | 'aborted';

/** Further facts of an effect that ended. */
export interface EffectTold {
  /** The verdict of a tool's policy on the action that a thought asks for. */
  readonly verdict?: 'run' | 'ask' | 'deny' | undefined;
  /** A tool's result. */
  readonly result?: string | undefined;
}

/** A call of a model as it was made. `sent` is null for a model without prompts, `reply` where no answer came. */
export interface TracedCall {
  readonly effect_id: string;
  readonly sent: { readonly prompt: SentPrompt } | null;
  readonly reply: { readonly text: string; readonly calls?: readonly Call[] } | null;
}

/** An effect in progress. */
export interface EffectSpan {
  /** Performs it within its span, so that spans created meanwhile are its children. */
  run<Result>(perform: () => Result): Result;
  /** Called once, with the tokens of a model call. */
  ended(outcome: EffectOutcome, usage: CallUsage | undefined, told?: EffectTold): void;
}

/**
 * Events other than commits and effects: failed commits, callbacks, ratings of replies, and with several nodes homes
 * that come or go and forwarded requests.
 */
export type Happening =
  | { readonly type: 'commit_failed' | 'home_claimed' | 'home_lost' }
  | { readonly type: 'forwarded'; readonly outcome: 'answered' | 'unreachable' | 'cut_off' }
  | { readonly type: 'callback_posted'; readonly outcome: 'accepted' | 'refused' | 'unreachable' }
  | { readonly type: 'callback_ended'; readonly outcome: 'delivered' | 'given_up' }
  | { readonly type: 'feedback_given'; readonly rating: Rating };

/**
 * The engine's reports on its work. No function waits, throws, or changes its arguments: each has to take microseconds.
 */
export interface Telemetry {
  committed(report: CommitReport): void;
  happened(happening: Happening): void;
  effectStarted(effect: ReportedEffect, origin: EffectOrigin): EffectSpan;
}

/** Counts of running and waiting work. */
export interface Activity {
  readonly turns_running: number;
  /** Those that wait until their session is free. */
  readonly turns_queued: number;
  readonly effects_open: Readonly<Record<EffectType, number>>;
  /** Callbacks to be posted, and unfinished turns that will have one; not a number while the store can't be read. */
  readonly callbacks_pending: number;
}

/** The counters of one application, as `/metrics` shows them. */
export interface MetricsSource {
  /** In Prometheus' text format, with its media type. */
  exposition(): Promise<{ contentType: string; text: string }>;
  /** A trace entry was sent on an event stream. */
  eventStreamed(): void;
  happened: Telemetry['happened'];
}

/** The trace position of a turn, or of a task's last turn; undefined if nothing is traced, or if that was long ago. */
export type TraceOf = (turnOrTaskId: string) => TraceIds | undefined;

/** Environment variables, as OpenTelemetry names them. */
export type TracingEnvironment = Readonly<Record<string, string | undefined>>;

/** The service whose work is traced. */
export interface TracedService {
  model: string;
  /** How its model is asked: by calls or by text. */
  voice?: (() => 'native' | 'text') | undefined;
  version: string;
  /** Removes the service's secrets from a text. */
  mask(text: string): string;
  log: Log;
}
