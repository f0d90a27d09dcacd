import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** First port above the privileged ones, and below those that systems assign on request. */
const FIRST_PORT = 20_000;
const PORTS = 6_000;

const listenAt = (port: number): Promise<Server | null> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

/** A free port of loopback. No connection and no other test gets it, even before it is used. */
export const freePort = async (): Promise<number> => {
  const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
  // Held while this process lives: it shows others that the port is taken.
  const claim = await listenAt(port + PORTS);
  const server = claim && (await listenAt(port));
  if (server === null) {
    claim?.close();
    return freePort();
  }
  claim?.unref();
  server.close();
  await once(server, 'close');
  return port;
};
