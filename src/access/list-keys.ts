import type { ListedKey } from '../../contracts/access.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import { keyView } from './issue-key.ts';
import type { AccessStore } from './port.ts';

/** A page of the keys, each with its owner's quota and what of it is used on the day of `now`, epoch milliseconds. */
export const listKeys = async (
  { keys, quotas, usedOn }: AccessStore,
  page: PageRequest,
  now: number,
): Promise<Page<ListedKey>> => {
  const { items, next } = await keys.list(page);
  const owners = new Map<string, Pick<ListedKey, 'quota' | 'today'>>();
  for (const owner of new Set(items.map((key) => key.owner))) {
    owners.set(owner, { quota: await quotas.of(owner), today: { ...(await usedOn(owner, now)) } });
  }
  return { items: items.map((key) => ({ ...keyView(key), ...owners.get(key.owner)! })), next };
};
