import type { Database } from 'better-sqlite3';
import { NO_QUOTA, OWNER_QUOTAS_MAX, type Quota } from '../../../contracts/access.ts';
import type { OwnerQuotas } from '../../access/port.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { GuardedRead, Transaction } from './guarded-work.ts';
import { onceATurn } from './once-a-turn.ts';

interface QuotaRow extends Quota {
  set_at: number;
}

const isNothing = ({ turns_per_day, tokens_per_day }: Quota): boolean =>
  turns_per_day === null && tokens_per_day === null;

/** The quotas in a database. `read` passes on what a read throws, as its own errors. */
export const createOwnerQuotas = (db: Database, transaction: Transaction, read: GuardedRead): OwnerQuotas => {
  const one = db.prepare<[string], QuotaRow>(
    'SELECT turns_per_day, tokens_per_day, set_at FROM owner_quotas WHERE owner = ?',
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM owner_quotas').pluck();
  const put = db.prepare(
    `INSERT OR REPLACE INTO owner_quotas (owner, turns_per_day, tokens_per_day, set_at)
     VALUES (@owner, @turns_per_day, @tokens_per_day, @set_at)`,
  );
  const quotas = onceATurn((owner: string): Quota | null => {
    const row = one.get(owner);
    if (row === undefined || isNothing(row)) return null;
    return { turns_per_day: row.turns_per_day, tokens_per_day: row.tokens_per_day };
  });
  return {
    of: (owner) => read(async () => quotas.of(owner)),
    set: (owner, change, now, saidAt = now) =>
      transaction(() => {
        const before = one.get(owner);
        const { turns_per_day, tokens_per_day } = { ...NO_QUOTA, ...before };
        const was: Quota = { turns_per_day, tokens_per_day };
        const set_at = Math.min(saidAt, now);
        const isOlder = before !== undefined && before.set_at > set_at && set_at < now;
        if (isOlder || Object.keys(change).length === 0) return was;
        const quota: Quota = { ...was, ...change };
        if (before === undefined && isNothing(quota)) return quota;
        if (before === undefined && count.get()! >= OWNER_QUOTAS_MAX)
          throw new ServiceError('TOO_MANY_REQUESTS', `There are ${OWNER_QUOTAS_MAX} quotas already`);
        // One that was taken away stays, so that no older statement brings it back.
        put.run({ owner, ...quota, set_at });
        quotas.forget();
        return quota;
      }),
  };
};
