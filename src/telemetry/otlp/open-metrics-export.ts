import type { TracedService, TracingEnvironment } from '../port.ts';
import { destinationOf } from './variables.ts';

/** Packages that exported metrics need, which not everybody installs. */
const PACKAGES = [
  '@opentelemetry/core',
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
];

/**
 * Opens the export of metrics if OpenTelemetry's variables name an exporter; null if they do not, or if it cannot work,
 * which is logged. Loads nothing before that.
 */
export const openMetricsExport = async (env: TracingEnvironment, service: Pick<TracedService, 'version' | 'log'>) => {
  const destination = destinationOf(env, 'METRICS', PACKAGES);
  if (destination === null) return null;
  if (destination.problem !== null) {
    service.log.warn(`OpenTelemetry is configured, and no metrics are exported: ${destination.problem}`);
    return null;
  }
  try {
    const { createMetricsExport } = await import('./metrics-export.ts');
    return createMetricsExport(env, service);
  } catch (error) {
    service.log.warn(
      { err: error },
      'OpenTelemetry is configured, and no metrics are exported: it could not be started',
    );
    return null;
  }
};
