import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { TurnRow } from './rows.ts';
import type { Statements } from './statements.ts';
import { turnView } from './views.ts';

/** Waits between the tries to reach a callback, in milliseconds; after the last one it is given up and logged. */
const WAITS_MS = [1_000, 10_000, 60_000];

/** Posts finished turns to their `callback_url`: at least once, also after a restart. */
export interface Callbacks {
  /** Looks for finished turns that were not posted yet. */
  look(): void;
  stop(): void;
}

interface Parts {
  statements: Statements;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Resolves once a stored reply may go out. */
  held(turnId: string): Promise<unknown> | undefined;
  now(): number;
  log: Logger;
}

/** Makes the poster; who receives must expect a turn twice, and tells them apart by the turn's id. */
export const createCallbacks = ({ statements, fetch, held, now, log }: Parts): Callbacks => {
  const stopping = new AbortController();
  const posting = new Set<string>();

  const post = async (row: TurnRow): Promise<boolean> => {
    const response = await fetch(row.callback_url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': row.turn_id },
      body: JSON.stringify(turnView(row)),
      redirect: 'error',
      signal: stopping.signal,
    });
    await response.body?.cancel();
    return response.ok;
  };

  const deliver = async (row: TurnRow): Promise<void> => {
    await held(row.turn_id);
    for (const wait of [...WAITS_MS, null]) {
      try {
        if (await post(row)) break;
        log.warn({ turn_id: row.turn_id, wait_ms: wait }, 'a callback was not accepted');
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error, turn_id: row.turn_id, wait_ms: wait }, 'a callback could not be reached');
      }
      if (wait !== null) await pause(wait, undefined, { signal: stopping.signal, ref: false });
    }
    statements.setCalledBack.run(now(), row.turn_id);
  };

  return {
    look: () => {
      if (stopping.signal.aborted) return;
      for (const row of statements.turnsToCallBack.all()) {
        if (posting.has(row.turn_id)) continue;
        posting.add(row.turn_id);
        deliver(row)
          .catch((error: unknown) => {
            if (!stopping.signal.aborted) log.error({ err: error, turn_id: row.turn_id }, 'a callback failed');
          })
          .finally(() => posting.delete(row.turn_id));
      }
    },
    stop: () => stopping.abort(new Error('the service is stopping')),
  };
};
