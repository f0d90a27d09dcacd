import { expect, it } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { withFileSettings } from '../../src/app/config/config-file.ts';
import { secretsOf } from '../../src/app/secrets.ts';

it('the secrets are the keys of callers and providers, of the environment and of the configuration file', () => {
  const webhook = `whsec_${'ab/c'.repeat(8)}`;
  const env = {
    AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-tenant=acme',
    TRIPACT_API_KEYS: 'anna:the-key-of-anna-0123',
  };
  const settings = withFileSettings(env, { settings: { TRIPACT_WEBHOOK_SECRET: webhook } });
  expect(secretsOf(loadConfig(settings), settings).sort()).toEqual(
    ['Bearer abc', 'Bearer%20abc', env.AWS_SECRET_ACCESS_KEY, 'the-key-of-anna-0123', webhook].sort(),
  );
});
