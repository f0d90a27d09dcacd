import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, serveWatched, stop, whenListening } from './server-process.ts';

/**
 * `node bench/stopping.ts 1000 1000`: so many callers wait for the reply of a turn of their own, spread over so many sessions (the second number), on a
 * model whose server never answers, and the service is stopped by SIGTERM. Says how long its event loop was held at most, in milliseconds of processor time, and what
 * the callers got.
 */
const [callers = 1_000, sessions = callers] = process.argv.slice(2).map(Number);

/** Time after which what was sent is taken in, in milliseconds. */
const SETTLE_MS = 3_000;

const silent = http.createServer((request) => request.resume()).listen(0, '127.0.0.1');
await once(silent, 'listening');
const { port: modelPort } = silent.address() as AddressInfo;

const dir = mkdtempSync(join(tmpdir(), 'tripact-stopping-'));
const file = join(dir, 'event-loop');
writeFileSync(
  join(dir, 'tripact.config.ts'),
  `export default {
  limits: { requests_per_second: 100_000, waiting_requests: 100_000, running_tasks: 100_000 },
};\n`,
);
const port = await freePort();
const server = serveWatched(dir, port, file, {
  TRIPACT_LOG_LEVEL: 'info',
  TRIPACT_MODEL: 'anthropic:silent',
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${modelPort}`,
  ANTHROPIC_API_KEY: 'none',
});

await whenListening(() => fetch(`http://127.0.0.1:${port}/readyz`));
const answers: Record<string, number> = {};
const got = (answer: string | number): void => {
  answers[answer] = (answers[answer] ?? 0) + 1;
};
const replies = Array.from(
  { length: callers },
  (_, i) =>
    new Promise<void>((resolve) => {
      const path = `/v1/sessions/s${i % sessions}/turns`;
      const headers = { 'content-type': 'application/json' };
      http
        .request({ host: '127.0.0.1', port, path, method: 'POST', agent: false, headers }, (response) => {
          got(response.statusCode ?? 0);
          response.resume().on('close', resolve);
        })
        .on('error', (error: NodeJS.ErrnoException) => {
          got(error.code ?? 'error');
          resolve();
        })
        .end(JSON.stringify({ input: 'Wait' }));
    }),
);
await wait(SETTLE_MS);
writeFileSync(file, '');
await stop(server);
await Promise.all(replies);
silent.close();
silent.closeAllConnections();
const blocked = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
console.log({ callers, sessions, answers, longest_ms: Math.max(0, ...blocked), over_10_ms: blocked });
rmSync(dir, { recursive: true, force: true });
