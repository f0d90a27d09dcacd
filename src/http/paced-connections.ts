import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { connectionCame } from '../event-loop/connecting.ts';
import { createCrowdSlices } from '../event-loop/loop-slices.ts';

/** How the head of a request ends. */
const HEAD_END = Buffer.from('\r\n\r\n');

/** Heads of requests that are read at once: Node makes two objects for each, before anything here can tell it to wait. */
const HEADS_AT_ONCE = 32;

/** Bytes that are read at once of those that have more heads: the shortest request has 18, so they are a few hundred. */
const PIECE_BYTES = 4_096;

/** Requests whose heads are read in one turn of the event loop, of all connections; then those of a piece. */
const HEADS_A_TURN = 128;

/** Requests of one connection that may wait for their replies before what follows them is read. */
const UNANSWERED_MAX = 64;

/** Connections that are closed at once in one turn of the event loop where their callers leave, also while others come in: Node ends each with its requests, in up to 0.05 ms. */
const ENDS_A_TURN = 16;

/** A connection, as far as it is read. */
interface Connection {
  /** A request came in. */
  begun(): void;
  /** One of its requests was answered. */
  answered(): void;
}

const hasManyHeads = (chunk: Buffer): boolean => {
  if (chunk.length <= PIECE_BYTES) return false;
  let heads = 0;
  for (let at = chunk.indexOf(HEAD_END); at !== -1 && heads <= HEADS_AT_ONCE; at = chunk.indexOf(HEAD_END, at + 1))
    heads += 1;
  return heads > HEADS_AT_ONCE;
};

/** The first bytes of a chunk that are read at once: whole heads, where there are any. */
const pieceOf = (chunk: Buffer): Buffer => {
  if (chunk.length <= PIECE_BYTES) return chunk;
  const end = chunk.lastIndexOf(HEAD_END, PIECE_BYTES - HEAD_END.length);
  return chunk.subarray(0, end === -1 ? PIECE_BYTES : end + HEAD_END.length);
};

/**
 * Reads requests that a connection sends ahead a few in each turn of the event loop, and none while many of them wait for their replies: Node takes all
 * that a connection has sent, up to 2 MiB or 100,000 requests at once, and keeps what can't be served yet. What comes with few others is read as ever. Connections
 * whose callers leave at once are closed a few in each turn, too. Those that come in go before other work.
 */
export const paceConnections = (app: FastifyInstance): void => {
  const connections = new WeakMap<Socket, Connection>();
  const endInSlices = createCrowdSlices(ENDS_A_TURN, false);
  let headsInTurn = 0;
  const countHead = (): void => {
    if (headsInTurn === 0)
      setImmediate(() => {
        headsInTurn = 0;
      });
    headsInTurn += 1;
  };

  /** Has the connection closed a moment later where many callers leave at once, whether they say so or reset it. */
  const closeInSlices = (socket: Socket): void => {
    const endNow = socket.listeners('end');
    socket.removeAllListeners('end').on('end', () =>
      endInSlices(() => {
        for (const end of endNow) end.call(socket);
      }),
    );
    const destroy = socket.destroy.bind(socket);
    socket.destroy = (error) => {
      if ((error as NodeJS.ErrnoException | undefined)?.code === 'ECONNRESET') endInSlices(() => destroy(error));
      else destroy(error);
      return socket;
    };
  };

  const pace = (socket: Socket): Connection => {
    const readNow = socket.listeners('data') as ((chunk: Buffer) => void)[];
    const pause = socket.pause.bind(socket);
    const resume = socket.resume.bind(socket);
    const left: Buffer[] = [];
    let unanswered = 0;
    let isHeld = false;
    let isScheduled = false;

    const mayRead = (): boolean => unanswered < UNANSWERED_MAX && headsInTurn < HEADS_A_TURN;
    const schedule = (): void => {
      if (isScheduled || isHeld || unanswered >= UNANSWERED_MAX) return;
      isScheduled = true;
      setImmediate(readOn);
    };
    const readOn = (): void => {
      isScheduled = false;
      const [chunk] = left;
      if (chunk === undefined || socket.destroyed || isHeld) return;
      if (mayRead()) {
        const piece = pieceOf(chunk);
        if (piece.length === chunk.length) left.shift();
        else left[0] = chunk.subarray(piece.length);
        for (const read of readNow) read(piece);
      }
      if (left.length > 0) schedule();
      else if (!isHeld) resume();
    };
    // Node itself stops and starts the connection by what its replies and bodies take; it starts only once what was put off is read.
    socket.pause = () => {
      isHeld = true;
      return pause();
    };
    socket.resume = () => {
      isHeld = false;
      if (left.length === 0) return resume();
      schedule();
      return socket;
    };
    socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
      if (left.length === 0 && mayRead() && !hasManyHeads(chunk)) {
        for (const read of readNow) read(chunk);
        return;
      }
      left.push(chunk);
      pause();
      schedule();
    });
    return {
      begun: () => {
        unanswered += 1;
      },
      answered: () => {
        unanswered -= 1;
        if (left.length > 0) schedule();
      },
    };
  };

  app.server.on('connection', (socket: Socket) => {
    connectionCame();
    connections.set(socket, pace(socket));
    closeInSlices(socket);
  });
  app.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    countHead();
    connection.begun();
    response.once('close', connection.answered);
  });
};
