import { Socket } from 'node:net';
import pg from 'pg';
import { decodePercent } from '../../lib/decode-percent.ts';

/** Longest time for connecting, for a statement, for a lock, and for an idle transaction, in milliseconds. */
const CONNECT_MS = 5_000;
const STATEMENT_MS = 30_000;
const LOCK_MS = 15_000;
const IDLE_MS = 5_000;

/** The types of whole numbers; all of Tripact's fit into a JavaScript number. */
const INT8 = 20;

/**
 * Sends everything written in one turn of the event loop at once: a commit is many small messages, each of which would
 * be a system call.
 */
class GatheringSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork());
  }
}

/** Statements keep one plan: planning each anew takes longer than running it. */
const ONE_PLAN = 'plan_cache_mode=force_generic_plan';

/**
 * Cached plans that were made for an empty table still find rows by an index when the table is large. A plan that has no
 * index to use is not compiled, which would take longer than running it.
 */
export const BY_INDEX = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off', 'jit=off'];

/**
 * Settings of each connection, with additional PostgreSQL settings. The address may name `connect_timeout` in seconds,
 * as libpq's may.
 */
export const connectionTo = (url: string, more: readonly string[] = []): pg.ClientConfig => {
  const given = new URL(url);
  // A password is often pasted unencoded: a bare % is literal, and pg refuses it.
  given.username = encodeURIComponent(decodePercent(given.username));
  given.password = encodeURIComponent(decodePercent(given.password));
  const connectSeconds = Number(given.searchParams.get('connect_timeout'));
  const options = [given.searchParams.get('options'), ...[ONE_PLAN, ...more].map((each) => `-c ${each}`)];
  given.searchParams.set('options', options.filter((each) => each !== null).join(' '));
  return {
    connectionString: given.href,
    application_name: 'tripact',
    keepAlive: true,
    stream: () => new GatheringSocket(),
    connectionTimeoutMillis: connectSeconds > 0 ? connectSeconds * 1_000 : CONNECT_MS,
    query_timeout: STATEMENT_MS,
    statement_timeout: STATEMENT_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: IDLE_MS,
    types: {
      getTypeParser: (type: number) => (type === INT8 ? Number : pg.types.getTypeParser(type)),
    } as pg.CustomTypesConfig,
  };
};
