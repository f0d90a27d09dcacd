import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createVerifiers } from '../../src/verify/verifiers.ts';

/** Far above what two processes take to start, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** A command that starts a program, ends by itself once that runs, and says so; and the program's connection, which lives as long as it. */
const leavingBehind = async (options: object, thenDoes = '') => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const left = `
    const socket = require('node:net').connect(${(server.address() as AddressInfo).port}, '127.0.0.1', () => process.send('runs'));
    process.once('disconnect', () => { ${thenDoes} });`;
  const command = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', process.argv[1]], ${JSON.stringify(options)});
    child.once('message', () => { child.disconnect(); child.unref(); console.log('checked'); });`;
  const connection = once(server, 'connection').then(([socket]: Socket[]) => socket!.resume().on('error', () => {}));
  return { argv: [process.execPath, '-e', command, left], connection };
};

const run = (argv: string[], { signal } = new AbortController()) =>
  createVerifiers([argv], TIMEOUT_MS)[0]!({ session_id: 's1', task_id: 't1', workspace: '/', language: 'en', signal });

it('what a command left running ends with it, and does not hold up its result', { timeout: TIMEOUT_MS }, async () => {
  const { argv, connection } = await leavingBehind({ stdio: ['ignore', 'inherit', 'ignore', 'ipc'] });
  const ended = connection.then((socket) => once(socket, 'close'));
  expect(await run(argv)).toEqual({ ok: true, output: expect.stringContaining('checked') });
  await ended;
});

it('what left the group of a command is not listened to beyond its end', { timeout: TIMEOUT_MS }, async () => {
  const options = { detached: true, stdio: ['ignore', 'inherit', 'ignore', 'ipc'] };
  const { argv, connection } = await leavingBehind(options, "setInterval(() => process.stdout.write('more\\n'), 10);");
  const ending = new AbortController();
  const verified = run(argv, ending);
  const ended = once(await connection, 'close');
  ending.abort(new Error('cancelled'));
  await expect(verified).rejects.toThrow('cancelled');
  await ended;
});

it('keeps the end of what a command writes, and no half of a character', async () => {
  const { output } = await run([process.execPath, '-e', "process.stdout.write('😀'.repeat(5_000) + 'y')"]);
  expect(output.isWellFormed()).toBe(true);
  expect(output).toContain(`${'😀'.repeat(3_999)}y\n`);
});
