import { afterAll, beforeAll, expect } from 'vitest';
import { tellStory } from '../front-ends/story.ts';
import { type BotProcess, botProcess } from './bot-process.ts';
import { type ChatWindow, chatFrontEnd } from './chat-window.ts';
import { type Forward, startForward } from './forward.ts';
import { installBot } from './installed.ts';

/** A bot that runs for the tests of a file. */
export interface BotInChat<Api> {
  readonly api: Api;
  readonly bot: BotProcess;
  /** The address that the bot knows Tripact by. */
  readonly tripact: Forward;
  /** Where the bot is called. */
  readonly url: string;
  restart(): Promise<void>;
  /** Kills the bot and starts it again once it has noted that all its replies are out: a crash before may post one twice. */
  restartSettled(): Promise<void>;
}

/** Starts one bot for a file's tests, against a platform of its own. */
export const botInChat = <Api extends { url: string; close(): Promise<void> }>(
  startApi: () => Promise<Api>,
  envOf: (api: Api) => Record<string, string>,
): BotInChat<Api> => {
  const parts = {} as { api: Api; bot: BotProcess; tripact: Forward; url: string };
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

/** Plays the story that all front ends show in one of the bot's chats. */
export const tellStoryInChat = <Api>(
  name: string,
  chat: BotInChat<Api>,
  open: () => ChatWindow,
  { isByText = false } = {},
): void =>
  tellStory(
    name,
    chatFrontEnd(open, {
      connect: (url) => chat.tripact.to(url),
      crash: () => chat.bot.kill(),
      restart: chat.restart,
      isByText,
    }),
  );
