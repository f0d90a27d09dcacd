import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** A server behind a load balancer: its port, and whether it is healthy. */
export interface Behind {
  port: number;
  isWell(): Promise<boolean>;
}

/** Starts a load balancer for connections: each goes to the next healthy server. */
export const startBalancer = async (servers: readonly Behind[]): Promise<{ url: string; close(): Promise<void> }> => {
  const open = new Set<Socket>();
  let next = 0;
  const wellOne = async (): Promise<Behind | undefined> => {
    for (let tried = 0; tried < servers.length; tried += 1) {
      const server = servers[next % servers.length]!;
      next += 1;
      if (await server.isWell()) return server;
    }
    return undefined;
  };
  const balancer = createServer(async (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => {});
    const server = await wellOne();
    if (server === undefined) {
      socket.destroy();
      return;
    }
    const there = connect(server.port, '127.0.0.1');
    pipeline(socket, there, socket, () => {});
  });
  await once(balancer.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of open) socket.destroy();
      balancer.close();
      await once(balancer, 'close');
    },
  };
};
