import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { createCrowdSlices } from './event-loop/loop-slices.ts';

/** Connections that are read or taken leave of at once in one turn of the event loop: undici takes up to 0.15 ms for each. */
const CONNECTIONS_A_TURN = 32;

/** Bytes that are parsed at once: where a head is too long, undici makes an error for each of its lines that it parses beyond. */
const PIECE_BYTES = 4_096;

const inSlices = createCrowdSlices(CONNECTIONS_A_TURN);

/** Events of a connection whose handling takes most of its time. */
type PacedEvent = 'readable' | 'end' | 'close';

/** Takes away from a connection the listeners of an event that are not among those `before`; gives what calls them. */
const takeListeners = (socket: Socket, event: PacedEvent, before: readonly unknown[]): (() => void) => {
  const own = (socket.listeners(event) as (() => void)[]).filter((listener) => !before.includes(listener));
  for (const listener of own) socket.off(event, listener);
  return () => {
    for (const listener of own) listener.call(socket);
  };
};

/**
 * Has `listen`, which is undici's, take what comes of a connection in a moment later where something comes of many at once. A connection that the server ended or
 * reset counts as ended at once, so that no request is sent on it; but an answer that came before is read first.
 */
const pace = (socket: Socket, listen: () => void): void => {
  const before = {
    readable: socket.listeners('readable'),
    end: socket.listeners('end'),
    close: socket.listeners('close'),
  };
  listen();
  const read = takeListeners(socket, 'readable', before.readable);
  const close = takeListeners(socket, 'close', before.close);
  takeListeners(socket, 'end', before.end);
  let isUnread = false;
  let isRefused = false;
  let endLater: (() => void) | null = null;
  const readSome = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    if (size !== undefined || socket.readableLength <= PIECE_BYTES) return readSome(size);
    return isRefused ? null : readSome(PIECE_BYTES);
  };
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    const isByServer = error === undefined || 'syscall' in error;
    if (isUnread && isByServer) endLater ??= () => destroy(error);
    else {
      isRefused ||= !isByServer;
      destroy(error);
    }
    return socket;
  };
  socket.on('readable', () => {
    // Of an end alone nothing is left to read.
    if (isUnread || socket.readableLength === 0) return;
    isUnread = true;
    inSlices(() => {
      isUnread = false;
      if (!socket.destroyed) read();
      endLater?.();
    });
  });
  socket.on('end', () => socket.destroy());
  socket.on('close', () => inSlices(close));
};

/** A connector of whose connections a few are read in each turn of the event loop. */
const paced =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...connected) => {
      if (connected[0] === null) pace(connected[1], () => callback(...connected));
      else callback(...connected);
    });

/**
 * Opens connections for undici, of which a few are read in each turn of the event loop, however many have something at once. For agents that are never destroyed: one
 * would wait for connections that are closed already, but not known to be.
 */
export const createPacedConnector = (options: buildConnector.BuildOptions = {}): buildConnector.connector =>
  paced(buildConnector({ ...options, allowH2: false }));

/**
 * Makes an agent of such connections, for servers that the operator chose. It follows `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` where `NODE_USE_ENV_PROXY` has
 * Node's own `fetch` do so.
 */
export const createPacedAgent = (options: Omit<Agent.Options, 'factory' | 'connect'> = {}): Dispatcher => {
  const direct = { ...options, allowH2: false };
  if (process.env['NODE_USE_ENV_PROXY'] !== '1') return new Agent({ ...direct, connect: createPacedConnector() });
  return new EnvHttpProxyAgent({
    ...direct,
    connect: buildConnector({ allowH2: false }),
    // Of each origin, and of the proxy: only here is it known how it is connected to.
    factory: (origin, { connect, ...given }: Pool.Options) =>
      new Pool(origin, { ...direct, ...given, connect: paced(connect as buildConnector.connector) }),
  });
};
