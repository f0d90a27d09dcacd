/** Limits of the HTTP application on one caller. Tests tighten them; the service runs on `httpLimits`. */
export interface HttpLimits {
  bodyBytesMax: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  heartbeatMs: number;
  accessCheckMs: number;
  stallMs: number;
  bodyStartMs: number;
  bodyBytesPerSecondMin: number;
}

/** The limits that the service runs on. */
export const httpLimits: HttpLimits = {
  /** Longest JSON body, in bytes: the longest input with every character escaped, and room for the other fields. */
  bodyBytesMax: 256 * 1024,
  /** Time for a request's headers to come in, in milliseconds: enough for a bad line, too short to hoard connections. */
  headersTimeoutMs: 15_000,
  /** Time for a whole request to come in, in milliseconds: a trace of full length over 4 Mbit/s. A slow reply is not cut. */
  requestTimeoutMs: 150_000,
  /** Time that an idle connection is kept, in milliseconds: longer than the 60 s of common proxies, which then close first. */
  keepAliveTimeoutMs: 72_000,
  /** Silence on an event stream before a heartbeat, in milliseconds: below the 30 s after which some proxies hang up. */
  heartbeatMs: 15_000,
  /** How often readers of event streams are looked at again, in milliseconds: about as long a revoked key still reads. */
  accessCheckMs: 5_000,
  /** Time that a caller may take nothing of its reply, in milliseconds; a reader of events reconnects with `Last-Event-ID`. */
  stallMs: 120_000,
  /** Time that the sender of a streamed body has before its pace counts, in milliseconds: a connection may start slowly. */
  bodyStartMs: 5_000,
  /** Least pace of a streamed body, in bytes a second: one that takes a place gives at least what a poor mobile connection does. */
  bodyBytesPerSecondMin: 64 * 1024,
};

/** Longest request line and headers, in bytes: Node's own default, said here because `PARAM_CHARS_MAX` follows it. */
export const HEADER_BYTES_MAX = 16 * 1024;

/** Longest path segment that reaches a route, in characters: any that fits, so that the route itself answers it. */
export const PARAM_CHARS_MAX = HEADER_BYTES_MAX;

/** Delay before TCP probes a silent peer, in milliseconds: finds callers that vanished while they waited for a reply. */
export const TCP_PROBE_MS = 60_000;

/** What `Retry-After` says while the service can't serve, in seconds: about one restart. */
export const RETRY_AFTER_SECONDS = 5;
