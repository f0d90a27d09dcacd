import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';

/** A server that a peer needs, started for one measurement on loopback with its own folder. */
export interface Server {
  /** The server's address, as environment variables of the measuring process. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/** How long a server gets to start, and the pause between two polls, in milliseconds. */
const UP_MS = 30_000;
const LOOK_MS = 50;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A currently free port on loopback. */
export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no free port');
  return address.port;
};

/** True if something listens on a port of loopback. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

/** Waits until a server is up. Throws with its name if it takes too long. */
export const untilUp = async (name: string, isUp: () => Promise<boolean>): Promise<void> => {
  const end = Date.now() + UP_MS;
  while (!(await isUp())) {
    if (Date.now() > end) throw new Error(`${name} did not come up`);
    await pause(LOOK_MS);
  }
};
