/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The request that opens a task with this goal, as a POSIX shell command. It names the key's variable and never
 * contains the key.
 */
export const curlCommand = (origin: string, session: string, goal: string, hasKey: boolean): string =>
  [
    `curl -sS ${quoted(`${origin}/v1/sessions/${encodeURIComponent(session)}/turns`)}`,
    `-H 'content-type: application/json'`,
    ...(hasKey ? ['-H "authorization: Bearer $TRIPACT_API_KEY"'] : []),
    `-d ${quoted(JSON.stringify({ input: goal }))}`,
  ].join(' \\\n  ');
