import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionView } from '../../contracts/http.ts';
import { isSettled } from '../../contracts/task.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { parseNdjson } from '../../src/history/parse-ndjson.ts';
import { replay } from '../../src/history/replay.ts';
import type { Ledger, Violation } from './ledger.ts';

/** A summary of a session's trace. */
export interface ReadTrace {
  entries: TraceEntry[];
  found: Violation[];
}

/**
 * Sends a request to a service that nothing disturbs any more. Retries when a kept-alive connection ends, as replays
 * take long, and when the service sheds load, after the time that it names. Throws for an unexpected answer.
 */
export const read = async (url: string, headers: Record<string, string> = {}): Promise<Response> => {
  const response = await fetch(url, { headers }).catch(() => fetch(url, { headers }));
  const after = response.headers.get('retry-after');
  if (response.status === 503 && after !== null) {
    await response.body?.cancel();
    await sleep(Number(after) * 1_000);
    return read(url, headers);
  }
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
};

/** Reads one session's trace from the running service. */
export const traceAt = async (
  url: string,
  session_id: string,
  headers: Record<string, string> = {},
): Promise<TraceEntry[]> => {
  const response = await read(`${url}/v1/sessions/${session_id}/trace`, headers);
  return Array.fromAsync(parseNdjson([await response.text()]), (entry) => entry as TraceEntry);
};

/** Reads one session's trace from the running service, replays it, and checks that each of its tasks is settled. */
export const readTrace = async (url: string, session_id: string, cancelled: Set<string>): Promise<ReadTrace> => {
  const found: Violation[] = [];
  const entries = await traceAt(url, session_id);
  const replayed = await replay(entries, { gapless: true });
  if (!replayed.ok) found.push({ rule: 'notReplayed', detail: `${session_id}: ${replayed.message}` });

  const last = new Map<string, TraceEntry>();
  for (const entry of entries)
    if (entry.task_id !== null && entry.event.type !== 'result.superseded') last.set(entry.task_id, entry);
  for (const [task_id, { state, seq }] of last) {
    if (state === null || !isSettled(state))
      found.push({ rule: 'notSettled', detail: `${session_id} ${task_id} stands at ${state} after seq ${seq}` });
    if (cancelled.has(task_id) && state !== 'cancelled')
      found.push({ rule: 'cancelLost', detail: `${task_id} is ${state}` });
  }
  return { entries, found };
};

/** Fetches every session's queue from the running service, and again every reply that it ever gave. */
export const checkSettled = async (
  url: string,
  session_id: string,
  { turns }: Pick<Ledger, 'turns'>,
  headers: Record<string, string> = {},
): Promise<Violation[]> => {
  const found: Violation[] = [];
  const session = (await (await read(`${url}/v1/sessions/${session_id}`, headers)).json()) as SessionView;
  for (const { turn_id } of session.queue)
    found.push({ rule: 'notSettled', detail: `${session_id} queues ${turn_id}` });
  for (const { key, turn_id, reply, input } of turns.filter((turn) => turn.session_id === session_id)) {
    if (turn_id === null) {
      found.push({ rule: 'notSettled', detail: `${key} "${input}" was never acknowledged` });
      continue;
    }
    const view = (await (await read(`${url}/v1/turns/${turn_id}`, headers)).json()) as TurnView;
    if (view.finished_at === null) found.push({ rule: 'notSettled', detail: `${key} "${input}" is ${view.status}` });
    if (JSON.stringify(view) !== JSON.stringify(reply))
      found.push({ rule: 'replyChanged', detail: `${key}: ${JSON.stringify(view).slice(0, 300)}` });
  }
  return found;
};
