import { styleText } from 'node:util';
import type { Role } from '../../contracts/access.ts';
import { limitViews, serviceLimitsWith } from '../../contracts/service-limits.ts';
import type { ReplanMode } from '../../contracts/task.ts';
import { CONFIG_FILE, findConfigFile, loadConfigFile, withFileSettings } from '../app/config-file.ts';
import type { TripactConfig } from '../app/define-config.ts';
import { type Environment, loadConfig, unknownSettings } from '../config/config.ts';
import { settings } from '../config/settings.ts';
import { printable } from '../lib/printable.ts';

type TextOption =
  | (
      | 'url'
      | 'dataDir'
      | 'host'
      | 'port'
      | 'session'
      | 'agent'
      | 'timezone'
      | 'input'
      | 'at'
      | 'limit'
      | 'cursor'
      | 'state'
      | 'search'
      | 'root'
      | 'skills'
      | 'from'
      | 'to'
      | 'owner'
      | 'roles'
    )
  | (
      | 'answerSchema'
      | 'plan'
      | 'script'
      | 'model'
      | 'instructions'
      | 'maxCost'
      | 'concurrency'
      | 'expires'
      | 'expiresIn'
      | 'turnsPerDay'
      | 'tokensPerDay'
      | 'costPerDay'
      | 'olderThan'
    );
type FlagOption =
  | 'includeWaiting'
  | 'dryRun'
  | 'force'
  | 'follow'
  | 'asTest'
  | 'confirmPlan'
  | 'lookFirst'
  | 'liveReads'
  | 'json';

/** The options of all commands, as typed. Each command has some of them. */
export type CliOptions = { [Name in TextOption]?: string } & { [Name in FlagOption]?: true } & {
  format?: 'text' | 'json';
  role?: Role;
  replan?: ReplanMode;
  traces?: string[];
};

/** Command line options that replace a variable, so that errors name what the user typed. */
const optionOf: Record<string, string> = {
  TRIPACT_PORT: '--port',
  TRIPACT_HOST: '--host',
  TRIPACT_DATA_DIR: '--data-dir',
};

/**
 * Loads the environment and the folder's `tripact.config.ts`. Command line `options` take precedence, `defaults` come
 * last. Throws `CONFIG_INVALID`.
 */
export const loadSettings = async (options: Environment = {}, defaults: Environment = {}) => {
  const file = await loadConfigFile(process.cwd());
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const env = { ...defaults, ...withFileSettings(process.env, file), ...given };
  const named = Object.fromEntries(Object.entries(optionOf).filter(([name]) => Object.hasOwn(given, name)));
  return { config: loadConfig(env, named), file, filePath: findConfigFile(process.cwd()), env };
};

/** The configuration of this process, and the environment with the file's settings behind it. */
export type CliSettings = Awaited<ReturnType<typeof loadSettings>>;

/** Warns about each unknown variable or setting, usually a typo, and suggests the nearest name. */
export const warnOfUnknown = (env: Environment): void => {
  for (const warning of unknownSettings(env)) console.error(printable(warning));
};

/**
 * `tripact config`: every variable with its value, its source and its meaning, and all limits; never a secret. Throws
 * `CONFIG_INVALID` after printing them.
 */
export const showConfig = async (): Promise<void> => {
  let fault: unknown;
  const file = await loadConfigFile(process.cwd()).catch((error: unknown): TripactConfig => {
    fault = error;
    return {};
  });
  const env = withFileSettings(process.env, file);
  const show = (name: string, value: string, about: string): void =>
    console.log(`${styleText('bold', name)} = ${printable(value)}\n  ${styleText('dim', about)}`);
  for (const [name, { fallback, meaning, allowed, isSecret }] of Object.entries(settings)) {
    const given = env[name]?.trim();
    const source = process.env[name]?.trim() ? 'environment' : CONFIG_FILE;
    const shown = isSecret ? '(set, not shown)' : given;
    const unset = fallback ? `${fallback} (default)` : '(unset)';
    show(name, given ? `${shown} (${source})` : unset, `${meaning} Allowed: ${allowed}.`);
  }
  console.log(styleText('bold', '\nLimits, and what happens at them'));
  for (const { name, scope, unit, limit, at_limit, reason } of limitViews(serviceLimitsWith(file.limits)))
    show(name, `${limit} ${unit} ${/^[aeiou]/.test(scope) ? 'an' : 'a'} ${scope} (then ${at_limit})`, reason);
  warnOfUnknown(env);
  if (fault !== undefined) throw fault;
  loadConfig(env);
};
