import { missingPackages } from '../../lib/optional-packages.ts';
import type { TracedService, TracingEnvironment } from '../port.ts';

/** Packages that spans need, which not everybody installs. */
const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
];

/** Why spans cannot be exported as configured; null: no objection is known. */
const problemOf = (endpoint: string, protocol: string | undefined): string | null => {
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return 'its endpoint must be an http or https URL';
  if (protocol === 'grpc')
    return 'spans are exported only over HTTP, usually to port 4318: OTEL_EXPORTER_OTLP_PROTOCOL=http/json';
  return missingPackages(PACKAGES);
};

/**
 * Opens tracing if OpenTelemetry's variables name an exporter; null if they do not, or if it cannot work, which is
 * logged. Loads nothing before that.
 */
export const openTracing = async (env: TracingEnvironment, service: TracedService) => {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } =
    env;
  const endpoint = OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || OTEL_EXPORTER_OTLP_ENDPOINT || undefined;
  const isOff = OTEL_SDK_DISABLED?.toLowerCase() === 'true' || OTEL_TRACES_EXPORTER === 'none';
  if (endpoint === undefined || isOff) return null;
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'];
  const problem = problemOf(endpoint, protocol);
  if (problem !== null) {
    service.log.warn(`OpenTelemetry is configured, and nothing is traced: ${problem}`);
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
