import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { SessionView } from '../../contracts/http.ts';
import { createClient } from '../../src/cli/client.ts';

/** A client of something that answers as this does. */
const clientOf = async (answer: (response: ServerResponse) => void) => {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const restore = (lost: Error) => Promise.reject(lost);
  return createClient({ base: () => base, key: () => null, restore }, null);
};

it.each([
  ['is no JSON', (response: ServerResponse) => void response.end('\u001b[2J<html>')],
  ['is something else', (response: ServerResponse) => void response.end('{"sessions":7}')],
])('a reply that %s is refused in one line', async (_, answer) => {
  const { page } = await clientOf(answer);
  await expect(page('sessions', {}, SessionView)).rejects.toMatchObject({
    name: 'CommandFailure',
    message: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ answered with something else: [^\n]*$/),
  });
});
