import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';

/** A server that a peer needs, started for one measurement on loopback and with a folder of its own. */
export interface Server {
  /** A server, as the measuring process knows it. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** How long a server gets to start, and how long between two polls, in milliseconds. */
const UP_MS = 30_000;
const LOOK_MS = 50;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A port of loopback that is free at this moment. */
export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no free port');
  return address.port;
};

/** True when something listens on a port of loopback. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

/** Waits until a server is up; throws, by name, when it takes too long. */
export const untilUp = async (name: string, isUp: () => Promise<boolean>): Promise<void> => {
  const end = Date.now() + UP_MS;
  while (!(await isUp())) {
    if (Date.now() > end) throw new Error(`${name} did not come up`);
    await pause(LOOK_MS);
  }
};
