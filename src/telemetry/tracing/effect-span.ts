import { type Attributes, type Context, type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { Effect, TaskEvent } from '../../../contracts/event.ts';
import { type CallUsage, promptTokens, totalTokens } from '../../../contracts/usage.ts';
import { type EffectOutcome, outcomeOf } from '../effect-outcome.ts';
import type { EffectOrigin } from '../port.ts';
import { modelNames } from './model-name.ts';

/** The outcomes that are errors of what the span is about, with their `error.type`. An answer that is no contract is none of the call. */
const ERROR_TYPES: Partial<Record<EffectOutcome, string>> = {
  unavailable: 'model_unavailable',
  failed: 'tool_error',
  abandoned: 'crash_loop',
};

/** Starts the span of an effect, by the GenAI semantic conventions: `chat` for a model call, `execute_tool` for a tool. No text of a prompt or a tool is in it. */
export const startEffectSpan = (tracer: Tracer, parent: Context, effect: Effect, origin: EffectOrigin): Span => {
  const common: Attributes = {
    'gen_ai.conversation.id': origin.session_id,
    ...(origin.task_id !== null && { 'tripact.task.id': origin.task_id }),
    'tripact.effect.id': origin.effect_id,
  };
  switch (effect.type) {
    case 'model.plan':
    case 'model.thought':
    case 'model.replan': {
      const { provider, model } = modelNames(origin.model);
      const attributes = {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': provider,
        'gen_ai.request.model': model,
        'gen_ai.output.type': 'json',
        'tripact.contract': effect.type.slice('model.'.length),
        ...common,
      };
      return tracer.startSpan(`chat ${model}`, { kind: SpanKind.CLIENT, attributes }, parent);
    }
    case 'tool.call': {
      const { tool, executor } = effect.params;
      const attributes = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': origin.effect_id,
        'tripact.executor': executor,
        ...common,
      };
      return tracer.startSpan(`execute_tool ${tool}`, { kind: SpanKind.INTERNAL, attributes }, parent);
    }
    case 'verify.run':
      return tracer.startSpan('verify', { kind: SpanKind.INTERNAL, attributes: common }, parent);
    default:
      return effect satisfies never;
  }
};

const usageAttributes = (usage: CallUsage): Attributes => {
  if (totalTokens(usage) === 0) return {};
  const { output_tokens, cache_written_tokens = 0, cache_read_tokens = 0, model, cost } = usage;
  return {
    ...(model !== undefined && { 'gen_ai.response.model': modelNames(model).model }),
    // By the conventions all tokens of the prompt, those of the provider's cache too.
    'gen_ai.usage.input_tokens': promptTokens(usage),
    'gen_ai.usage.output_tokens': output_tokens,
    'gen_ai.usage.cache_creation.input_tokens': cache_written_tokens,
    'gen_ai.usage.cache_read.input_tokens': cache_read_tokens,
    ...(cost !== undefined && { 'tripact.cost.amount': Number(cost.amount), 'tripact.cost.currency': cost.currency }),
  };
};

/** Ends it with what came of the effect; null: it was aborted. */
export const endEffectSpan = (span: Span, event: TaskEvent | null): void => {
  const outcome = outcomeOf(event);
  span.setAttribute('tripact.outcome', outcome);
  if (event !== null && 'usage' in event && event.usage !== undefined) span.setAttributes(usageAttributes(event.usage));
  const error = ERROR_TYPES[outcome];
  if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};
