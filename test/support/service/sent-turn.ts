import { randomUUID } from 'node:crypto';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';

/** A turn that was stored and whose end is not awaited yet. */
export interface SentTurn {
  /** Its state when it was stored. */
  readonly turn: TurnView;
  /** Waits for its end as its sender would: by the same request with the same key, which gives the same turn. */
  finished(at?: string): Promise<TurnView & { task: TaskView }>;
}

/** Sends a turn to the service at `url` and resolves when it is stored, which may be long before it is finished. */
export const sendTurn = async (url: string, session: string, input: string, body = {}): Promise<SentTurn> => {
  const key = randomUUID();
  const post = (at: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${at}/v1/sessions/${session}/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
      body: JSON.stringify({ input, ...body }),
    });
  const stored = await post(url, { prefer: 'respond-async' });
  if (stored.status !== 202) throw new Error(`${stored.status}: ${await stored.text()}`);
  return {
    turn: (await stored.json()) as TurnView,
    finished: async (at = url) => (await (await post(at, {})).json()) as TurnView & { task: TaskView },
  };
};
