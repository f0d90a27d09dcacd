import type { Database } from 'better-sqlite3';
import { totalTokens } from '../../../contracts/usage.ts';
import type { AccessStore } from '../../access/port.ts';
import { createAccessKeys } from './access-keys.ts';
import type { GuardedRead, Transaction } from './guarded-work.ts';
import { createOwnerQuotas } from './owner-quotas.ts';
import type { UsageDays } from './usage-days.ts';

/** Who may call, and what owners may use and have used, in a database. */
export const createAccessStore = (
  db: Database,
  usageDays: Pick<UsageDays, 'on'>,
  transaction: Transaction,
  read: GuardedRead = (run) => run(),
): AccessStore => ({
  keys: createAccessKeys(db, transaction, read),
  quotas: createOwnerQuotas(db, transaction, read),
  usedOn: (owner, at) =>
    read(async () => {
      const { turns, usage } = usageDays.on(owner, at);
      return { turns, tokens: totalTokens(usage) };
    }),
});
