import { LOCAL_OWNER } from '../../contracts/ids.ts';
import type { ApiKey } from '../config/config.ts';
import { hashOfKey } from './keys.ts';
import type { AccessControl, AccessStore, Caller } from './port.ts';
import type { TokenStatement, Tokens } from './tokens.ts';

/** How precisely a key's last use is stored, in milliseconds: one write an hour, not one a request. */
const LAST_USED_MS = 60 * 60 * 1_000;

export interface AccessParts {
  apiKeys: readonly ApiKey[];
  /** The key of the process itself, for the owner `local`. It does not make keys required for others. */
  ownKey?: string | undefined;
  store: Pick<AccessStore, 'keys' | 'quotas'>;
  tokens: Tokens | null;
  now(): number;
}

/** Creates access control by configured keys, stored keys, and an issuer's tokens. */
export const createAccessControl = ({ apiKeys, ownKey, store, tokens, now }: AccessParts): AccessControl => {
  const own = ownKey === undefined ? [] : [{ owner: LOCAL_OWNER, role: 'operator', key: ownKey } as const];
  const configured = new Map<string, Caller>(
    [...apiKeys, ...own].map(({ owner, role, key }) => [hashOfKey(key), { owner, role, roles: [] }]),
  );
  const { keys, quotas } = store;
  let isRequired = apiKeys.length > 0 || tokens !== null;

  const stored = async (hash: string): Promise<Caller | null> => {
    const key = await keys.find(hash);
    const at = now();
    if (key === null || (key.expires_at !== null && key.expires_at <= at)) return null;
    // An unwritable store is reported elsewhere and refuses nobody here.
    if (at - (key.last_used_at ?? 0) >= LAST_USED_MS) keys.markUsed(key, at).catch(() => {});
    return { owner: key.owner, role: key.role, roles: key.roles, key_id: key.id };
  };

  /**
   * Stores the quota in a token if it differs from the stored one. The newest token counts, so an older one changes
   * nothing.
   */
  const keepQuota = async ({ owner, quota, issued_at }: TokenStatement): Promise<void> => {
    const kept = await quotas.of(owner);
    const said = Object.keys(quota) as (keyof typeof quota)[];
    const isNew = said.some((name) => quota[name] !== (kept?.[name] ?? null));
    if (isNew) await quotas.set(owner, quota, now(), issued_at);
  };

  const byToken = async (shown: string): Promise<Caller | null> => {
    const statement = (await tokens?.read(shown)) ?? null;
    if (statement === null) return null;
    await keepQuota(statement);
    const { owner, role, roles, subject } = statement;
    return { owner, role, roles, subject };
  };

  return {
    isRequired: () => {
      isRequired ||= keys.wereAdded();
      return isRequired;
    },
    identify: async (shown) => {
      const hash = hashOfKey(shown);
      return configured.get(hash) ?? (await stored(hash)) ?? byToken(shown);
    },
  };
};
