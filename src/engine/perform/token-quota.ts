import type { Language } from '../../../contracts/language.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { nextMidnight } from '../../../contracts/quota.ts';
import { totalTokens } from '../../../contracts/usage.ts';
import type { SessionStore } from '../../store/port.ts';

/** What is looked at before each model call. */
export interface TokenQuotaParts {
  store: Pick<SessionStore, 'quotaOf' | 'usageOn'>;
  now(): number;
}

/** Says why an owner's model call is not made today; null: nothing is against it. */
export type TokenQuota = (owner: string, language: Language) => Promise<string | null>;

/**
 * Makes what looks at an owner's tokens of today before each model call (SPEC 6). Calls that are under way are not in it yet, so that an owner with
 * several tasks may end above the quota by what these use.
 */
export const createTokenQuota =
  ({ store, now }: TokenQuotaParts): TokenQuota =>
  async (owner, language) => {
    const { tokens_per_day: limit = null } = (await store.quotaOf(owner)) ?? {};
    if (limit === null) return null;
    const at = now();
    const used = totalTokens((await store.usageOn(owner, at)).usage);
    return used < limit ? null : messages(language).taskNotes.tokenQuota(used, limit, nextMidnight(at));
  };
