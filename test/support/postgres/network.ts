import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The network between two processes: a port of loopback that leads to another one until a test cuts it. */
export interface Network {
  readonly port: number;
  /** Breaks all connections, and accepts no new one. */
  cut(): void;
  /** Lets nothing through in either direction, without any error. */
  silence(): void;
  /** Lets everything through again, including what was sent during a silence. */
  heal(): void;
  /** Leads new connections to another port. */
  leadTo(port: number): void;
  /** Breaks the next connection that would get an answer with this text, in place of that answer. */
  loseAnswer(text: string): void;
  close(): Promise<void>;
}

/** Starts a network to a port of loopback. */
export const startNetwork = async (to: number): Promise<Network> => {
  let state: 'open' | 'cut' | 'silent' = 'open';
  let target = to;
  let lost: string | null = null;
  const sockets = new Set<Socket>();
  const join = (from: Socket, into: Socket, isAnswer: boolean): void => {
    sockets.add(from);
    if (state === 'silent') from.pause();
    from.on('data', (piece: Buffer) => {
      if (isAnswer && lost !== null && piece.includes(lost)) {
        lost = null;
        into.destroy();
      } else into.write(piece);
    });
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      into.destroy();
    });
  };
  const server = createServer({ noDelay: true }, (near) => {
    if (state === 'cut') return near.resetAndDestroy();
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true });
    join(near, far, false);
    join(far, near, true);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    state = 'cut';
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    silence: () => {
      state = 'silent';
      for (const socket of sockets) socket.pause();
    },
    heal: () => {
      state = 'open';
      for (const socket of sockets) socket.resume();
    },
    leadTo: (port) => {
      target = port;
    },
    loseAnswer: (text) => {
      lost = text;
    },
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
};
