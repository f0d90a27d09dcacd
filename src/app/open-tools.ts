import manifest from 'tripact/package.json' with { type: 'json' };
import { serviceLimitsWith } from '../../contracts/service-limits.ts';
import { createLog } from '../lib/log.ts';
import type { Config } from './config/config.ts';
import { withFileSettings } from './config/config-file.ts';
import type { TripactConfig } from './config/define-config.ts';
import { createServiceTools, type ServiceTools } from './create-service-tools.ts';
import { createOutsideText } from './outside-text.ts';
import { secretsOf } from './secrets.ts';

/** The configured tools without a service around them; MCP servers connect, and are closed by whoever opened this. */
export const openTools = ({ config, file }: { config: Config; file: TripactConfig }): Promise<ServiceTools> => {
  const secrets = secretsOf(config, withFileSettings(process.env, file));
  return createServiceTools({
    config,
    file,
    limits: serviceLimitsWith(file.limits),
    log: createLog({ level: config.logLevel, secrets }),
    version: manifest.version,
    now: Date.now,
    ownerDataChanged: () => {},
    wrap: createOutsideText(secrets).tool,
  });
};
