import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from '../../log.ts';

/** How often a collector that takes no spans is logged, in milliseconds. */
const FAULT_LOG_MS = 60_000;

/**
 * The same exporter, a batch at a time, for at the end all come at once: written out in one piece, and refused from the 31st on. It has a line in the log
 * when spans can't be exported; never of what it sent, nor of the headers.
 */
export const loggedExporter = (exporter: SpanExporter, log: Log): SpanExporter => {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let last = Promise.resolve();
  const send: SpanExporter['export'] = (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.code !== ExportResultCode.SUCCESS && performance.now() - loggedAt > FAULT_LOG_MS) {
        loggedAt = performance.now();
        log.warn({ spans: spans.length, reason: result.error?.message }, 'spans could not be exported');
      }
      done(result);
    });
  return {
    export: (spans, done) => {
      last = last.then(
        () =>
          new Promise((goOn) => {
            send(spans, (result) => {
              done(result);
              goOn();
            });
          }),
      );
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
};
