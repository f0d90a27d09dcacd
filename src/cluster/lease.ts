import pg from 'pg';
import { ServiceError } from '../lib/errors.ts';
import { connectionTo } from '../store/postgres/connection.ts';
import { prepareDatabase, shareDatabase } from '../store/postgres/open.ts';

/** How long a node counts as alive after its last report, in milliseconds. */
export const LEASE_MS = 5_000;

/** The scheduler of homes, for all nodes. It can only change while there is no other node. */
const SET_SCHEDULER = `
  INSERT INTO meta (key, value) VALUES ('scheduler', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value
    WHERE meta.value = excluded.value OR NOT EXISTS (SELECT 1 FROM nodes WHERE id <> $2 AND is_alive(id))
  RETURNING value`;

export interface LeaseParts {
  /** The database. */
  url: string;
  /** Where other nodes reach this one. */
  nodeUrl: string;
  /** The version of this node's machine. */
  rank: number;
  scheduler: 'leases' | 'restate';
  /** The lease is back: `fences` are the owners whose homes this node still has. */
  onTaken(fences: ReadonlyMap<string, number>): void;
  /** The lease has ended: others may consider this node dead. */
  onLost(): void;
}

/**
 * Takes a node's lease: the node is alive as long as PostgreSQL sees it. `CONFIG_INVALID` if other nodes use another
 * scheduler.
 */
export const openLease = async ({ url, nodeUrl, rank, scheduler, onTaken, onLost }: LeaseParts) => {
  let lease: pg.Client | null = null;
  /** Since when the lease has been held without interruption, by `performance.now()`. */
  let leasedAt = 0;
  const ended = (client: pg.Client | null): void => {
    if (client === null || lease !== client) return;
    lease = null;
    onLost();
  };

  const connect = async (node: number | null): Promise<number> => {
    const client = new pg.Client({ ...connectionTo(url), application_name: 'tripact lease', query_timeout: LEASE_MS });
    client.on('error', () => {});
    client.on('end', () => ended(client));
    try {
      await client.connect();
      await client.query(`SET idle_session_timeout = ${LEASE_MS}`);
      await shareDatabase(client);
      const made = await client.query<{ id: number }>(
        node === null
          ? 'INSERT INTO nodes (url, rank, started_at) VALUES ($1, $2, $3) RETURNING id'
          : 'UPDATE nodes SET url = $1, rank = $2, started_at = $3 WHERE id = $4 RETURNING id',
        [nodeUrl, rank, Date.now(), ...(node === null ? [] : [node])],
      );
      const { id } = made.rows[0]!;
      await client.query('SELECT pg_advisory_lock(node_locks(), $1::integer)', [id]);
      if ((await client.query(SET_SCHEDULER, [scheduler, id])).rowCount === 0)
        throw new ServiceError(
          'CONFIG_INVALID',
          'The other nodes on this database have another TRIPACT_SCHEDULER; set the same here, or stop them first',
        );
      // Others may have taken homes while there was no lease. An idle home would not learn that from a commit.
      const kept = await client.query<{ owner: string; fence: number }>(
        'SELECT owner, fence FROM homes WHERE node = $1',
        [id],
      );
      onTaken(new Map(kept.rows.map(({ owner, fence }) => [owner, fence])));
      lease = client;
      leasedAt = performance.now();
      return id;
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
  };
  await prepareDatabase(url);
  const node = await connect(null);
  return {
    /** The number of this node. */
    node,
    /** Reports that this node is alive. A connection without answers holds no lease. */
    ping: async (): Promise<void> => {
      const client = lease;
      await client?.query('SELECT 1').catch(async (error: unknown) => {
        ended(client);
        await client.end();
        throw error;
      });
    },
    /** Takes a lost lease again. */
    retake: async () => void (lease === null && (await connect(node))),
    /**
     * False after a restart of PostgreSQL, which ends all leases at once: no node takes another's homes before each had
     * time to take its own again.
     */
    isSettled: (): boolean => lease !== null && performance.now() - leasedAt >= LEASE_MS,
    close: async () => void (await lease?.end().catch(() => {})),
  };
};

export type Lease = Awaited<ReturnType<typeof openLease>>;
