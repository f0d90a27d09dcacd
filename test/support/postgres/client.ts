import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import type { TurnView } from '../../../contracts/turn-view.ts';
import type { Cluster, Node } from './cluster.ts';

/** Headers of a turn that nobody waits for. */
export const ASYNC = { prefer: 'respond-async' };

/** Sends a turn to a node, of session `s1`. */
export const say = (
  { ask }: Cluster,
  node: Node,
  owner: string,
  input: string,
  headers: Record<string, string> = {},
  more: object = {},
) => ask(node, owner, '/v1/sessions/s1/turns', { method: 'POST', body: JSON.stringify({ input, ...more }), headers });

export const read = async <Body = TurnView>(response: Response): Promise<Body> => (await response.json()) as Body;

/** Sends a request until it is served, as clients do when told to retry; a 503 always says when. */
export const untilServed = async (send: () => Promise<Response>): Promise<Response> => {
  for (;;) {
    const response = await send().catch(() => null);
    if (response !== null && response.status < 500) return response;
    if (response !== null) {
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).not.toBeNull();
    }
    await pause(100);
  }
};

/** The turn once it is finished, requested from one node. */
export const finished = async (cluster: Cluster, node: Node, owner: string, id: string): Promise<TurnView> => {
  for (;;) {
    const found = await read(await untilServed(() => cluster.ask(node, owner, `/v1/turns/${id}`)));
    if (found.finished_at !== null) return found;
    await pause(50);
  }
};

/** The rows of a query on a cluster's database. */
export const rows = async <Row extends pg.QueryResultRow>({ databaseUrl }: Cluster, sql: string): Promise<Row[]> => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  return (await client.query<Row>(sql).finally(() => client.end())).rows;
};
