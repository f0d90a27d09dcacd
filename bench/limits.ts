import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, stop, whenListening } from './server-process.ts';

/**
 * What `node bench/limits.ts` does: fills the limits of one owner in a service in a process of its own, on a model that never answers, and says how
 * much memory that process has held at most. Running tasks, input that waits, waiting requests, event streams and replays are all at their
 * limit at the same time; the requests a second are raised, so that filling does not take minutes.
 */
const RUNNING_TASKS = 1_000;
const UNFINISHED_BYTES = 64 * 1024 * 1024;
const EVENT_STREAMS = 1_000;
const WAITING_REQUESTS = 1_000;
const REPLAYS = 2;

/** Length of an input that waits, in characters: the longest that a turn may have. */
const INPUT_CHARS = 32 * 1024;

/** Turns of one session that wait: what fits into its own limit. */
const QUEUED_A_SESSION = 31;

/** Requests that this program has open at once while it fills. */
const AT_ONCE = 32;

/** Time after which what was sent is taken in, in milliseconds. */
const SETTLE_MS = 3_000;

const dir = mkdtempSync(join(tmpdir(), 'tripact-bench-limits-'));
writeFileSync(
  join(dir, 'tripact.config.ts'),
  `export default {
  limits: { requests_per_second: 100_000 },
  model: { name: 'silent', answer: () => new Promise(() => {}) },
};\n`,
);
const port = await freePort();
const server = spawn(process.execPath, [join(import.meta.dirname, '..', 'src', 'main.mjs'), 'serve'], {
  cwd: dir,
  env: {
    PATH: process.env['PATH'],
    TRIPACT_DATA_DIR: join(dir, 'data'),
    TRIPACT_PORT: String(port),
    TRIPACT_LOG_LEVEL: 'silent',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});

/** Resident memory of the service in MiB, now (`VmRSS`) or at most so far (`VmHWM`). */
const memory = (field: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
};

const url = `http://127.0.0.1:${port}`;
const answers = new Map<number, number>();
const send = async (session: string, input: string, prefer: Record<string, string> = {}): Promise<void> => {
  const response = await fetch(`${url}/v1/sessions/${session}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...prefer },
    body: JSON.stringify({ input }),
  });
  await response.text();
  answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
};

/** Does the work for each number below `count`, some at once. */
const each = async (count: number, work: (i: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
};

const opened: http.ClientRequest[] = [];
const open = (path: string, options: http.RequestOptions = {}): http.ClientRequest => {
  const request = http.request({ host: '127.0.0.1', port, path, agent: false, ...options }, (response) => {
    answers.set(response.statusCode ?? 0, (answers.get(response.statusCode ?? 0) ?? 0) + 1);
    response.resume();
  });
  request.on('error', () => {});
  opened.push(request);
  return request;
};

const figures: Record<string, number> = {};
const figure = async (name: string): Promise<void> => {
  await wait(SETTLE_MS);
  figures[name] = memory('VmRSS');
};

const isAsync = { prefer: 'respond-async' };
await whenListening(() => fetch(`${url}/readyz`));
await figure('started');
await each(RUNNING_TASKS, (i) => send(`s${i}`, 'Run', isAsync));
await figure('tasks_run');
const inputs = Math.ceil(UNFINISHED_BYTES / INPUT_CHARS);
await each(inputs, (i) => send(`s${Math.floor(i / QUEUED_A_SESSION)}`, 'x'.repeat(INPUT_CHARS), isAsync));
await figure('input_waits');
for (let i = 0; i < EVENT_STREAMS; i += 1) open(`/v1/sessions/s${i}/events`).end();
await figure('streams_open');
for (let i = 0; i < WAITING_REQUESTS; i += 1)
  open(`/v1/sessions/s${RUNNING_TASKS - 1 - (i % 500)}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  }).end(JSON.stringify({ input: 'Wait' }));
await figure('requests_wait');
const trace = await (await fetch(`${url}/v1/sessions/s0/trace`)).text();
for (let i = 0; i < REPLAYS; i += 1)
  open('/v1/replay', { method: 'POST', headers: { 'content-type': 'application/x-ndjson' } }).end(trace.repeat(20_000));
await figure('traces_replayed');
console.log({ rss_mib: figures, peak_mib: memory('VmHWM'), answers: Object.fromEntries(answers) });
for (const request of opened) request.destroy();
await stop(server);
rmSync(dir, { recursive: true, force: true });
