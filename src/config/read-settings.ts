import { ServiceError } from '../errors.ts';
import { type SettingName, type SettingValues, settings } from './settings.ts';

/** Environment variables, or settings of the configuration file that stand in for them. */
export type Environment = Record<string, string | undefined>;

/** A value as an error may show it: never a secret, and no credentials of a URL. */
const shown = (name: SettingName, text: string): string =>
  'secret' in settings[name] ? `${name} (not shown)` : `${name}=${JSON.stringify(text.replace(/\/\/[^/]*@/, '//…@'))}`;

/** Builds the error that stops a start; each problem is one line. */
export const invalidConfig = (problems: readonly string[]): ServiceError =>
  new ServiceError(
    'CONFIG_INVALID',
    `The configuration is not valid:\n${problems.map((line) => `  ${line}`).join('\n')}`,
  );

/**
 * Reads every variable; an empty one counts as unset. Throws `CONFIG_INVALID` that lists all bad ones with the value and
 * what is allowed.
 */
export const readSettings = (env: Environment): SettingValues => {
  const problems: string[] = [];
  const values = Object.entries(settings).map(([name, setting]) => {
    const given = env[name]?.trim();
    const text = given === undefined || given === '' ? setting.fallback : given;
    if (text === null) return [name, null];
    const read = setting.read.safeParse(text);
    if (!read.success) problems.push(`${shown(name as SettingName, text)} must be ${setting.allowed}.`);
    return [name, read.data];
  });
  if (problems.length > 0) throw invalidConfig(problems);
  return Object.fromEntries(values) as SettingValues;
};

/** Names that begin as Tripact's own variables do but are none: most often a slip of the keyboard. */
export const unknownSettings = (env: Environment): string[] =>
  Object.keys(env).filter((name) => name.startsWith('TRIPACT_') && !Object.hasOwn(settings, name));

/** One line of the table that README and `--help` print. */
export interface DescribedSetting {
  variable: string;
  /** The value used when the variable is unset; empty for none. */
  fallback: string;
  meaning: string;
  allowed: string;
}

/** Every variable with its default and meaning, in the order of SPEC 13. */
export const describeConfig = (): DescribedSetting[] =>
  Object.entries(settings).map(([variable, { fallback, meaning, allowed }]) => ({
    variable,
    fallback: fallback ?? '',
    meaning,
    allowed,
  }));
