import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { openStore } from '../src/engine/sqlite/database.ts';
import { createSqliteStore } from '../src/engine/sqlite/sqlite-store.ts';
import { createLog } from '../src/log.ts';

/** What `node bench/limits.ts` does: fills limits at once and says what memory that takes, and how long a list of sessions takes. */
const SESSIONS = 500;
const FULL_QUEUES = 20;
const STREAMS = 500;
const WAITING = 400;

const MIB = 1024 * 1024;
const rss = (): number => Math.round(process.memoryUsage().rss / MIB);
const dataDir = mkdtempSync(join(tmpdir(), 'tripact-bench-limits-'));
const silent = { name: 'silent', answer: () => new Promise<never>(() => {}) };
const app = await buildApp({
  config: loadConfig({ TRIPACT_DATA_DIR: dataDir, TRIPACT_MODEL: 'offline' }),
  log: createLog({ level: 'silent' }),
  version: '0.0.0-bench',
  model: silent,
});
await app.http.listen({ host: '127.0.0.1', port: 0 });
const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
const started = rss();
const gone = new AbortController();
const send = async (session: string, input: string, prefer: Record<string, string>): Promise<number> => {
  const response = await fetch(`${url}/v1/sessions/${session}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...prefer },
    body: JSON.stringify({ input }),
    signal: gone.signal,
  });
  await response.text();
  return response.status;
};
const isAsync = { prefer: 'respond-async' };
for (let i = 0; i < SESSIONS; i += 1) await send(`s${i}`, 'Run', isAsync);
const tasks = rss();
const refused = new Map<number, number>();
for (let i = 0; i < FULL_QUEUES; i += 1)
  for (let n = 0; n < 110; n += 1) {
    const status = await send(`s${i}`, 'x'.repeat(10_000), isAsync);
    refused.set(status, (refused.get(status) ?? 0) + 1);
  }
const queues = rss();
for (let i = 0; i < WAITING; i += 1) send(`s${FULL_QUEUES + i}`, 'Wait', {}).catch(() => {});
const streams = await Promise.all(
  Array.from({ length: STREAMS }, (_, i) => fetch(`${url}/v1/sessions/s${i}/events`, { signal: gone.signal })),
);
for (const { body } of streams) void body?.getReader().read();
const before = performance.now();
await (await fetch(`${url}/v1/sessions?limit=100`)).text();
console.log({
  rss_mib: { started, tasks_running: tasks, queues_full: queues, streams_and_waiting: rss() },
  queued: Object.fromEntries(refused),
  sessions_page_over_http_ms: Number((performance.now() - before).toFixed(1)),
});
gone.abort();
await app.engine.close(0);
await app.http.close();

const opened = openStore({ dataDir });
const store = createSqliteStore({ store: opened });
// Only the cost of a session: a queue costs its bytes.
opened.db.exec("DELETE FROM turns WHERE status = 'queued'; UPDATE tasks SET state = 'awaiting_user'");
await store.sessions('local', SESSIONS, null);
const times = [];
for (let i = 0; i < 20; i += 1) {
  const from = performance.now();
  await store.sessions('local', SESSIONS, null);
  times.push(performance.now() - from);
}
times.sort((a, b) => a - b);
console.log({
  sessions: SESSIONS,
  list_in_the_store_ms: { median: times[10]?.toFixed(1), max: times.at(-1)?.toFixed(1) },
});
await store.close();
rmSync(dataDir, { recursive: true, force: true });
