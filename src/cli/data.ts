import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  AnyOwner,
  KeyRequest,
  type ListedKey,
  OwnerName,
  type Quota,
  type QuotaChange,
} from '../../contracts/access.ts';
import { ROLES_MAX, RoleName } from '../../contracts/approver.ts';
import { Amount } from '../../contracts/usage.ts';
import { assertPriced, issueKey, listKeys as pageOfKeys } from '../access/keys.ts';
import type { AccessStore } from '../access/port.ts';
import { openAdmin } from '../app/open-admin.ts';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../lib/errors.ts';
import { iso } from '../lib/iso-time.ts';
import { jsonLine, printable } from '../lib/printable.ts';
import { CommandFailure, exitCode, wrongUsage } from './failure.ts';
import { type CliOptions, type CliSettings, loadSettings, warnOfUnknown } from './settings.ts';
import { usedText } from './terminal.ts';

const settingsOf = async ({ dataDir }: CliOptions): Promise<CliSettings> => {
  const settings = await loadSettings({ TRIPACT_DATA_DIR: dataDir });
  warnOfUnknown(settings.env);
  return settings;
};

const configOf = async (options: CliOptions): Promise<Config> => (await settingsOf(options)).config;

const UNITS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** An age such as `90d`, `12w` or `36h`, in milliseconds. Throws a `CommandFailure` that names the option. */
const ageOf = (option: string, text: string): number => {
  const [, count, unit] = /^([1-9]\d{0,4})([hdw])$/.exec(text) ?? [];
  if (count === undefined) throw wrongUsage(`${option} ${text} is not an age: write 90d, 12w or 36h`);
  return Number(count) * UNITS[unit as keyof typeof UNITS];
};

/** `tripact backup`: copies the database into a new file, also while the service runs. */
export const backup = async (file: string, options: CliOptions): Promise<void> => {
  const config = await configOf(options);
  const { sessions, tasks } = await (await openAdmin(config)).backUp(file);
  console.log(printable(`Backed up into ${file}, and checked (sessions: ${sessions}, tasks: ${tasks})`));
  console.error(
    printable(`It does not contain the sessions' folders: copy ${config.dataDir}/workspace like any folder`),
  );
};

/** `tripact restore`: makes a backup the database of a data folder that no service uses. */
export const restore = async (file: string, options: CliOptions): Promise<void> => {
  const config = await configOf(options);
  const { sessions, tasks, kept } = await (await openAdmin(config)).restore(file, { force: options.force === true });
  console.log(printable(`Restored into ${config.dataDir} (sessions: ${sessions}, tasks: ${tasks})`));
  if (kept !== null) console.error(printable(`The previous database is kept as ${kept}`));
};

/** `tripact export`: writes everything stored for an owner as lines of JSON on standard output. */
export const exportOwner = async (owner: string, options: CliOptions): Promise<void> => {
  const config = await configOf(options);
  const admin = await openAdmin(config);
  for await (const line of admin.exportOwner(owner))
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
  if (config.databaseUrl === null)
    console.error(
      printable(`It does not contain the sessions' folders: copy ${config.dataDir}/workspace like any folder`),
    );
};

/** `tripact import`: stores an exported owner, if nothing is stored for that owner yet. */
export const importOwner = async (file: string, options: CliOptions): Promise<void> => {
  if (!existsSync(file)) throw new CommandFailure(`There is no file ${file}`);
  const given = readFileSync(file);
  const admin = await openAdmin(await configOf(options));
  const { owner, sessions, tasks, hasKeys, filesLeft } = await admin.importOwner(given);
  console.log(printable(`Imported ${owner} (sessions: ${sessions}, tasks: ${tasks})`));
  if (filesLeft > 0) console.error(`Session files in the export that a data folder does not import: ${filesLeft}`);
  if (hasKeys) console.error('Its keys were imported too: from now on every caller of this service needs one.');
};

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** `tripact prune`: removes sessions that were unused for long and have nothing open; todos and schedules stay. */
export const prune = async ({ olderThan, dryRun, includeWaiting, ...where }: CliOptions): Promise<void> => {
  const config = await configOf(where);
  const { retentionDays } = config;
  const text = olderThan ?? (retentionDays === null ? null : `${retentionDays}d`);
  if (text === null) throw wrongUsage('Say how old: --older-than 90d, or set TRIPACT_RETENTION_DAYS');
  const before = Date.now() - ageOf('--older-than', text);
  const options = { before, includeWaiting: includeWaiting === true, isDryRun: dryRun === true };
  try {
    const admin = await openAdmin(config);
    const bytesBefore = await admin.bytes();
    let sessions = 0;
    for await (const { owner, session_id, last_used_at } of admin.prune(options)) {
      sessions += 1;
      console.log(printable(`${owner} ${session_id} ${iso(last_used_at)}`));
    }
    const sizes = `the database has ${megabytes(await admin.bytes())}, before: ${megabytes(bytesBefore)}`;
    console.error(dryRun ? `Sessions that would be removed: ${sessions}` : `Sessions removed: ${sessions}; ${sizes}`);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'DATA_DIR_LOCKED') throw error;
    throw new CommandFailure(
      'A service runs on this data folder: stop it first, or set TRIPACT_RETENTION_DAYS and it removes old sessions by itself',
      exitCode.failed,
      { cause: error },
    );
  }
};

/** Opens the keys and quotas of the data folder, whether or not a service runs on it. `work` also gets the price list's currency. */
const withAccess = async <Result>(
  options: CliOptions,
  work: (access: AccessStore, config: Config, currency: string | null) => Promise<Result>,
): Promise<Result> => {
  const { config, file } = await settingsOf(options);
  const access = await (await openAdmin(config)).openAccess();
  try {
    return await work(access, config, file.prices?.currency ?? null);
  } finally {
    await access.close();
  }
};

const perDay = (option: string, text: string): number | null => {
  if (text === 'none') return null;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw wrongUsage(`${option} ${text} is not a number: write a number, or none for no limit`);
};

const moneyPerDay = (option: string, text: string): string | null => {
  if (text === 'none') return null;
  if (Amount.safeParse(text).success) return text;
  throw wrongUsage(`${option} ${text} is not an amount: write one such as 2.50, or none for no limit`);
};

const quotaChange = ({ turnsPerDay, tokensPerDay, costPerDay }: CliOptions): QuotaChange => ({
  ...(turnsPerDay !== undefined && { turns_per_day: perDay('--turns-per-day', turnsPerDay) }),
  ...(tokensPerDay !== undefined && { tokens_per_day: perDay('--tokens-per-day', tokensPerDay) }),
  ...(costPerDay !== undefined && { cost_per_day: moneyPerDay('--cost-per-day', costPerDay) }),
});

const checkedRoles = (roles: string): string[] => {
  const { data, error } = z
    .array(RoleName)
    .max(ROLES_MAX)
    .safeParse(roles.split(',').map((role) => role.trim()));
  if (error !== undefined)
    throw wrongUsage('--roles must be up to 50 names with commas between, and none of operator, user and front_end');
  return data;
};

const checkedOwner = (owner: string, shape: typeof OwnerName = OwnerName): string => {
  if (shape.safeParse(owner).success) return owner;
  throw wrongUsage('An owner has 1 to 64 letters, digits, _ or -');
};

/** `tripact keys add`: makes a key. Standard output has only the key, so that it can be piped into a secret store. */
export const addKey = async (
  owner: string,
  { role = 'user', roles, expires, json, ...options }: CliOptions,
): Promise<void> => {
  const now = Date.now();
  const request = KeyRequest.parse({
    owner: checkedOwner(owner),
    role,
    ...(roles !== undefined && { roles: checkedRoles(roles) }),
    expires_at: expires === undefined ? null : new Date(now + ageOf('--expires', expires)).toISOString(),
    ...quotaChange(options),
  });
  const { isFirst, made, tokens } = await withAccess(options, async (access, config, currency) => {
    assertPriced(request, currency);
    return {
      isFirst: config.apiKeys.length === 0 && !access.keys.wereAdded(),
      made: await issueKey(access, request, now),
      tokens: config.tokens,
    };
  });
  const { id, key, expires_at } = made;
  const end = expires_at === null ? 'without an end' : `until ${expires_at}`;
  console.log(json === true ? jsonLine(made) : key);
  console.error(printable(`Key ${id} of ${owner} (${role}), ${end}.`));
  console.error('Store it now: it cannot be shown again. Callers send it as "Authorization: Bearer <key>".');
  if (role === 'front_end')
    console.error('It is for a front end: each request names its user in the header X-Tripact-User.');
  if (tokens !== null) console.error(printable(`Callers can send it, or a token of ${tokens.issuer} as before.`));
  else if (isFirst)
    console.error('It is the first key: from now on every caller of this service needs one, even after it is revoked.');
};

const keyLine = ({ id, owner, role, roles, created_at, expires_at, last_used_at, ...listed }: ListedKey): string => {
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.now();
  const end = expires_at === null ? 'no end' : `${isOver ? 'expired' : 'until'} ${expires_at}`;
  const use = last_used_at === null ? 'never used' : `last used ${last_used_at}`;
  const named = roles.length === 0 ? role : `${role} (${roles.join(', ')})`;
  return `${id}  ${owner}  ${named}  made ${created_at}  ${end}  ${use}  ${usedText(listed)}`;
};

const PAGE = 500;

/** `tripact keys list`: the keys in the order of their creation, one a line, with their owners' usage today. */
export const listKeys = (options: CliOptions): Promise<void> =>
  withAccess(options, async (access) => {
    for (let after: string | null | undefined; after !== null; ) {
      const { items, next } = await pageOfKeys(access, { limit: PAGE, after }, Date.now());
      for (const key of items) console.log(options.json === true ? jsonLine(key) : printable(keyLine(key)));
      after = next;
    }
  });

/** `tripact keys revoke`: requests with the key are refused from then on, also by a running service. */
export const revokeKey = (id: string, options: CliOptions): Promise<void> =>
  withAccess(options, async ({ keys }) => {
    if (!(await keys.revoke(id))) throw new CommandFailure(`There is no key "${id}": "tripact keys list" lists all`);
    console.error(printable(`Key ${id} is revoked`));
  });

const quotaText = ({ turns_per_day, tokens_per_day, cost_per_day }: Quota, currency: string | null): string => {
  const turns = `${turns_per_day ?? 'unlimited'} turns`;
  const tokens = `${tokens_per_day ?? 'unlimited'} tokens`;
  if (cost_per_day === null) return `${turns} and ${tokens} a day (UTC)`;
  return `${turns}, ${tokens} and ${cost_per_day} ${currency ?? 'in money'} a day (UTC)`;
};

/** `tripact keys quota`: changes and prints an owner's daily quota, which applies to all the owner's keys. */
export const changeQuota = async (owner: string, options: CliOptions): Promise<void> => {
  const change = quotaChange(options);
  await withAccess(options, async ({ quotas }, _config, currency) => {
    assertPriced(change, currency);
    const quota = await quotas.set(checkedOwner(owner, AnyOwner), change, Date.now());
    console.log(printable(`${owner}: ${quotaText(quota, currency)}`));
  });
};
