import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startServe } from '../support/cli/cli-process.ts';

/** Callers at once. */
const CALLERS = 3_000;

/** What this machine's operating system keeps at most; others than Linux say it elsewhere. */
const KEPT_MAX = process.platform === 'linux' ? Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) : 0;

it.skipIf(KEPT_MAX < CALLERS)('lets thousands of callers connect at once, however busy the service is', async () => {
  const { child, url } = await startServe();
  // As busy as a process can be: it takes no connection at all.
  child.kill('SIGSTOP');
  const sockets = Array.from({ length: CALLERS }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    child.kill('SIGCONT');
  });
  await Promise.all(
    sockets.map((socket) => new Promise((resolve, reject) => socket.on('connect', resolve).on('error', reject))),
  );
  expect(sockets.filter(({ connecting }) => connecting)).toEqual([]);
});
