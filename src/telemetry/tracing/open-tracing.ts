import { destinationOf } from '../otlp/variables.ts';
import type { TracedService, TracingEnvironment } from '../port.ts';

/** Packages that spans need, which not everybody installs. */
const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
];

/**
 * Opens tracing if OpenTelemetry's variables name an exporter; null if they do not, or if it cannot work, which is
 * logged. Loads nothing before that.
 */
export const openTracing = async (env: TracingEnvironment, service: TracedService) => {
  const destination = destinationOf(env, 'TRACES', PACKAGES);
  if (destination === null) return null;
  if (destination.problem !== null) {
    service.log.warn(`OpenTelemetry is configured, and nothing is traced: ${destination.problem}`);
    return null;
  }
  try {
    const { createTracing } = await import('./tracing.ts');
    return createTracing(env, service);
  } catch (error) {
    service.log.warn({ err: error }, 'OpenTelemetry is configured, and nothing is traced: it could not be started');
    return null;
  }
};
