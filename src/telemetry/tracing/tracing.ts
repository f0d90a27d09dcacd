import { setTimeout as delay } from 'node:timers/promises';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../../lib/log.ts';
import { onceAMinute } from '../../lib/once-a-minute.ts';
import { resourceOf } from '../otlp/resource.ts';
import { numberOf } from '../otlp/variables.ts';
import type { TracedService, TracingEnvironment } from '../port.ts';
import { capturesContent } from './content.ts';
import { createSpans } from './spans.ts';

/**
 * Longest wait for the last spans when the service stops, in milliseconds. Spans that a collector did not accept by
 * then are lost.
 */
const FLUSH_MS_MAX = 2_000;

/**
 * The sampler by `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`; default: the decision of the caller's trace, and
 * always without one.
 */
export const samplerOf = (name: string | undefined, argument: string | undefined): Sampler => {
  const [, parent, root] = /^(parentbased_)?(always_off|always_on|traceidratio)$/.exec(name ?? '') ?? [];
  const isRoot = root !== undefined && parent === undefined;
  const given = root === 'traceidratio' ? Number(argument || 1) : 1;
  const ratio = root === 'always_off' ? 0 : given;
  const sampler = new TraceIdRatioBasedSampler(Number.isFinite(ratio) ? ratio : 1);
  return isRoot ? sampler : new ParentBasedSampler({ root: sampler });
};

/** The same exporter, logging its failures once a minute; never what it sent, nor the headers. */
const logged = (exporter: SpanExporter, log: Log): SpanExporter => {
  const isWorthALine = onceAMinute();
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS && isWorthALine())
          log.warn({ spans: spans.length, reason: result.error?.message }, 'spans could not be exported');
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
};

/**
 * The exporter itself reads its endpoint, headers, compression, certificates and time limit from OpenTelemetry's
 * variables.
 */
const createProvider = (env: TracingEnvironment, { version, log }: TracedService): TracerProvider =>
  new TracerProvider({
    resource: resourceOf(version),
    sampler: samplerOf(env['OTEL_TRACES_SAMPLER'], env['OTEL_TRACES_SAMPLER_ARG']),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: logged(new OTLPTraceExporter(), log),
        scheduledDelayMillis: numberOf(env['OTEL_BSP_SCHEDULE_DELAY']),
        exportTimeoutMillis: numberOf(env['OTEL_BSP_EXPORT_TIMEOUT']),
        maxQueueSize: numberOf(env['OTEL_BSP_MAX_QUEUE_SIZE']),
        maxExportBatchSize: numberOf(env['OTEL_BSP_MAX_EXPORT_BATCH_SIZE']),
      }),
    ],
  });

/**
 * Creates tracing: spans of turns, model calls and tool calls, by the GenAI semantic conventions, sent in batches by
 * OTLP over HTTP as JSON.
 */
export const createTracing = (env: TracingEnvironment, service: TracedService) => {
  const provider = createProvider(env, service);
  const hasContent = capturesContent(env);
  const mask = hasContent ? service.mask : null;
  const spans = createSpans(provider.getTracer('tripact', service.version), service, mask);
  return {
    /** Gets each model call, whose texts go on its span; null: no texts are sent. */
    called: hasContent ? spans.called : null,
    idsOf: spans.idsOf,
    telemetry: spans.telemetry,
    /** Ends and sends all spans, within a short time. */
    close: async (): Promise<void> => {
      spans.endAll();
      await Promise.race([provider.shutdown().catch(() => {}), delay(FLUSH_MS_MAX, undefined, { ref: false })]);
    },
  };
};
