import type { Dispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import { createAnthropicClient } from '../../src/models/anthropic/client.ts';
import { CONTENT_BLOCKS_MAX, checkBlocks } from '../../src/models/anthropic/content-blocks.ts';
import { readMessage } from '../../src/models/anthropic/read-message.ts';
import { ERROR_BYTES_READ } from '../../src/models/http/limits.ts';
import { NoAnswer } from '../../src/models/http/no-answer.ts';
import { BRACKETS_MAX, JSON_CHARS_MAX, parseBody } from '../../src/models/http/parse-body.ts';
import { Receiver } from '../../src/models/http/receiver.ts';
import { BLOCKED_MS_MAX, blockedFor } from '../expressions/blocked-for.ts';

const client = createAnthropicClient({});
const message = (content: unknown): string => JSON.stringify({ content, stop_reason: 'end_turn' });
const text = (said: string) => ({ type: 'text', text: said });

/** Bodies that would block the event loop for a second if they were parsed and checked as they come. */
const hostileBodies: [name: string, body: string][] = [
  ['7 MB of open brackets', '['.repeat(7_000_000)],
  ['7 MB of lists in lists', `${'['.repeat(3_500_000)}${']'.repeat(3_500_000)}`],
  ['1 MB of objects in objects', '{"a":'.repeat(JSON_CHARS_MAX / 5)],
  [
    'lists in lists in a block',
    message([{ type: 'text', x: JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) }]).replace(
      '[[',
      '['.repeat(900_000),
    ),
  ],
  ['200,000 content blocks', message(Array(200_000).fill(text('a')))],
  ['as many blocks as brackets are let through', message(Array(BRACKETS_MAX - 10).fill(text('a')))],
  ['blocks that are none', message(Array(400_000).fill(5))],
  [
    'many keys in a block',
    `{"content":[{"type":"text",${Array.from({ length: 80_000 }, (_, i) => `"a${i}":1`).join(',')}}]}`,
  ],
  ['empty objects', `[${'{},'.repeat(300_000)}{}]`],
];

describe('a body of', () => {
  test.each(hostileBodies)('%s is refused or parsed within 50 ms', (_name, body) => {
    const ms = blockedFor(() => {
      try {
        checkBlocks(parseBody(body));
      } catch (error) {
        expect(error).toBeInstanceOf(NoAnswer);
      }
    });
    expect(ms).toBeLessThan(BLOCKED_MS_MAX);
  });
});

test('a body of chunks of one byte is received some in each turn of the event loop, and gathered', async () => {
  const given = Promise.withResolvers<Response>();
  const receiver = new Receiver({ idleMs: 10_000, signal: null, ...given });
  let isPaused = false;
  let pauses = 0;
  const controller = {
    pause: () => {
      isPaused = true;
      pauses += 1;
    },
    resume: () => {
      isPaused = false;
    },
    abort: (error: Error) => given.reject(error),
  } as unknown as Dispatcher.DispatchController;
  receiver.onRequestStart(controller);
  receiver.onResponseStart(controller, 200, {});
  for (let i = 0; i < 10_000; i += 1) {
    if (isPaused) await new Promise(setImmediate);
    receiver.onResponseData(controller, Buffer.from(String(i % 10)));
  }
  receiver.onResponseEnd();
  expect(await (await given.promise).text()).toBe('0123456789'.repeat(1_000));
  expect(pauses).toBeGreaterThan(30);
});

test('a thousand responses that end at once are handed on some in each turn of the event loop', async () => {
  let received = 0;
  const all = Array.from({ length: 1_000 }, () => {
    const given = Promise.withResolvers<Response>();
    const receiver = new Receiver({ idleMs: 10_000, signal: null, ...given });
    receiver.onResponseStart({} as Dispatcher.DispatchController, 200, {});
    receiver.onResponseData({} as Dispatcher.DispatchController, Buffer.from('{}'));
    return { receiver, response: given.promise.then(() => (received += 1)) };
  });
  for (const { receiver } of all) receiver.onResponseEnd();
  await new Promise(setImmediate);
  expect(received).toBeLessThan(100);
  await Promise.all(all.map(({ response }) => response));
  expect(received).toBe(1_000);
});

test('of an error of megabytes the first part is read, whatever its type, so that no SDK parses more', async () => {
  const given = Promise.withResolvers<Response>();
  const receiver = new Receiver({ idleMs: 10_000, signal: null, ...given });
  receiver.onResponseStart({} as Dispatcher.DispatchController, 400, { 'content-type': 'text/event-stream' });
  receiver.onResponseData({} as Dispatcher.DispatchController, Buffer.from('[\n\n'.repeat(1_000_000)));
  receiver.onResponseEnd();
  expect(await (await given.promise).text()).toHaveLength(ERROR_BYTES_READ);
});

describe('a message', () => {
  test('of as many blocks as may be is read whole', async () => {
    const body = message(Array(CONTENT_BLOCKS_MAX).fill(text('ab')));
    const reply = await readMessage(new Response(body), client);
    expect(reply).toMatchObject({ text: 'ab'.repeat(CONTENT_BLOCKS_MAX), fault: 'none' });
  });

  test('of more blocks is no answer, in a stream too', async () => {
    const blocks = Array(CONTENT_BLOCKS_MAX + 1).fill(text('a'));
    await expect(readMessage(new Response(message(blocks)), client)).rejects.toThrow(/content blocks/);
    const events = blocks.map((content_block, index) =>
      JSON.stringify({ type: 'content_block_start', index, content_block }),
    );
    const stream = events.map((data) => `event: content_block_start\ndata: ${data}\n\n`).join('');
    const response = new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
    await expect(readMessage(response, client)).rejects.toThrow(/content blocks/);
  });

  test('with more text than a body may have is no answer in a stream either', async () => {
    const start = { type: 'content_block_start', index: 0, content_block: text('') };
    const delta = { type: 'content_block_delta', index: 0, delta: { text: 'x'.repeat(60_000) } };
    const events = [start, ...Array(JSON_CHARS_MAX / 60_000 + 1).fill(delta), { type: 'message_stop' }];
    const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    const response = new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
    await expect(readMessage(response, client)).rejects.toThrow(/longer than/);
  });

  test('that is an answer of 64,000 characters of code is read', async () => {
    const code = 'a[{x}] = {};\n'.repeat(5_000);
    expect((await readMessage(new Response(message([text(code)])), client)).text).toBe(code);
  });
});
