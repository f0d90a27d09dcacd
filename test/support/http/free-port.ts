import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** First port above those of privileged services, and below those that systems give to whoever asks for any port. */
const FIRST_PORT = 20_000;
const PORTS = 6_000;

const listenAt = (port: number): Promise<Server | null> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

/** A port of loopback that nobody listens at; also while it is not taken yet, no connection and no other test gets it. */
export const freePort = async (): Promise<number> => {
  const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
  // Held as long as this process lives: by it others see that the port is given away.
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
