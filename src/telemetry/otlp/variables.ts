import { missingPackages } from '../../lib/optional-packages.ts';
import type { TracingEnvironment } from '../port.ts';

/** A whole number in a variable; undefined: the library's default. */
export const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;

/**
 * Where OpenTelemetry's variables send a signal, and why it cannot be sent there; null: nowhere. `packages` are those
 * that it needs.
 */
export const destinationOf = (
  env: TracingEnvironment,
  signal: 'TRACES' | 'METRICS',
  packages: readonly string[],
): { problem: string | null } | null => {
  const endpoint = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] || env['OTEL_EXPORTER_OTLP_ENDPOINT'] || undefined;
  const isOff = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env[`OTEL_${signal}_EXPORTER`] === 'none';
  if (endpoint === undefined || isOff) return null;
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    return { problem: 'its endpoint must be an http or https URL' };
  const protocol = env[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] || env['OTEL_EXPORTER_OTLP_PROTOCOL'];
  if (protocol === 'grpc')
    return {
      problem: `${signal.toLowerCase()} are exported only over HTTP, usually to port 4318: OTEL_EXPORTER_OTLP_PROTOCOL=http/json`,
    };
  return { problem: missingPackages(packages) };
};
