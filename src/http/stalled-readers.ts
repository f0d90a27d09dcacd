import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Checks per stall timeout: more of them only make the cut more punctual. */
const CHECKS_PER_STALL = 4;

/** What a connection's peer had taken when it was last found to have taken something. */
interface Taken {
  bytes: number;
  /** When that was, on the monotonic clock, in milliseconds. */
  at: number;
}

/**
 * Hangs up on a caller that takes nothing of its reply for `stallMs`, whatever the reply is. One that is slow, or that waits for a
 * reply with nothing to take yet, is never cut.
 */
export const cutStalledReaders = (app: FastifyInstance, stallMs: number): void => {
  const connections = new Map<Socket, Taken>();
  const check = (): void => {
    const now = performance.now();
    for (const [socket, taken] of connections) {
      const bytes = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || bytes !== taken.bytes) connections.set(socket, { bytes, at: now });
      else if (now - taken.at >= stallMs) socket.destroy();
    }
  };
  const timer = setInterval(check, stallMs / CHECKS_PER_STALL).unref();
  app.server.on('connection', (socket: Socket) => {
    connections.set(socket, { bytes: 0, at: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });
  app.addHook('onClose', async () => clearInterval(timer));
};
