import { setTimeout as delay } from 'node:timers/promises';
import type { Attributes } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { MeterProvider, PeriodicExportingMetricReader, type ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { promptTokens } from '../../../contracts/usage.ts';
import type { Log } from '../../lib/log.ts';
import { onceAMinute } from '../../lib/once-a-minute.ts';
import { errorOfCall, SECONDS, TOKENS } from '../gen-ai-histograms.ts';
import { modelNames } from '../model-names.ts';
import type { Telemetry, TracedService, TracingEnvironment } from '../port.ts';
import { resourceOf } from './resource.ts';
import { numberOf } from './variables.ts';

/** Longest wait for the last metrics when the service stops, in milliseconds. */
const FLUSH_MS_MAX = 2_000;

/** Logs its failures once a minute; never what it sent, nor the headers. */
class LoggedExporter extends OTLPMetricExporter {
  readonly #log: Log;
  readonly #isWorthALine = onceAMinute();

  constructor(log: Log) {
    super();
    this.#log = log;
  }

  override export(metrics: ResourceMetrics, done: (result: ExportResult) => void): void {
    super.export(metrics, (result) => {
      if (result.code !== ExportResultCode.SUCCESS && this.#isWorthALine())
        this.#log.warn({ reason: result.error?.message }, 'metrics could not be exported');
      done(result);
    });
  }
}

/**
 * Creates the export of model calls as histograms of the GenAI conventions, sent by OTLP over HTTP as JSON. The exporter
 * reads its endpoint, headers and time limit from OpenTelemetry's variables. No metric has a text or names a user.
 */
export const createMetricsExport = (
  env: TracingEnvironment,
  { version, log }: Pick<TracedService, 'version' | 'log'>,
) => {
  const reader = new PeriodicExportingMetricReader({
    exporter: new LoggedExporter(log),
    exportIntervalMillis: numberOf(env['OTEL_METRIC_EXPORT_INTERVAL']),
    exportTimeoutMillis: numberOf(env['OTEL_METRIC_EXPORT_TIMEOUT']),
  });
  const provider = new MeterProvider({ resource: resourceOf(version), readers: [reader] });
  const meter = provider.getMeter('tripact', version);
  const histogram = (name: string, unit: string, bounds: readonly number[]) =>
    meter.createHistogram(name, { unit, advice: { explicitBucketBoundaries: [...bounds] } });
  const duration = histogram('gen_ai.client.inference.duration', 's', SECONDS);
  const input = histogram('gen_ai.client.inference.operation.input_tokens', '{token}', TOKENS);
  const output = histogram('gen_ai.client.inference.operation.output_tokens', '{token}', TOKENS);

  const telemetry: Telemetry = {
    committed: () => {},
    happened: () => {},
    effectStarted: ({ type }, origin) => {
      const begun = performance.now();
      return {
        run: (perform) => perform(),
        ended: (outcome, usage) => {
          if (!type.startsWith('model.')) return;
          const { provider: name, model } = modelNames(origin.model);
          const asked: Attributes = {
            'gen_ai.operation.name': 'chat',
            'gen_ai.provider.name': name,
            'gen_ai.request.model': model,
          };
          const error = errorOfCall(outcome);
          const seconds = (performance.now() - begun) / 1_000;
          duration.record(seconds, error === undefined ? asked : { ...asked, 'error.type': error });
          if (usage === undefined || usage.is_unknown) return;
          input.record(promptTokens(usage), asked);
          output.record(usage.output_tokens, asked);
        },
      };
    },
  };
  return {
    telemetry,
    /** Sends what was counted last, within a short time. */
    close: async (): Promise<void> => {
      await Promise.race([provider.shutdown().catch(() => {}), delay(FLUSH_MS_MAX, undefined, { ref: false })]);
    },
  };
};
