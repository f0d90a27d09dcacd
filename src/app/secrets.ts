import type { Config, Environment } from './config/config.ts';

/** Variables that hold a provider's key, by the names that their SDKs read. */
const PROVIDER_KEY =
  /_(?:API_KEY|API_TOKEN|AUTH_TOKEN|ACCESS_TOKEN|SESSION_TOKEN|SECRET_KEY|SECRET_ACCESS_KEY|WEBHOOK_SECRET)$/;

/** Headers of an OTLP exporter that hold a key, by their names. */
const SECRET_HEADER = /auth|key|token|secret/i;

/** The keys in a list of headers as OpenTelemetry writes it (`name=value,…`, percent-encoded), as they are written and as they are sent. */
const headerSecrets = (list = ''): string[] =>
  list.split(',').flatMap((header) => {
    const [name = '', ...value] = header.split('=');
    const written = value.join('=').trim();
    if (!SECRET_HEADER.test(name) || written === '') return [];
    try {
      return [written, decodeURIComponent(written)];
    } catch {
      return [written];
    }
  });

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
  ...headerSecrets(environment['OTEL_EXPORTER_OTLP_HEADERS']),
  ...headerSecrets(environment['OTEL_EXPORTER_OTLP_TRACES_HEADERS']),
];
