import { styleText } from 'node:util';
import { limitViews, serviceLimitsWith } from '../../contracts/service-limits.ts';
import { CONFIG_FILE } from '../app/config/config-file-problems.ts';
import { describeConfig, type Environment } from '../app/config/read-settings.ts';
import type { SettingName } from '../app/config/setting-name.ts';
import { settings } from '../app/config/settings.ts';
import { printable } from '../lib/printable.ts';
import { loadSettings } from './settings.ts';

const given = (env: Environment, name: string): string | null => {
  const text = env[name]?.trim();
  return text === undefined || text === '' ? null : text;
};

const shownValue = (env: Environment, name: string, fallback: string): string => {
  const text = given(env, name);
  if (text === null) return fallback === '' ? '(unset)' : fallback;
  return 'secret' in settings[name as SettingName] ? '(set, not shown)' : text;
};

const sourceOf = (env: Environment, name: string): string => {
  if (given(process.env, name) !== null) return 'environment';
  return given(env, name) === null ? 'default' : CONFIG_FILE;
};

/** `tripact config`: every variable with its value, where that comes from, and its meaning, and all limits; never a secret. */
export const showConfig = async (): Promise<void> => {
  const { config, file, env } = await loadSettings();
  const rows = describeConfig().map(({ variable, fallback, meaning, allowed }) => ({
    variable,
    value: `${shownValue(env, variable, fallback)} (${sourceOf(env, variable)})`.replace(
      '(unset) (default)',
      '(unset)',
    ),
    meaning: `${meaning} Allowed: ${allowed}.`,
  }));
  for (const { variable, value, meaning } of rows)
    console.log(`${styleText('bold', variable)} = ${printable(value)}\n  ${styleText('dim', meaning)}`);
  console.log(styleText('bold', '\nWhat may grow, and where it ends'));
  for (const { name, scope, unit, limit, at_limit, reason } of limitViews(serviceLimitsWith(file.limits)))
    console.log(
      `${styleText('bold', name)} = ${limit} ${unit} a ${scope} (then ${at_limit})\n  ${styleText('dim', reason)}`,
    );
  for (const name of config.unknown) console.error(`Warning: ${name} is not a setting of Tripact`);
};
