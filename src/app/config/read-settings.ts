import { plainLine } from '../../../contracts/text.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { SettingName } from './setting-name.ts';
import { type SettingValues, settings } from './settings.ts';

/** Environment variables, or settings of the configuration file that stand in for them. */
export type Environment = Record<string, string | undefined>;

/** Longest value that an error shows, in characters. */
const VALUE_CHARS_MAX = 200;

/** Problems that an error lists, and how many characters of each. */
const PROBLEMS_MAX = 20;
const PROBLEM_CHARS_MAX = 1_000;

/** A value as an error may show it: never a secret, and nothing before an @, which may be the credentials of a URL that is none. */
const shown = (name: SettingName, text: string): string => {
  if ('secret' in settings[name]) return `${name} (not shown)`;
  const place = text.lastIndexOf('@');
  const scheme = /^https?:\/\//.exec(text)?.[0] ?? '';
  const safe = place < 0 ? text : `${scheme}…${text.slice(place)}`;
  return `${name}=${JSON.stringify(safe.length > VALUE_CHARS_MAX ? `${safe.slice(0, VALUE_CHARS_MAX)}…` : safe)}`;
};

/** Builds the error that stops a start; each problem is one plain line. */
export const invalidConfig = (problems: readonly string[]): ServiceError => {
  const lines = problems.slice(0, PROBLEMS_MAX).map((problem) => plainLine(problem, PROBLEM_CHARS_MAX));
  if (problems.length > PROBLEMS_MAX) lines.push(`and ${problems.length - PROBLEMS_MAX} more.`);
  return new ServiceError(
    'CONFIG_INVALID',
    `The configuration is not valid:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
};

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

/** Longest name of an unknown variable that is shown, in characters. */
const NAME_CHARS_MAX = 100;

/** Names that begin as Tripact's own variables do but are none, as plain lines: most often a slip of the keyboard. */
export const unknownSettings = (env: Environment): string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith('TRIPACT_') && !Object.hasOwn(settings, name))
    .map((name) => plainLine(name, NAME_CHARS_MAX));

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
