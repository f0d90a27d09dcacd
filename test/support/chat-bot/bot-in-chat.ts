import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import { tellStory } from '../front-ends/story.ts';
import { type BotProcess, botProcess } from './bot-process.ts';
import { type ChatWindow, chatFrontEnd } from './chat-window.ts';
import { installBot } from './installed.ts';

/**
 * An address that stays while the service behind it changes, as set by `to`. Forwards calls, and cuts the connection if
 * nothing answers, like a proxy in front of a stopped service.
 */
const startForward = async () => {
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
    to: (next: () => string): void => {
      target = next;
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** A running bot for the tests of a file. */
export interface BotInChat<Api> {
  readonly api: Api;
  readonly bot: BotProcess;
  /** The address that the bot knows Tripact by. */
  readonly tripact: Awaited<ReturnType<typeof startForward>>;
  /** Where the bot is called. */
  readonly url: string;
  restart(): Promise<void>;
  /**
   * Kills the bot and restarts it once it has recorded that all its replies were sent: a crash before that may post one
   * twice.
   */
  restartSettled(): Promise<void>;
}

/** Starts one bot for a file's tests, on its own platform. */
export const botInChat = <Api extends { url: string; close(): Promise<void> }>(
  startApi: () => Promise<Api>,
  envOf: (api: Api) => Record<string, string>,
): BotInChat<Api> => {
  const parts = {} as { api: Api; bot: BotProcess; tripact: Awaited<ReturnType<typeof startForward>>; url: string };
  const restart = async (): Promise<void> => {
    parts.bot.kill();
    parts.url = (await parts.bot.start()) ?? '';
  };
  const restartSettled = async (): Promise<void> => {
    await expect.poll(() => parts.bot.noted('SELECT key FROM entries WHERE is_open = 1')).toEqual([]);
    await restart();
  };
  beforeAll(async () => {
    await installBot();
    const [api, tripact] = await Promise.all([startApi(), startForward()]);
    const bot = botProcess(() => ({ TRIPACT_URL: tripact.url, ...envOf(api) }));
    Object.assign(parts, { api, tripact, bot, url: (await bot.start()) ?? '' });
  }, 300_000);
  afterAll(async () => {
    await parts.bot?.close();
    await Promise.all([parts.api?.close(), parts.tripact?.close()]);
  });
  return Object.defineProperties({ restart, restartSettled } as BotInChat<Api>, {
    api: { get: () => parts.api },
    bot: { get: () => parts.bot },
    tripact: { get: () => parts.tripact },
    url: { get: () => parts.url },
  });
};

/** Runs the story of all front ends in one of the bot's chats. */
export const tellStoryInChat = <Api>(
  name: string,
  chat: BotInChat<Api>,
  open: () => ChatWindow,
  { isByText = false } = {},
): void =>
  tellStory(
    name,
    'chat_bot',
    chatFrontEnd(open, {
      connect: (url) => chat.tripact.to(url),
      crash: () => chat.bot.kill(),
      restart: chat.restart,
      isByText,
    }),
    false,
  );
