import type { Environment } from '../app/config/config.ts';
import { type Config, loadConfig } from '../app/config/config.ts';
import { findConfigFile, loadConfigFile, withFileSettings } from '../app/config/config-file.ts';
import type { TripactConfig } from '../app/config/define-config.ts';
import { ServiceError } from '../lib/errors.ts';

/** The configuration of this process: its environment, and `tripact.config.ts` of the folder it was started in. */
export interface CliSettings {
  config: Config;
  file: TripactConfig;
  /** Where that file is; null where there is none. */
  filePath: string | null;
  /** The environment with the file's settings behind it, as it was read. */
  env: Environment;
}

/** The options of the command line that stand in for a variable: their user never named that. */
const optionOf: Record<string, string> = {
  TRIPACT_PORT: '--port',
  TRIPACT_HOST: '--host',
  TRIPACT_DATA_DIR: '--data-dir',
};

/** The configuration; what is wrong with an option is said of the option. */
const loadWith = (env: Environment, given: Environment): Config => {
  try {
    return loadConfig(env);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'CONFIG_INVALID') throw error;
    const text = Object.keys(given).reduce(
      (said, name) => said.replace(`\n  ${name}=`, `\n  ${optionOf[name] ?? name} `),
      error.message,
    );
    throw new ServiceError('CONFIG_INVALID', text, { cause: error });
  }
};

/** Loads the configuration; `options` of the command line win, `defaults` have the lowest priority. Throws `CONFIG_INVALID`. */
export const loadSettings = async (options: Environment = {}, defaults: Environment = {}): Promise<CliSettings> => {
  const file = await loadConfigFile(process.cwd());
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const env = { ...defaults, ...withFileSettings(process.env, file), ...given };
  return { config: loadWith(env, given), file, filePath: findConfigFile(process.cwd()), env };
};
