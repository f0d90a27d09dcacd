import { styleText } from 'node:util';
import { limitViews, serviceLimitsWith } from '../../contracts/service-limits.ts';
import { CONFIG_FILE } from '../app/config/config-file.ts';
import { settings } from '../app/config/settings.ts';
import { printable } from '../lib/printable.ts';
import { loadSettings } from './settings.ts';

/** `tripact config`: every variable with its value, where that comes from, and its meaning, and all limits; never a secret. */
export const showConfig = async (): Promise<void> => {
  const { config, file, env } = await loadSettings();
  const show = (name: string, value: string, about: string): void =>
    console.log(`${styleText('bold', name)} = ${printable(value)}\n  ${styleText('dim', about)}`);
  for (const [name, { fallback, meaning, allowed, isSecret }] of Object.entries(settings)) {
    const given = env[name]?.trim();
    const source = process.env[name]?.trim() ? 'environment' : CONFIG_FILE;
    const shown = isSecret ? '(set, not shown)' : given;
    const value = given ? `${shown} (${source})` : fallback ? `${fallback} (default)` : '(unset)';
    show(name, value, `${meaning} Allowed: ${allowed}.`);
  }
  console.log(styleText('bold', '\nWhat may grow, and where it ends'));
  for (const { name, scope, unit, limit, at_limit, reason } of limitViews(serviceLimitsWith(file.limits)))
    show(name, `${limit} ${unit} a ${scope} (then ${at_limit})`, reason);
  for (const name of config.unknown) console.error(`Warning: ${name} is not a setting of Tripact`);
};
