import { type Attributes, type Context, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import { type CallUsage, promptTokens, totalTokens } from '../../../contracts/usage.ts';
import { modelNames } from '../model-names.ts';
import type { EffectOrigin, EffectOutcome, EffectTold, ReportedEffect } from '../port.ts';
import type { Mask } from './content.ts';
import { AGENT, endWith } from './span-ends.ts';

type ModelEffect = Extract<ReportedEffect, { type: `model.${string}` }>;
type ToolEffect = Extract<ReportedEffect, { type: 'tool.call' }>;

/**
 * The outcomes that are errors of the call itself, with their `error.type`. An answer that violates its contract is not
 * an error of the call.
 */
const ERROR_TYPES: Partial<Record<EffectOutcome, string>> = {
  unavailable: 'model_unavailable',
  failed: 'tool_error',
  abandoned: 'crash_loop',
};

export const usageAttributes = (usage: CallUsage): Attributes => {
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

const commonAttributes = ({ session_id, task_id, effect_id, agent }: EffectOrigin): Attributes => ({
  'gen_ai.conversation.id': session_id,
  ...(agent !== undefined && { 'gen_ai.agent.name': agent }),
  ...(task_id !== null && { 'tripact.task.id': task_id }),
  'tripact.effect.id': effect_id,
});

/** Whether the model answers by text, and how the texts of tools are masked; null: spans have none. */
interface Shown {
  isByText: boolean;
  mask: Mask | null;
}

const modelAttributes = ({ type }: ModelEffect, origin: EffectOrigin, { isByText }: Shown): Attributes => {
  const asked = modelNames(origin.model);
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': asked.provider,
    'gen_ai.request.model': asked.model,
    ...(isByText && { 'gen_ai.output.type': 'json' }),
    'tripact.contract': type.slice('model.'.length),
    ...commonAttributes(origin),
  };
};

const toolAttributes = ({ params }: ToolEffect, origin: EffectOrigin, { mask }: Shown): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': params.tool,
  'gen_ai.tool.type': 'function',
  'gen_ai.tool.call.id': origin.effect_id,
  'tripact.executor': params.executor,
  ...(mask !== null && { 'gen_ai.tool.call.arguments': mask(params.input) }),
  ...commonAttributes(origin),
});

/** The span of an effect in progress. One that plans has the span `plan` around that of its model call. */
export class EffectSpans {
  readonly own: Span;
  readonly #around: Span | null;

  constructor(own: Span, around: Span | null = null) {
    this.own = own;
    this.#around = around;
  }

  end(
    outcome: EffectOutcome,
    usage: CallUsage | undefined,
    { verdict, result }: EffectTold,
    { mask }: Pick<Shown, 'mask'>,
  ): void {
    const { own } = this;
    own.setAttribute('tripact.outcome', outcome);
    if (usage !== undefined) own.setAttributes(usageAttributes(usage));
    if (verdict !== undefined) own.setAttribute('tripact.approval.verdict', verdict);
    if (mask !== null && result !== undefined) own.setAttribute('gen_ai.tool.call.result', mask(result));
    endWith(own, ERROR_TYPES[outcome]);
    if (this.#around !== null) endWith(this.#around.setAttribute('tripact.outcome', outcome), ERROR_TYPES[outcome]);
  }
}

const startModelSpan = (
  tracer: Tracer,
  effect: ModelEffect,
  origin: EffectOrigin,
  parent: Context,
  shown: Shown,
): EffectSpans => {
  const { agent = AGENT } = origin;
  const plan = { 'gen_ai.operation.name': 'plan', 'gen_ai.agent.name': agent, ...commonAttributes(origin) };
  const around =
    effect.type === 'model.plan'
      ? tracer.startSpan(`plan ${agent}`, { kind: SpanKind.INTERNAL, attributes: plan }, parent)
      : null;
  const within = around === null ? parent : trace.setSpan(parent, around);
  const attributes = modelAttributes(effect, origin, shown);
  const name = `chat ${modelNames(origin.model).model}`;
  return new EffectSpans(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, within), around);
};

/**
 * Starts the span of an effect: `chat` for a model call, within `plan` for the one that plans, and `execute_tool` for a
 * tool.
 */
export const startEffectSpan = (
  tracer: Tracer,
  effect: ReportedEffect,
  origin: EffectOrigin,
  parent: Context,
  shown: Shown,
): EffectSpans => {
  const kind = SpanKind.INTERNAL;
  switch (effect.type) {
    case 'model.plan':
    case 'model.thought':
    case 'model.replan':
      return startModelSpan(tracer, effect, origin, parent, shown);
    case 'tool.call': {
      const attributes = toolAttributes(effect, origin, shown);
      return new EffectSpans(tracer.startSpan(`execute_tool ${effect.params.tool}`, { kind, attributes }, parent));
    }
    case 'verify.run':
      return new EffectSpans(tracer.startSpan('verify', { kind, attributes: commonAttributes(origin) }, parent));
    default:
      return effect satisfies never;
  }
};
