import type { Environment } from '../config/read-settings.ts';
import type { Config } from '../config.ts';

/** Variables that hold a provider's key, by the names that their SDKs read. */
const PROVIDER_KEY = /_(?:API_KEY|AUTH_TOKEN|ACCESS_TOKEN|SECRET_KEY|WEBHOOK_SECRET)$/;

/** What must appear in no log, reply, trace or event: the callers' keys, and every provider's key in the environment. */
export const secretsOf = (
  { providers, apiKeys }: Pick<Config, 'providers' | 'apiKeys'>,
  environment: Environment,
): string[] => [
  ...apiKeys.map(({ key }) => key),
  ...Object.values(providers).flatMap(({ apiKey }) => (apiKey === undefined ? [] : [apiKey])),
  ...Object.entries(environment).flatMap(([name, value]) =>
    PROVIDER_KEY.test(name) && value !== undefined ? [value] : [],
  ),
];
