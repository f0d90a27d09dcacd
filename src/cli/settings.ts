import { findConfigFile, loadConfigFile, type TripactConfig, withFileSettings } from '../config/config-file.ts';
import type { Environment } from '../config/read-settings.ts';
import { type Config, loadConfig } from '../config.ts';

/** The configuration of this process: its environment, and `tripact.config.ts` of the folder it was started in. */
export interface CliSettings {
  config: Config;
  file: TripactConfig;
  /** Where that file is; null where there is none. */
  filePath: string | null;
  /** The environment with the file's settings behind it, as it was read. */
  env: Environment;
}

/** Loads the configuration; `options` of the command line win, `defaults` have the lowest priority. Throws `CONFIG_INVALID`. */
export const loadSettings = async (options: Environment = {}, defaults: Environment = {}): Promise<CliSettings> => {
  const file = await loadConfigFile(process.cwd());
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const env = { ...defaults, ...withFileSettings(process.env, file), ...given };
  return { config: loadConfig(env), file, filePath: findConfigFile(process.cwd()), env };
};
