import type { Log } from '../../lib/log.ts';

/** Environment variables, as OpenTelemetry names them. */
export type TracingEnvironment = Readonly<Record<string, string | undefined>>;

/** What tracing needs to know of the service. */
export interface TracedService {
  /** The model's name, as it is configured. */
  model: string;
  version: string;
  log: Log;
}
