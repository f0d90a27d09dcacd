import { once } from 'node:events';
import { createServer } from 'node:net';

/** First port above those of privileged services, and below those that systems give to whoever asks for any port. */
const FIRST_PORT = 20_000;
const PORTS = 12_000;

/** A port of loopback that nobody listens at; also while it is not taken yet, no connection of another process gets it. */
export const freePort = async (): Promise<number> => {
  const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return freePort();
  server.close();
  await once(server, 'close');
  return port;
};
