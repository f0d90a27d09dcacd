/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The request that opens a task of this goal, as a command for a POSIX shell. The key is named, never written. */
export const curlCommand = (origin: string, session: string, goal: string, hasKey: boolean): string =>
  [
    `curl -sS ${quoted(`${origin}/v1/sessions/${encodeURIComponent(session)}/turns`)}`,
    `-H 'content-type: application/json'`,
    ...(hasKey ? ['-H "authorization: Bearer $TRIPACT_API_KEY"'] : []),
    `-d ${quoted(JSON.stringify({ input: goal }))}`,
  ].join(' \\\n  ');
