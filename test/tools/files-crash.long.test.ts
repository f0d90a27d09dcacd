import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/cli/cli-process.ts';

const APPENDER = 'test/tools/files-appender.ts';
const KILLS = 15;

/** Appends until it is killed, some time after its first append; gives the last effect that it came to the end of. */
const appendUntilKilled = async (workspace: string, from: number, afterMs: number): Promise<number> => {
  const child = spawn(process.execPath, [APPENDER, workspace, String(from)], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await once(child.stdout, 'data');
  setTimeout(() => child.kill('SIGKILL'), afterMs);
  await once(child, 'close');
  return Number(said.trim().split('\n').at(-1));
};

it('an append that kill -9 interrupts is made once when it is asked for again', async () => {
  const workspace = temporaryFolder();
  let next = 0;
  // At a moment of its own each time: between any two system calls of a change.
  for (let kill = 0; kill < KILLS; kill += 1) next = (await appendUntilKilled(workspace, next, (kill * 7) % 23)) + 1;
  const lines = readFileSync(join(workspace, 'log.txt'), 'utf8').split('\n').map(Number);
  // The last one may have been made by a process that did not live to say so.
  expect([next, next + 1]).toContain(lines.length);
  expect(lines).toEqual(lines.map((_, n) => n));
}, 120_000);
