/** Longest silence inside a response's body, in milliseconds: servers that work send at least a ping in this time. */
export const IDLE_MS_MAX = 30_000;

/** Longest response body of a usual answer, in bytes. */
export const BODY_BYTES_USUAL = 128 * 1024;

/** Longest event of a stream, in bytes: many times a piece of an answer, and few enough to be parsed at once. */
export const EVENT_BYTES_MAX = 256 * 1024;

/** Bytes of an error's body that are read: SDKs parse it as it comes, and search it for what it means. */
export const ERROR_BYTES_READ = 64 * 1024;
