import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address that stays while the service behind it changes. */
export interface Forward {
  readonly url: string;
  /** Sends all calls from now on to this address. */
  to(target: () => string): void;
  close(): Promise<void>;
}

/** Hands calls on; breaks the connection off where nothing answers, as a proxy in front of a stopped service does. */
export const startForward = async (): Promise<Forward> => {
  let target = (): string => 'http://127.0.0.1:9';
  const server = createServer((incoming, reply) => {
    const { method, headers, url = '/' } = incoming;
    const call = request(new URL(url, target()), { method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
      answer.once('error', () => reply.destroy());
    });
    call.once('error', () => reply.destroy());
    reply.once('close', () => call.destroy());
    incoming.pipe(call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    to: (next) => {
      target = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
