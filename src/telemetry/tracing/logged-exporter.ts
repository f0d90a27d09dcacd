import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from '../../lib/log.ts';

/** How often a collector that takes no spans is logged, in milliseconds. */
const FAULT_LOG_MS = 60_000;

/** Spans that wait for the collector at most, whatever is configured: about 1 KB each. */
export const SPANS_MAX = 65_536;

/**
 * The same exporter, a batch at a time, for at the end all come at once: written out in one piece, and refused from the 31st on. Those that do not fit are lost at once. It has a line in the log
 * when spans can't be exported; never of what it sent, nor of the headers.
 */
export const loggedExporter = (exporter: SpanExporter, log: Log): SpanExporter => {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let last = Promise.resolve();
  let waiting = 0;
  const send = (spans: ReadableSpan[]): Promise<ExportResult> =>
    new Promise((resolve) => {
      exporter.export(spans, resolve);
    });
  return {
    export: (spans, done) => {
      const ended = (result: ExportResult): void => {
        if (result.code !== ExportResultCode.SUCCESS && performance.now() - loggedAt > FAULT_LOG_MS) {
          loggedAt = performance.now();
          log.warn({ spans: spans.length, reason: result.error?.message }, 'spans could not be exported');
        }
        done(result);
      };
      if (waiting + spans.length > SPANS_MAX)
        return ended({ code: ExportResultCode.FAILED, error: new Error('the collector takes them too slowly') });
      waiting += spans.length;
      last = last
        .then(() => send(spans))
        .then((result) => {
          waiting -= spans.length;
          ended(result);
        });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
};
