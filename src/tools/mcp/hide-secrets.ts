import { maskSecrets } from '../../lib/mask-secrets.ts';
import type { McpServerConfig } from './port.ts';

/** Headers, variables and query fields whose values are secret, by their names. */
const SECRET_NAME = /auth|cookie|credential|key|passw|secret|token/i;

const secretsIn = (named: Iterable<readonly [string, string]>): string[] =>
  [...named].filter(([name]) => SECRET_NAME.test(name)).map(([, value]) => value);

const secretsOf = (config: McpServerConfig): string[] => {
  if ('command' in config) return secretsIn(Object.entries(config.env ?? {}));
  const { password, searchParams } = new URL(config.url);
  const headers = secretsIn(Object.entries(config.headers ?? {}));
  // `Bearer x`: a server that echoes the token alone must not pass either.
  const bare = headers.map((value) => value.replace(/^\w+\s+/, ''));
  return [...headers, ...bare, password, ...secretsIn(searchParams)];
};

/** Makes the function that cuts the configured secrets of a server out of a text: what it says must not carry them into a log or a trace. */
export const createSecretHider = (config: McpServerConfig): ((text: string) => string) =>
  maskSecrets(secretsOf(config));
