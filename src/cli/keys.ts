import {
  KeyRequest,
  type ListedKey,
  OwnerName,
  type Quota,
  type QuotaChange,
  type Role,
} from '../../contracts/access.ts';
import { issueKey } from '../access/issue-key.ts';
import { listKeys as pageOfKeys } from '../access/list-keys.ts';
import type { AccessStore } from '../access/port.ts';
import { openAdmin } from '../app/open-admin.ts';
import { jsonLine, printable } from '../lib/printable.ts';
import { ageOf, type DataOptions } from './data.ts';
import { CommandFailure, wrongUsage } from './failure.ts';
import { loadSettings } from './settings.ts';

/** Keys read at a time. */
const PAGE = 500;

interface ListOptions extends DataOptions {
  json?: true;
}

/** An owner's quota a day, as it is written: a number, or `none` for any number. */
export interface QuotaOptions extends DataOptions {
  turnsPerDay?: string;
  tokensPerDay?: string;
}

/** The options of a key that is to be made. */
export interface KeyOptions extends ListOptions, QuotaOptions {
  role: Role;
  expires?: string;
}

/** Works with the keys and quotas of the data folder, whether or not a service runs on it. */
const withAccess = async <Result>(
  { dataDir }: DataOptions,
  work: (access: AccessStore) => Promise<Result>,
): Promise<Result> => {
  const { config } = await loadSettings({ TRIPACT_DATA_DIR: dataDir });
  const access = await openAdmin(config.dataDir).openAccess();
  try {
    return await work(access);
  } finally {
    await access.close();
  }
};

const endOf = (expires: string | undefined, now: number): string | null =>
  expires === undefined ? null : new Date(now + ageOf('--expires', expires)).toISOString();

const perDay = (option: string, text: string | undefined): number | null | undefined => {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw wrongUsage(`${option} ${text} is no number: write one, or none for any number`);
};

/** The named changes of a quota. */
const quotaChange = ({ turnsPerDay, tokensPerDay }: QuotaOptions): QuotaChange => {
  const turns_per_day = perDay('--turns-per-day', turnsPerDay);
  const tokens_per_day = perDay('--tokens-per-day', tokensPerDay);
  return {
    ...(turns_per_day !== undefined && { turns_per_day }),
    ...(tokens_per_day !== undefined && { tokens_per_day }),
  };
};

const checkedOwner = (owner: string): string => {
  if (OwnerName.safeParse(owner).success) return owner;
  throw wrongUsage('An owner has 1 to 64 letters, digits, _ or -');
};

const keyRequest = (owner: string, options: KeyOptions, now: number): KeyRequest =>
  KeyRequest.parse({
    ...{ owner: checkedOwner(owner), role: options.role, expires_at: endOf(options.expires, now) },
    ...quotaChange(options),
  });

const quotaText = ({ turns_per_day, tokens_per_day }: Quota): string =>
  `${turns_per_day ?? 'any number of'} turns and ${tokens_per_day ?? 'any number of'} tokens a day (UTC)`;

/** `tripact keys add`: makes a key. The key alone is on standard output, so that it can be piped to where secrets are kept. */
export const addKey = async (owner: string, options: KeyOptions): Promise<void> => {
  const now = Date.now();
  const request = keyRequest(owner, options, now);
  const { wereAdded, made } = await withAccess(options, async (access) => ({
    wereAdded: access.keys.wereAdded(),
    made: await issueKey(access, request, now),
  }));
  const { id, key, role, expires_at } = made;
  console.log(options.json === true ? jsonLine(made) : key);
  console.error(
    printable(`Key ${id} of ${owner} (${role}), ${expires_at === null ? 'without an end' : `until ${expires_at}`}.`),
  );
  console.error('Keep it: nobody can be shown it again. Callers send it as "Authorization: Bearer <key>".');
  if (!wereAdded)
    console.error('It is the first key: from now on every caller of this service needs one, also when it is revoked.');
};

const shown = (used: number, limit: number | null | undefined, unit: string): string =>
  limit === null || limit === undefined ? `${used} ${unit}` : `${used} of ${limit} ${unit}`;

const line = (key: ListedKey, now: number): string => {
  const { id, owner, role, created_at, expires_at, last_used_at, quota, today } = key;
  const isOver = expires_at !== null && Date.parse(expires_at) <= now;
  const end = expires_at === null ? 'no end' : `${isOver ? 'expired' : 'until'} ${expires_at}`;
  const use = last_used_at === null ? 'never used' : `last used ${last_used_at}`;
  const used = `${shown(today.turns, quota?.turns_per_day, 'turns')}, ${shown(today.tokens, quota?.tokens_per_day, 'tokens')} today`;
  return `${id}  ${owner}  ${role}  made ${created_at}  ${end}  ${use}  ${used}`;
};

/** `tripact keys list`: the keys in the order in which they were made, one a line, with what their owners used today. */
export const listKeys = (options: ListOptions): Promise<void> =>
  withAccess(options, async (access) => {
    const now = Date.now();
    for (let after: string | null | undefined; after !== null; ) {
      const { items, next } = await pageOfKeys(access, { limit: PAGE, after }, now);
      for (const key of items) console.log(options.json === true ? jsonLine(key) : printable(line(key, now)));
      after = next;
    }
  });

/** `tripact keys revoke`: a key lets nobody in any more, also at a service that runs. */
export const revokeKey = (id: string, options: DataOptions): Promise<void> =>
  withAccess(options, async ({ keys }) => {
    if (!(await keys.revoke(id)))
      throw new CommandFailure(`There is no key "${id}": "tripact keys list" lists those that there are`);
    console.error(printable(`Key ${id} is revoked`));
  });

/** `tripact keys quota`: changes what an owner may use a day, whatever key it shows, and prints it. */
export const changeQuota = (owner: string, options: QuotaOptions): Promise<void> => {
  const change = quotaChange(options);
  return withAccess(options, async ({ quotas }) => {
    const quota = await quotas.set(checkedOwner(owner), change, Date.now());
    console.log(printable(`${owner}: ${quotaText(quota)}`));
  });
};
