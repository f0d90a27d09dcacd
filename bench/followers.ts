import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http, { type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, serveWatched, stop, whenListening } from './server-process.ts';

/**
 * `node bench/followers.ts 200 1000 4000`: so many event streams of one session are opened at once, read its history, follow one more
 * task, and are closed at once. Says how long the service's event loop was held at most, in milliseconds of processor time.
 */
const counts = process.argv.slice(2).map(Number);

/** Tasks of the session that is followed: about 120 entries. */
const TASKS = 20;

/** Time after which what the service was asked for has been done, in milliseconds. */
const SETTLE_MS = 1_500;

const dir = mkdtempSync(join(tmpdir(), 'tripact-followers-'));
const file = join(dir, 'event-loop');
const limits = { event_streams: 10_000, event_streams_in_all: 10_000, requests_per_second: 100_000 };
writeFileSync(join(dir, 'tripact.config.ts'), `export default { limits: ${JSON.stringify(limits)} };\n`);
const port = await freePort();
const server = serveWatched(dir, port, file, { TRIPACT_MODEL: 'offline', TRIPACT_LOG_LEVEL: 'warn' });

const url = `http://127.0.0.1:${port}/v1/sessions/followed`;
const turn = (): Promise<unknown> =>
  fetch(`${url}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'Add milk to my todos' }),
  }).then((response) => response.json());
const lastSeq = async (): Promise<number> => ((await (await fetch(url)).json()) as { last_seq: number }).last_seq;

const longest = (() => {
  let seen = 0;
  return (): number => {
    const all = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
    const found = all.slice(seen);
    seen = all.length;
    return Math.max(0, ...found);
  };
})();

/** Opens a stream; `at` is set to the seq of each message that comes in. */
const follow = (onSeq: (seq: number) => void): ClientRequest =>
  http
    .get({ host: '127.0.0.1', port, path: '/v1/sessions/followed/events', agent: false }, (response) => {
      if (response.statusCode !== 200) throw new Error(`an event stream was answered ${response.statusCode}`);
      let tail = '';
      response.setEncoding('latin1').on('data', (text: string) => {
        tail = (tail + text).slice(-2_000);
        const last = [...tail.matchAll(/^id: (\d+)$/gm)].at(-1);
        if (last !== undefined) onSeq(Number(last[1]));
      });
    })
    .on('error', () => {});

await whenListening(turn);
for (let i = 1; i < TASKS; i += 1) await turn();
await wait(SETTLE_MS);
longest();
for (const count of counts) {
  const at = new Array<number>(count).fill(0);
  const allAt = async (seq: number): Promise<void> => {
    while (at.some((seen) => seen < seq)) await wait(50);
  };
  const streams = at.map((_, i) =>
    follow((seq) => {
      at[i] = Math.max(at[i] ?? 0, seq);
    }),
  );
  await allAt(await lastSeq());
  const opened = longest();
  await turn();
  await allAt(await lastSeq());
  const followed = longest();
  for (const stream of streams) stream.destroy();
  await wait(SETTLE_MS);
  console.log({ followers: count, longest_ms: { opened, followed, closed: longest() } });
}
await stop(server);
rmSync(dir, { recursive: true, force: true });
