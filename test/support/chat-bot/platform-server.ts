import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { BOT } from './installed.ts';
import { createScreen, type Screen } from './screen.ts';

/** The used part of the package `ws`. */
interface Socket {
  on(event: 'message', listener: (data: Uint8Array) => void): void;
  send(data: Uint8Array | string): void;
  readonly readyState: number;
}
interface SocketServer {
  on(event: 'connection', listener: (socket: Socket) => void): void;
  close(): void;
}

/** Loads one of the bot's packages, so that a fake uses the same protocol code. Only works once they are installed. */
export const loadOfBot = (name: string): unknown => createRequire(join(BOT, 'package.json'))(name);

/** Status and body of a reply: JSON, or the bytes of a file. */
export type PlatformReply = [status: number, body: object | Buffer];

/** The header by which the form in a body is read. */
export const contentTypeOf = ({ headers }: IncomingMessage): Record<string, string> => ({
  'content-type': headers['content-type'] ?? '',
});

/** A fake chat platform: an HTTP server, and the screens of its chats. */
export interface PlatformServer {
  readonly url: string;
  /** A chat's screen, by its name. */
  screen(chat: string): Screen;
  close(): Promise<void>;
}

/** Starts it. `answer` returns the reply to a request, `refuse` the reply if that throws. */
export const startPlatform = async (
  answer: (request: IncomingMessage) => Promise<PlatformReply>,
  refuse: (reason: string) => PlatformReply,
) => {
  const screens = new Map<string, Screen>();
  const closing: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const [status, body] = await answer(request).catch((error: Error) => refuse(error.message));
    const [type, sent] = Buffer.isBuffer(body)
      ? ['application/octet-stream', body]
      : ['application/json', JSON.stringify(body)];
    response.writeHead(status, { 'content-type': type }).end(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const platform: PlatformServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    screen: (chat) => {
      const known = screens.get(chat) ?? createScreen();
      screens.set(chat, known);
      return known;
    },
    close: async () => {
      for (const close of closing) close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  /**
   * Accepts the single connection that a bot keeps open, and sends `greeting` first. Returns the function that sends a
   * frame over it and resolves when the bot has acknowledged it; `idOf` reads which one was acknowledged.
   */
  const takeSocket = (idOf: (data: Uint8Array) => string | undefined, greeting: string | null = null) => {
    const { WebSocketServer } = loadOfBot('ws') as { WebSocketServer: new (options: object) => SocketServer };
    const sockets = new WebSocketServer({ server });
    const taken = new Map<string, () => void>();
    let socket: Socket | null = null;
    let connected: (() => void)[] = [];
    sockets.on('connection', (opened) => {
      socket = opened;
      opened.on('message', (data) => taken.get(idOf(data) ?? '')?.());
      if (greeting !== null) opened.send(greeting);
      for (const resolve of connected.splice(0)) resolve();
    });
    closing.push(() => {
      connected = [];
      sockets.close();
    });
    return async (id: string, frame: Uint8Array | string): Promise<void> => {
      if (socket?.readyState !== 1) await new Promise<void>((resolve) => void connected.push(resolve));
      const done = new Promise<void>((resolve) => void taken.set(id, resolve));
      socket!.send(frame);
      await done;
    };
  };
  return { ...platform, takeSocket };
};
