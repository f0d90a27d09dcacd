import { once } from 'node:events';
import { expect, it } from 'vitest';
import { startHttpOn } from '../support/http/http-app.ts';
import { dial, untilHangup } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';

/** Longest block that is let pass, in milliseconds: 50, and what the caller in the same process takes. */
const BLOCKED_MS_MAX = 80;

const head = (path: string, type: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

const END = '0\r\n\r\n';

/** A body of many chunks, in parts that are sent one after the other. */
it.each([
  ['a trace of one-byte chunks', head('/v1/replay', 'application/x-ndjson'), chunk(' ').repeat(20_000), 25, /no entry/],
  ['a trace of empty lines', head('/v1/replay', 'application/x-ndjson'), chunk('\n'.repeat(100_000)), 20, /no entry/],
  [
    'JSON of one-byte chunks',
    head('/v1/sessions/s1/turns', 'application/json'),
    chunk(' ').repeat(20_000),
    5,
    /HTTP\/1\.1 4/,
  ],
])('%s is read over many turns of the event loop', MEASURED_AGAIN, async (_, start, part, parts, reply) => {
  const { port } = await startHttpOn(stubEngine({}));
  const socket = await dial(port, start);
  const blockedMs = await longestBlock(async () => {
    const answered = untilHangup(socket);
    for (let i = 0; i < parts; i += 1) if (!socket.write(part)) await once(socket, 'drain');
    socket.write(END);
    expect(await answered).toMatch(reply);
  });
  expect(blockedMs).toBeLessThan(BLOCKED_MS_MAX);
});
