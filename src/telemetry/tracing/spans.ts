import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { type CallUsage, promptTokens, totalTokens } from '../../../contracts/usage.ts';
import { runInTrace, type TraceIds } from '../../lib/log.ts';
import { modelNames } from '../model-names.ts';
import type {
  EffectOrigin,
  EffectOutcome,
  EffectTold,
  ReportedEffect,
  ReportedTurn,
  Telemetry,
  TracedCall,
  TracedService,
} from '../port.ts';
import { createApprovalWaits } from './approval-waits.ts';
import { callContent } from './content.ts';

/** Turns and tasks whose ids are kept for log lines. A turn's last lines come after its end. */
const IDS_KEPT = 4_096;

const AGENT = 'tripact';

/** The service whose turns the spans show. */
type SpannedService = Omit<TracedService, 'log'>;

/**
 * The outcomes that are errors of the call itself, with their `error.type`. An answer that violates its contract is not
 * an error of the call.
 */
const ERROR_TYPES: Partial<Record<EffectOutcome, string>> = {
  unavailable: 'model_unavailable',
  failed: 'tool_error',
  abandoned: 'crash_loop',
};

const usageAttributes = (usage: CallUsage): Attributes => {
  if (totalTokens(usage) === 0) return {};
  const { output_tokens, cache_written_tokens = 0, cache_read_tokens = 0, model, cost } = usage;
  return {
    ...(model !== undefined && { 'gen_ai.response.model': modelNames(model).model }),
    // By the conventions these are all tokens of the prompt, including those of the provider's cache.
    'gen_ai.usage.input_tokens': promptTokens(usage),
    'gen_ai.usage.output_tokens': output_tokens,
    'gen_ai.usage.cache_write.input_tokens': cache_written_tokens,
    'gen_ai.usage.cache_read.input_tokens': cache_read_tokens,
    ...(cost !== undefined && { 'tripact.cost.amount': Number(cost.amount), 'tripact.cost.currency': cost.currency }),
  };
};

const endWith = (span: Span, error: string | false | undefined): void => {
  if (error) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};

/** The span of an effect, and the one around it: planning has a span of its own around its model call. */
interface EffectSpans {
  readonly own: Span;
  readonly around: Span | null;
}

/**
 * Creates the spans of this process's unfinished turns and of their effects, by the GenAI conventions. They contain no
 * text of a prompt or tool, unless `hasContent`.
 */
export const createSpans = (tracer: Tracer, { model, version, voice }: SpannedService, hasContent = false) => {
  const propagator = new W3CTraceContextPropagator();
  const spans = new Map<string, Span>();
  const ids = new Map<string, TraceIds>();
  const waits = createApprovalWaits(Date.now);
  /** Model calls in progress, by effect id. */
  const calls = new Map<string, Span>();

  const keepIds = (turnOrTaskId: string, span: Span): void => {
    const { traceId: trace_id, spanId: span_id } = span.spanContext();
    ids.delete(turnOrTaskId);
    ids.set(turnOrTaskId, { trace_id, span_id });
    const [oldest = ''] = ids.keys();
    if (ids.size > IDS_KEPT) ids.delete(oldest);
  };

  const start = (
    { id, session_id, kind }: Pick<TurnView, 'id' | 'session_id' | 'kind'>,
    parent: Context,
    startTime = Date.now(),
  ): Span => {
    const attributes: Attributes = { 'gen_ai.conversation.id': session_id, 'tripact.turn.id': id };
    if (kind !== 'command')
      Object.assign(attributes, {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': modelNames(model).provider,
        'gen_ai.agent.name': AGENT,
        'gen_ai.agent.version': version,
      });
    const name = kind !== 'command' ? `invoke_agent ${AGENT}` : 'command';
    const span = tracer.startSpan(name, { startTime, attributes }, parent);
    spans.set(id, span);
    keepIds(id, span);
    return span;
  };

  /** The span of a turn that another process began starts here, in its own trace. */
  const parentOf = ({ turn_id, task_id, session_id }: EffectOrigin): Context => {
    if (turn_id === null) return ROOT_CONTEXT;
    const known = spans.get(turn_id);
    const kind = task_id === null ? 'command' : 'task';
    const span = known ?? start({ id: turn_id, session_id, kind }, ROOT_CONTEXT);
    if (known === undefined && task_id !== null) keepIds(task_id, span);
    return trace.setSpan(ROOT_CONTEXT, span);
  };

  const reported = ({ turn, traceparent }: ReportedTurn): void => {
    const { id, task_id, status, task, finished_at } = turn;
    waits.noted(turn);
    const carrier = traceparent === undefined ? {} : { traceparent };
    const span =
      spans.get(id) ??
      start(turn, propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter), Date.parse(turn.created_at));
    if (finished_at === null) return;
    spans.delete(id);
    span.setAttribute('tripact.turn.status', status);
    if (task_id !== null) span.setAttribute('tripact.task.id', task_id);
    endWith(span, status === 'failed' ? 'task_failed' : status === 'paused' && (task?.pause_reason ?? 'paused'));
  };

  const startPlan = (parent: Context, common: Attributes): Span => {
    const attributes = { 'gen_ai.operation.name': 'plan', 'gen_ai.agent.name': AGENT, ...common };
    return tracer.startSpan(`plan ${AGENT}`, { kind: SpanKind.INTERNAL, attributes }, parent);
  };

  /**
   * Starts the span of an effect: `chat` for a model call, within `plan` for the one that plans, and `execute_tool` for a
   * tool.
   */
  const startEffect = (effect: ReportedEffect, origin: EffectOrigin): EffectSpans => {
    const parent = parentOf(origin);
    const common: Attributes = {
      'gen_ai.conversation.id': origin.session_id,
      ...(origin.task_id !== null && { 'tripact.task.id': origin.task_id }),
      'tripact.effect.id': origin.effect_id,
    };
    switch (effect.type) {
      case 'model.plan':
      case 'model.thought':
      case 'model.replan': {
        const asked = modelNames(origin.model);
        const attributes = {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': asked.provider,
          'gen_ai.request.model': asked.model,
          ...(voice?.() === 'text' && { 'gen_ai.output.type': 'json' }),
          'tripact.contract': effect.type.slice('model.'.length),
          ...common,
        };
        const around = effect.type === 'model.plan' ? startPlan(parent, common) : null;
        const within = around === null ? parent : trace.setSpan(parent, around);
        return { own: tracer.startSpan(`chat ${asked.model}`, { kind: SpanKind.CLIENT, attributes }, within), around };
      }
      case 'tool.call': {
        const { tool, executor, input } = effect.params;
        const attributes = {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': tool,
          'gen_ai.tool.type': 'function',
          'gen_ai.tool.call.id': origin.effect_id,
          'tripact.executor': executor,
          ...(hasContent && { 'gen_ai.tool.call.arguments': input }),
          ...common,
        };
        const kind = SpanKind.INTERNAL;
        return { own: tracer.startSpan(`execute_tool ${tool}`, { kind, attributes }, parent), around: null };
      }
      case 'verify.run':
        return {
          own: tracer.startSpan('verify', { kind: SpanKind.INTERNAL, attributes: common }, parent),
          around: null,
        };
      default:
        return effect satisfies never;
    }
  };

  const endEffect = (
    { own, around }: EffectSpans,
    outcome: EffectOutcome,
    usage: CallUsage | undefined,
    { verdict, result }: EffectTold,
  ): void => {
    own.setAttribute('tripact.outcome', outcome);
    if (usage !== undefined) own.setAttributes(usageAttributes(usage));
    if (verdict !== undefined) own.setAttribute('tripact.approval.verdict', verdict);
    if (hasContent && result !== undefined) own.setAttribute('gen_ai.tool.call.result', result);
    endWith(own, ERROR_TYPES[outcome]);
    if (around !== null) endWith(around.setAttribute('tripact.outcome', outcome), ERROR_TYPES[outcome]);
  };

  return {
    telemetry: {
      committed: ({ steps, turns }) => {
        // A turn that finishes in this commit may work on its task in the same commit.
        for (const turn of turns) if (turn.turn.finished_at === null) reported(turn);
        for (const step of steps) {
          const { event, task } = step;
          const decided = waits.decided(step);
          const span = 'turn_id' in event && event.turn_id !== null ? spans.get(event.turn_id) : undefined;
          if (span !== undefined) keepIds(task.context.task_id, span);
          if (decided !== null) span?.setAttributes(decided);
        }
        for (const turn of turns) if (turn.turn.finished_at !== null) reported(turn);
      },
      happened: () => {},
      effectStarted: (effect, origin) => {
        const started = startEffect(effect, origin);
        const { traceId: trace_id, spanId: span_id } = started.own.spanContext();
        if (hasContent) calls.set(origin.effect_id, started.own);
        return {
          run: (perform) => runInTrace({ trace_id, span_id }, perform),
          ended: (outcome, usage, told = {}) => {
            calls.delete(origin.effect_id);
            endEffect(started, outcome, usage, told);
          },
        };
      },
    } satisfies Telemetry,
    /** Puts the texts of a model call on its span. Of several attempts the last one stays. */
    called: (call: TracedCall): void => void calls.get(call.effect_id)?.setAttributes(callContent(call)),
    idsOf: (turnOrTaskId: string): TraceIds | undefined => ids.get(turnOrTaskId),
    /** Ends all spans, as open ones are never exported. The turns continue after the restart. */
    endAll: (): void => {
      for (const span of spans.values()) span.setAttribute('tripact.turn.status', 'interrupted').end();
      spans.clear();
    },
  };
};
