import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createCrowdSlices, createLoopSlices } from '../../src/event-loop/loop-slices.ts';
import { paceConnections } from '../../src/http/paced-connections.ts';

const CONNECTIONS = 200;

const busy = (ms: number): void => {
  for (const from = performance.now(); performance.now() - from < ms; );
};

it('takes connections that come in at once before work that waits, which goes on all the same', async () => {
  const server = createServer((_, response) => response.end());
  paceConnections({ server } as never);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const [slices, inSlices] = [createLoopSlices(), createCrowdSlices(4)];
  let done = 0;
  let isOver = false;
  /** Work that comes up as long as it is done: what a busy service does. */
  const work = async (): Promise<void> => {
    while (!isOver) {
      await slices.next();
      busy(5);
      done += 1;
      await new Promise<void>((goOn) => inSlices(goOn));
      busy(5);
      done += 1;
    }
  };
  const working = Promise.all(Array.from({ length: 8 }, work));
  const answered = Array.from({ length: CONNECTIONS }, async () => {
    const [response] = await once(request({ port, host: '127.0.0.1', agent: false }).end(), 'response');
    response.resume();
  });
  await Promise.all(answered);
  const doneMeanwhile = done;
  isOver = true;
  await working;
  expect(doneMeanwhile).toBeGreaterThan(0);
  expect(doneMeanwhile).toBeLessThan(CONNECTIONS);
});
