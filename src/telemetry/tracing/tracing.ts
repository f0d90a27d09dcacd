import { setTimeout as delay } from 'node:timers/promises';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { runInTrace } from '../../lib/trace-ids.ts';
import type { Tracing } from '../port.ts';
import { createCollectorExporter } from './collector-exporter.ts';
import { endEffectSpan, startEffectSpan } from './effect-span.ts';
import { loggedExporter, SPANS_MAX } from './logged-exporter.ts';
import { samplerOf } from './sampler.ts';
import type { TracedService, TracingEnvironment } from './traced-service.ts';
import { createTurnSpans } from './turn-spans.ts';

/** Longest wait for the last spans at the end of the service, in milliseconds: what a collector did not take by then is lost. */
const FLUSH_MS_MAX = 2_000;

/** A whole number of a variable; undefined: the library's default. */
const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** How long a collector may take for a batch, in milliseconds: OpenTelemetry's default, where its variables say nothing else. */
const timeoutOf = (env: TracingEnvironment): number =>
  numberOf(env['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT']) || numberOf(env['OTEL_EXPORTER_OTLP_TIMEOUT']) || 10_000;

/** Spans in one request at most: the service writes them out in one piece, 4,096 in 70 ms. */
const BATCH_MAX = 1_024;

/** A size of a variable, which is no 0, for the library would send nothing for ever. */
const sizeOf = (text: string | undefined, most: number): number | undefined => {
  const size = numberOf(text);
  return size === undefined || size === 0 ? undefined : Math.min(size, most);
};

const createProvider = (env: TracingEnvironment, { version, log }: TracedService): TracerProvider => {
  const options = {
    scheduledDelayMillis: numberOf(env['OTEL_BSP_SCHEDULE_DELAY']),
    exportTimeoutMillis: numberOf(env['OTEL_BSP_EXPORT_TIMEOUT']),
    maxQueueSize: sizeOf(env['OTEL_BSP_MAX_QUEUE_SIZE'], SPANS_MAX),
    maxExportBatchSize: sizeOf(env['OTEL_BSP_MAX_EXPORT_BATCH_SIZE'], BATCH_MAX),
  };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return new TracerProvider({
    // What OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say wins.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'tripact', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(env['OTEL_TRACES_SAMPLER'], env['OTEL_TRACES_SAMPLER_ARG']),
    spanProcessors: [
      new BatchSpanProcessor({
        ...given,
        exporter: loggedExporter(createCollectorExporter(env, timeoutOf(env)), log),
      }),
    ],
  });
};

/** Makes tracing: spans of turns, model calls and tool calls, by the GenAI semantic conventions, sent in batches by OTLP over HTTP as JSON. */
export const createTracing = (env: TracingEnvironment, service: TracedService): Tracing => {
  const { model, version } = service;
  const provider = createProvider(env, service);
  const tracer = provider.getTracer('tripact', version);
  const turns = createTurnSpans(tracer, model, version);
  return {
    idsOf: turns.idsOf,
    telemetry: {
      committed: ({ steps, turns: reported }) => {
        // A turn that is finished in this commit may work on its task in it.
        for (const turn of reported) if (turn.turn.finished_at === null) turns.reported(turn);
        for (const { event, task } of steps)
          if ('turn_id' in event && event.turn_id !== null) turns.bound(event.turn_id, task.context.task_id);
        for (const turn of reported) if (turn.turn.finished_at !== null) turns.reported(turn);
      },
      commitFailed: () => {},
      callbackPosted: () => {},
      callbackEnded: () => {},
      effectStarted: (effect, origin) => {
        const span = startEffectSpan(tracer, turns.parentOf(origin), effect, origin);
        const { traceId: trace_id, spanId: span_id } = span.spanContext();
        return {
          run: (perform) => runInTrace({ trace_id, span_id }, perform),
          ended: (outcome) => endEffectSpan(span, outcome),
        };
      },
    },
    close: async () => {
      turns.endAll();
      await Promise.race([provider.shutdown().catch(() => {}), delay(FLUSH_MS_MAX, undefined, { ref: false })]);
    },
  };
};
