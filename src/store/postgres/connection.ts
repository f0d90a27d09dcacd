import { Socket } from 'node:net';
import pg from 'pg';
import { decodePercent } from '../../lib/decode-percent.ts';

/** How long a connection may take, a statement, a wait for a lock, and a transaction in which nothing happens, in milliseconds. */
const CONNECT_MS = 5_000;
const STATEMENT_MS = 30_000;
const LOCK_MS = 15_000;
const IDLE_MS = 5_000;

/** The types of whole numbers, which Tripact's all fit into a number. */
const INT8 = 20;

/** Sends what is written in one turn of the event loop at once: a commit is many small messages, each of which would be a system call. */
class GatheringSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork());
  }
}

/** Statements keep one plan: to plan each anew takes longer than to run it. */
const ONE_PLAN = 'plan_cache_mode=force_generic_plan';

/** Plans that are made while a table is empty, and kept, still find each of many rows by an index when it is long. */
export const BY_INDEX = ['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off'];

/** Settings of each connection, with some more of PostgreSQL's. */
export const connectionTo = (url: string, more: readonly string[] = []): pg.ClientConfig => {
  const given = new URL(url);
  // A password is often pasted as it is: its bare % is one, and pg refuses it.
  given.username = encodeURIComponent(decodePercent(given.username));
  given.password = encodeURIComponent(decodePercent(given.password));
  const options = [given.searchParams.get('options'), ...[ONE_PLAN, ...more].map((each) => `-c ${each}`)];
  given.searchParams.set('options', options.filter((each) => each !== null).join(' '));
  return {
    connectionString: given.href,
    application_name: 'tripact',
    keepAlive: true,
    stream: () => new GatheringSocket(),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    statement_timeout: STATEMENT_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: IDLE_MS,
    types: {
      getTypeParser: (type: number) => (type === INT8 ? Number : pg.types.getTypeParser(type)),
    } as pg.CustomTypesConfig,
  };
};
