import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import type { SessionView } from '../../contracts/http.ts';
import { startServe } from '../support/cli-process.ts';
import { dial } from '../support/http-ask.ts';
import { startMessagesServer } from '../support/messages-server.ts';
import { answer, done, plan } from '../support/service.ts';

/** Readers that never read, and turns whose entries they should have read. */
const READERS = 40;
const TURNS = 150;
/** Characters of each answer; a turn has three long entries, so that one reader is behind by more than its sockets hold. */
const ANSWER_CHARS = 60_000;

/** What the entries of all readers would take if each had a copy in memory, in bytes: some 700 MB. */
const COPIES_BYTES = READERS * TURNS * 2 * ANSWER_CHARS;

/** Resident memory of a process on Linux, in bytes. */
const residentBytes = (pid: number): number => {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1_024;
};

it.runIf(process.platform === 'linux')('event readers that never read cost no memory to speak of', async () => {
  const long = 'long '.repeat(ANSWER_CHARS / 5);
  const model = await startMessagesServer({ plan: plan(), thought: done(long), replan: answer(long) });
  onTestFinished(() => model.close());
  const serve = await startServe({ env: { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url } });
  const say = async (): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ input: 'Tell me a story' }) };
    return (await fetch(`${serve.url}/v1/sessions/s1/turns`, init)).status;
  };
  const sayAll = async (): Promise<void> => {
    for (let i = 0; i < TURNS; i++) expect(await say()).toBe(200);
  };
  // The first round warms the process up, and gives the readers something to be behind with from their first moment.
  await sayAll();
  const before = residentBytes(serve.child.pid!);

  const port = Number(new URL(serve.url).port);
  for (let i = 0; i < READERS; i++) {
    const socket = await dial(port, 'GET /v1/sessions/s1/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.pause();
    onTestFinished(() => void socket.destroy());
  }
  await sayAll();
  expect(residentBytes(serve.child.pid!) - before).toBeLessThan(COPIES_BYTES / 4);
  const session = (await (await fetch(`${serve.url}/v1/sessions/s1`)).json()) as SessionView;
  expect(session.last_seq).toBe(2 * TURNS * 4);
});
