import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { addUsage, type CallUsage, NO_USAGE, type Usage } from '../../../contracts/usage.ts';
import type { TraceIds } from '../../lib/log.ts';
import { modelNames } from '../model-names.ts';
import type { EffectOrigin, ReportedTurn, TracedService } from '../port.ts';
import { usageAttributes } from './effect-spans.ts';
import { AGENT, endWith } from './span-ends.ts';

/** Turns and tasks whose ids are kept for log lines. A turn's last lines come after its end. */
const IDS_KEPT = 4_096;

/** The spans of this process's unfinished turns, and the trace ids of turns and tasks. */
export class TurnSpans {
  readonly #tracer: Tracer;
  readonly #service: Pick<TracedService, 'model' | 'version'>;
  readonly #propagator = new W3CTraceContextPropagator();
  readonly #open = new Map<string, Span>();
  /** Tokens that this process's effects used for unfinished turns. */
  readonly #used = new Map<string, Usage>();
  readonly #ids = new Map<string, TraceIds>();

  constructor(tracer: Tracer, service: Pick<TracedService, 'model' | 'version'>) {
    this.#tracer = tracer;
    this.#service = service;
  }

  /** The span of an unfinished turn. */
  of(turnId: string): Span | undefined {
    return this.#open.get(turnId);
  }

  idsOf(turnOrTaskId: string): TraceIds | undefined {
    return this.#ids.get(turnOrTaskId);
  }

  /** Remembers a span's ids for the log lines of a turn or task. */
  keepIds(turnOrTaskId: string, span: Span): void {
    const { traceId: trace_id, spanId: span_id } = span.spanContext();
    this.#ids.delete(turnOrTaskId);
    this.#ids.set(turnOrTaskId, { trace_id, span_id });
    const [oldest = ''] = this.#ids.keys();
    if (this.#ids.size > IDS_KEPT) this.#ids.delete(oldest);
  }

  /** The context of an effect. The span of a turn that another process began starts here, in its own trace. */
  contextOf({ turn_id, task_id, session_id, agent }: EffectOrigin): Context {
    if (turn_id === null) return ROOT_CONTEXT;
    const known = this.#open.get(turn_id);
    const kind = task_id === null ? 'command' : 'task';
    const span = known ?? this.#start({ id: turn_id, session_id, kind, agent }, ROOT_CONTEXT);
    if (known === undefined && task_id !== null) this.keepIds(task_id, span);
    return trace.setSpan(ROOT_CONTEXT, span);
  }

  /** Adds the tokens of a call to those of its turn. */
  used(turnId: string | null, usage: CallUsage): void {
    if (turnId === null || !this.#open.has(turnId)) return;
    this.#used.set(turnId, addUsage(this.#used.get(turnId) ?? NO_USAGE, usage));
  }

  /** Starts the span of a turn as of its creation, and ends that of a finished one. */
  report({ turn, traceparent, agent }: ReportedTurn): void {
    const { id, task_id, status, task, finished_at } = turn;
    const carrier = traceparent === undefined ? {} : { traceparent };
    const span =
      this.#open.get(id) ??
      this.#start(
        { ...turn, agent },
        this.#propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter),
        Date.parse(turn.created_at),
      );
    if (finished_at === null) return;
    this.#open.delete(id);
    span.setAttribute('tripact.turn.status', status);
    const used = this.#used.get(id);
    if (used !== undefined) span.setAttributes(usageAttributes(used));
    this.#used.delete(id);
    if (task_id !== null) span.setAttribute('tripact.task.id', task_id);
    endWith(span, status === 'failed' ? 'task_failed' : status === 'paused' && (task?.pause_reason ?? 'paused'));
  }

  /** Ends all spans, as open ones are never exported. The turns continue after the restart. */
  endAll(): void {
    for (const span of this.#open.values()) span.setAttribute('tripact.turn.status', 'interrupted').end();
    this.#open.clear();
    this.#used.clear();
  }

  #start(
    { id, session_id, kind, agent = AGENT }: Pick<TurnView, 'id' | 'session_id' | 'kind'> & Pick<ReportedTurn, 'agent'>,
    parent: Context,
    startTime = Date.now(),
  ): Span {
    const { model, version } = this.#service;
    const attributes: Attributes = { 'gen_ai.conversation.id': session_id, 'tripact.turn.id': id };
    if (kind !== 'command')
      Object.assign(attributes, {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': modelNames(model).provider,
        'gen_ai.agent.name': agent,
        'gen_ai.agent.version': version,
      });
    const name = kind !== 'command' ? `invoke_agent ${agent}` : 'command';
    const span = this.#tracer.startSpan(name, { startTime, attributes }, parent);
    this.#open.set(id, span);
    this.keepIds(id, span);
    return span;
  }
}
