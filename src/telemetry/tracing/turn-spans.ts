import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { TurnView } from '../../../contracts/turn-view.ts';
import type { TraceIds } from '../../lib/trace-ids.ts';
import type { EffectOrigin, ReportedTurn } from '../port.ts';
import { modelNames } from './model-name.ts';

/** Turns and tasks whose ids are kept for log lines; the last lines of a turn come after its end. */
const IDS_KEPT = 4_096;

/** Turns whose spans are open at once: more may wait in queues, and their spans begin when they work, in traces of their own. */
export const OPEN_SPANS_MAX = 10_000;

/** The agent's name in spans. */
const AGENT = 'tripact';

const propagator = new W3CTraceContextPropagator();

/** The context that a `traceparent` stands for; the root where there is none, or one that can't be read. */
const contextOf = (traceparent: string | undefined): Context =>
  propagator.extract(ROOT_CONTEXT, traceparent === undefined ? {} : { traceparent }, defaultTextMapGetter);

/** The spans of the turns that this process has not finished. */
export interface TurnSpans {
  /** A turn was added or finished. */
  reported(turn: ReportedTurn): void;
  /** The turn works on this task from now on. */
  bound(turnId: string, taskId: string): void;
  /** What the effect's span belongs under. The span of a turn that another process began starts here, in a trace of its own. */
  parentOf(origin: EffectOrigin): Context;
  /** Where a turn, or the last turn of a task, is in its trace. */
  idsOf(turnOrTaskId: string): TraceIds | undefined;
  /** Ends all, for what is not ended is never exported; the turns go on after the restart. */
  endAll(): void;
}

/** Makes it with no turn; `model` is the service's, as it is configured. */
export const createTurnSpans = (tracer: Tracer, model: string, version: string): TurnSpans => {
  const spans = new Map<string, Span>();
  const ids = new Map<string, TraceIds>();
  const { provider } = modelNames(model);
  const isFull = (): boolean => spans.size >= OPEN_SPANS_MAX;

  const keepIds = (turnOrTaskId: string, span: Span): void => {
    const { traceId: trace_id, spanId: span_id } = span.spanContext();
    ids.delete(turnOrTaskId);
    ids.set(turnOrTaskId, { trace_id, span_id });
    for (const oldest of ids.keys()) {
      if (ids.size <= IDS_KEPT) return;
      ids.delete(oldest);
    }
  };

  const start = (
    { id, session_id, kind }: Pick<TurnView, 'id' | 'session_id' | 'kind'>,
    parent: Context,
    startTime = Date.now(),
  ): Span => {
    const turn = { 'gen_ai.conversation.id': session_id, 'tripact.turn.id': id };
    const invocation = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': provider,
      'gen_ai.agent.name': AGENT,
      'gen_ai.agent.version': version,
    };
    const span =
      kind === 'task'
        ? tracer.startSpan(`invoke_agent ${AGENT}`, { startTime, attributes: { ...invocation, ...turn } }, parent)
        : tracer.startSpan('command', { startTime, attributes: turn }, parent);
    spans.set(id, span);
    keepIds(id, span);
    return span;
  };

  const end = ({ id, task_id, status, task }: TurnView): void => {
    const span = spans.get(id);
    if (span === undefined) return;
    spans.delete(id);
    span.setAttribute('tripact.turn.status', status);
    if (task_id !== null) span.setAttribute('tripact.task.id', task_id);
    const error = status === 'failed' ? 'task_failed' : status === 'paused' ? (task?.pause_reason ?? 'paused') : null;
    if (error !== null) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };

  return {
    reported: ({ turn, traceparent }) => {
      if (!spans.has(turn.id) && isFull() && turn.finished_at === null) return;
      if (!spans.has(turn.id)) start(turn, contextOf(traceparent), Date.parse(turn.created_at));
      if (turn.finished_at !== null) end(turn);
    },
    bound: (turnId, taskId) => {
      const span = spans.get(turnId);
      if (span !== undefined) keepIds(taskId, span);
    },
    parentOf: ({ turn_id, task_id, session_id }) => {
      if (turn_id === null) return ROOT_CONTEXT;
      const known = spans.get(turn_id);
      if (known === undefined && isFull()) return ROOT_CONTEXT;
      const kind = task_id === null ? 'command' : 'task';
      const span = known ?? start({ id: turn_id, session_id, kind }, ROOT_CONTEXT);
      if (known === undefined && task_id !== null) keepIds(task_id, span);
      return trace.setSpan(ROOT_CONTEXT, span);
    },
    idsOf: (turnOrTaskId) => ids.get(turnOrTaskId),
    endAll: () => {
      for (const span of spans.values()) span.setAttribute('tripact.turn.status', 'interrupted').end();
      spans.clear();
    },
  };
};
