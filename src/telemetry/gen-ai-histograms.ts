import type { Histogram } from 'prom-client';
import { type CallUsage, promptTokens } from '../../contracts/usage.ts';
import { modelNames } from './model-names.ts';
import type { EffectOutcome } from './port.ts';

/** Bucket bounds of durations in seconds, as the GenAI conventions recommend. */
export const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/** Bucket bounds of tokens, as the GenAI conventions recommend. */
export const TOKENS = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

const LABELS = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model'] as const;

type Label = (typeof LABELS)[number] | 'error_type';

/** Makes a histogram of the application's registry. */
type MakeHistogram = (name: string, help: string, buckets: number[], ...labels: Label[]) => Histogram<Label>;

/** The errors of a model call, by outcome. A rejected answer is not an error of the call. */
const ERRORS: Partial<Record<EffectOutcome, string>> = { unavailable: 'model_unavailable', abandoned: 'crash_loop' };

/** The `error.type` of a model call; undefined: it was no error. */
export const errorOfCall = (outcome: EffectOutcome): string | undefined => ERRORS[outcome];

/**
 * Creates the histograms of model calls by the GenAI conventions, with the names that OpenTelemetry's metrics have in
 * Prometheus. Tokens are counted only where the model's server reports them.
 */
export const createGenAiHistograms = (histogram: MakeHistogram) => {
  const duration = histogram(
    'gen_ai_client_inference_duration_seconds',
    'Time of a model call, including retries, by the GenAI conventions.',
    SECONDS,
    ...LABELS,
    'error_type',
  );
  const input = histogram(
    'gen_ai_client_inference_operation_input_tokens',
    'Tokens of the prompt of a model call, including those of the cache, by the GenAI conventions.',
    TOKENS,
    ...LABELS,
  );
  const output = histogram(
    'gen_ai_client_inference_operation_output_tokens',
    'Tokens of the answer of a model call, by the GenAI conventions.',
    TOKENS,
    ...LABELS,
  );
  return {
    /** Counts a model call that ended after the given number of seconds. */
    counted: (name: string, outcome: EffectOutcome, seconds: number, usage: CallUsage | undefined): void => {
      const { provider, model } = modelNames(name);
      const labels = { gen_ai_operation_name: 'chat', gen_ai_provider_name: provider, gen_ai_request_model: model };
      const error = errorOfCall(outcome);
      duration.observe(error === undefined ? labels : { ...labels, error_type: error }, seconds);
      if (usage === undefined || usage.is_unknown) return;
      input.observe(labels, promptTokens(usage));
      output.observe(labels, usage.output_tokens);
    },
  };
};
