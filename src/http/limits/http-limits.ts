/** Times of the HTTP application, in milliseconds. Tests tighten them; the service runs on `httpLimits`. */
export interface HttpLimits {
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  heartbeatMs: number;
  accessCheckMs: number;
  stallMs: number;
  /** Mean delay of the event loop above which requests are refused. */
  loopDelayMsMax: number;
}

/** The times that the service runs on. */
export const httpLimits: HttpLimits = {
  /** Time for a whole request to come in: a trace of full length over 1 Mbit/s. A slow reply is not cut. */
  requestTimeoutMs: 150_000,
  /** Time that an idle connection is kept: longer than the 60 s of common proxies, which then close first. */
  keepAliveTimeoutMs: 72_000,
  /** Silence on an event stream before a heartbeat: below the 30 s after which some proxies hang up. */
  heartbeatMs: 15_000,
  /** How often readers of event streams are looked at again: about as long a revoked key still reads. */
  accessCheckMs: 5_000,
  /** Time that a reader of events may take nothing; it connects again with `Last-Event-ID`. */
  stallMs: 120_000,
  loopDelayMsMax: 500,
};

/** Longest path segment that reaches a route, in characters: any that fits into Node's limit of headers, so that the route itself answers it. */
export const PARAM_CHARS_MAX = 16 * 1024;

/** What `Retry-After` says while the service can't serve, in seconds: about one restart. */
export const RETRY_AFTER_SECONDS = 5;
