/** OpenSSL's words for an answer that is none of TLS, such as a plain HTTP server gives. */
const NO_TLS = ['wrong version number', 'packet length too long', 'http request'];

/** What an error of TLS itself says in plain words, where OpenSSL's own line names its source files; null for any other error. */
export const tlsFault = (error: unknown): string | null => {
  if (!(error instanceof Error) || !('library' in error)) return null;
  const reason = String((error as { reason?: unknown }).reason);
  return NO_TLS.includes(reason)
    ? 'it does not speak TLS; a URL of a plain HTTP server begins with http://'
    : `the TLS handshake failed (${reason})`;
};
