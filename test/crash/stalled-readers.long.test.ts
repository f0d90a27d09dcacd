import { expect, it, onTestFinished } from 'vitest';
import type { SessionView } from '../../contracts/http.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { startServe } from '../support/cli/cli-process.ts';
import { dial } from '../support/http/send-request.ts';
import { answer, done, plan } from '../support/service/service.ts';

/** Heap that the service has for everything, in MB. */
const HEAP_MB = 128;

/** Readers that never read, and turns whose entries they should have read. */
const READERS = 40;
const TURNS = 80;

/** Turns while the readers are there. */
const LATE_TURNS = 10;

/** Characters of each answer; each turn has two: 10 MB of entries, more than the sockets of a reader hold. */
const ANSWER_CHARS = 60_000;

/** Far above the few seconds that it takes, for a machine that does other things meanwhile. */
const RUN_MS_MAX = 600_000;

it('event readers that never read cost next to nothing: 40 that are behind by 10 MB each fit into 128 MB', {
  timeout: RUN_MS_MAX,
}, async () => {
  const long = 'long '.repeat(ANSWER_CHARS / 5);
  const model = await startMessagesServer({ plan: plan(), thought: done(long), replan: answer(long) });
  onTestFinished(() => model.close());
  const serve = await startServe({
    env: { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url },
    node: [`--max-old-space-size=${HEAP_MB}`],
  });
  const say = async (): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ input: 'Tell me a story' }) };
    return (await fetch(`${serve.url}/v1/sessions/s1/turns`, init)).status;
  };
  for (let i = 0; i < TURNS; i++) expect(await say()).toBe(200);
  const port = Number(new URL(serve.url).port);
  for (let i = 0; i < READERS; i++) {
    const socket = await dial(port, 'GET /v1/sessions/s1/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.pause();
    onTestFinished(() => void socket.destroy());
  }
  // Each of these wakes all readers, and waits behind what they were given.
  for (let i = 0; i < LATE_TURNS; i++) expect(await say()).toBe(200);
  const session = (await (await fetch(`${serve.url}/v1/sessions/s1`)).json()) as SessionView;
  expect(session.last_seq).toBe((TURNS + LATE_TURNS) * 4);
});
