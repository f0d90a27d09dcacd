import { MemoryStateAdapter } from '@chat-adapter/state-memory';
import { type Adapter, Chat, ConsoleLogger, type Message, type Thread } from 'chat';
import type { BotConfig } from './config.ts';
import { type Inbox, openInbox } from './inbox.ts';
import type { ChatPlatform } from './platforms/chat-platform.ts';
import type { DingTalkMessage } from './platforms/dingtalk.ts';
import type { Platform } from './platforms/platform.ts';
import { createRelay } from './relay.ts';
import { sessionName } from './session-name.ts';
import { inBothLanguages, textsFor } from './texts.ts';
import { createTripact } from './tripact.ts';
import { listenForWebhooks, type Webhook } from './webhooks.ts';

/** A bot that runs. */
export interface Bot {
  /** The platforms that are on. */
  platforms: string[];
  /** Where platforms call it; null where none does. */
  url: string | null;
  stop(): Promise<void>;
}

/** Longest time of a timer, in milliseconds: Node's own limit. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** State of the chat package. Of it only the threads that the bot takes part in outlive a restart; the inbox has the rest. */
class BotState extends MemoryStateAdapter {
  readonly #inbox: Inbox;

  constructor(inbox: Inbox) {
    super();
    this.#inbox = inbox;
  }

  override async subscribe(thread: string): Promise<void> {
    this.#inbox.subscribe(thread);
  }

  override async unsubscribe(thread: string): Promise<void> {
    this.#inbox.unsubscribe(thread);
  }

  override async isSubscribed(thread: string): Promise<boolean> {
    return this.#inbox.isSubscribed(thread);
  }

  override async set<T>(key: string, value: T, ttlMs?: number): Promise<void> {
    await super.set(key, value, ttlMs);
    this.#forget(key, ttlMs);
  }

  override async setIfNotExists(key: string, value: unknown, ttlMs?: number): Promise<boolean> {
    const isSet = await super.setIfNotExists(key, value, ttlMs);
    if (isSet) this.#forget(key, ttlMs);
    return isSet;
  }

  /** The package drops what has expired only when it is read again, which most of it never is. */
  #forget(key: string, ttlMs = 0): void {
    if (ttlMs > 0) setTimeout(() => void this.get(key), Math.min(ttlMs + 1, TIMER_MS_MAX)).unref();
  }
}

/** Loads the platforms that are on; none of the others' packages. */
const platformsOf = async ({ telegram, slack, feishu }: BotConfig): Promise<ChatPlatform[]> => [
  ...(telegram === null ? [] : [(await import('./platforms/telegram.ts')).createTelegram(telegram)]),
  ...(slack === null ? [] : [(await import('./platforms/slack.ts')).createSlack(slack)]),
  ...(feishu === null ? [] : [(await import('./platforms/feishu.ts')).createFeishu(feishu)]),
];

/** The words behind the mention that called the bot. */
const withoutMention = (text: string): string => text.replace(/^\s*@\S+[\s,:，：]*/, '');

/** Starts the bot: all its platforms, and what an earlier run left open. Throws where a platform refuses it. */
export const startBot = async (config: BotConfig, log: (text: string) => void): Promise<Bot> => {
  const platforms = await platformsOf(config);
  const inbox = openInbox(config.dataDir);
  const dingtalk =
    config.dingtalk === null ? null : (await import('./platforms/dingtalk.ts')).createDingTalk(config.dingtalk);
  const all: Platform[] = [...platforms, ...(dingtalk === null ? [] : [dingtalk])];
  const relay = createRelay(createTripact(config.tripact), inbox, all, log);
  const platformOf = (adapter: Adapter): ChatPlatform => platforms.find(({ name }) => name === adapter.name)!;

  /** Whether a user may use the bot; one who may not gets a reply that says so. */
  const mayUse = async (platform: Platform, thread: string, user: string): Promise<boolean> => {
    const name = `${platform.name}:${user}`;
    if (config.allowed === null || config.allowed.has(name)) return true;
    await platform
      .tell(
        thread,
        user,
        inBothLanguages((texts) => texts.not_allowed(name)),
      )
      .catch(() => {});
    return false;
  };

  const receive = async (thread: Thread, message: Message): Promise<void> => {
    // Two bots would talk for ever.
    if (message.author.isBot === true) return;
    const platform = platformOf(thread.adapter);
    if (!(await mayUse(platform, thread.id, message.author.userId))) return;
    const said = platform.textOf(message);
    const text = (thread.isDM ? said : withoutMention(said)).trim();
    const { files, hasOthers } = platform.filesOf(message);
    if (text === '' && files.length === 0)
      return platform.tell(
        thread.id,
        message.author.userId,
        inBothLanguages(({ unreadable }) => unreadable),
      );
    if (hasOthers) await platform.tell(thread.id, message.author.userId, textsFor(text).not_taken).catch(() => {});
    const channel = thread.adapter.channelIdFromThreadId(thread.id);
    // In Feishu each message of a direct chat begins a thread.
    const conversation = platform.name === 'lark' && thread.isDM ? `lark:${channel}` : thread.id;
    const key = `${platform.name}:${channel}:${message.id}`;
    await relay.receive({ key, platform, thread: thread.id, session: sessionName(conversation), text, files });
  };

  const chat = new Chat({
    userName: 'tripact',
    adapters: Object.fromEntries(platforms.map(({ name, adapter }) => [name, adapter])),
    state: new BotState(inbox),
    // Each message is only kept here; its order is the relay's.
    concurrency: 'concurrent',
    logger: new ConsoleLogger('warn'),
  });
  chat.onDirectMessage(receive);
  chat.onSubscribedMessage(receive);
  chat.onNewMention(async (thread, message) => {
    // A thread of Slack's is a conversation with the bot from then on; elsewhere it would be the whole group.
    if (thread.adapter.name === 'slack') await thread.subscribe();
    await receive(thread, message);
  });
  chat.onSlashCommand(async ({ adapter, channel, command, text, user, raw }) => {
    const platform = platformOf(adapter);
    if (!(await mayUse(platform, channel.id, user.userId))) return;
    const {
      message_id,
      chat: of,
      trigger_id,
      from,
    } = raw as { message_id?: number; chat?: { id: number }; trigger_id?: string; from?: { language_code?: string } };
    // What every user of Telegram sends first.
    if (command === '/start')
      return platform.tell(
        channel.id,
        user.userId,
        textsFor(/^zh/i.test(from?.language_code ?? '') ? '您好' : '').hello,
      );
    const id = of === undefined ? trigger_id : `${of.id}:${message_id}`;
    // For what Slack has no command of its own.
    const line = command === '/tripact' ? text : `${command} ${text}`;
    const [session, key] = [sessionName(channel.id), `${platform.name}:${channel.id}:${id}`];
    await relay.receive({ key, platform, thread: channel.id, session, text: line.trim() || '/help' });
  });
  chat.onAction(async ({ adapter, threadId: thread, messageId: message, user, value = '' }) => {
    const platform = platformOf(adapter);
    if (!(await mayUse(platform, thread, user.userId))) return;
    await relay.press({ platform, thread, message, user: { id: user.userId, name: user.fullName }, action: value });
  });

  const receiveDingTalk = async (platform: Platform, message: DingTalkMessage): Promise<void> => {
    const { id, thread, user, text, files, hasOthers } = message;
    if (!(await mayUse(platform, thread, user))) return;
    if (text === '' && files.length === 0)
      return platform.tell(
        thread,
        user,
        inBothLanguages(({ unreadable }) => unreadable),
      );
    if (hasOthers) await platform.tell(thread, user, textsFor(text).not_taken).catch(() => {});
    await relay.receive({ key: `dingtalk:${id}`, platform, thread, session: sessionName(thread), text, files });
  };

  const stop = async (): Promise<void> => {
    server?.close();
    server?.closeAllConnections();
    dingtalk?.disconnect();
    await chat.shutdown().catch(() => {});
    await relay.stop();
    inbox.end();
  };
  const called = [
    ...(config.telegram?.webhook == null ? [] : ['telegram']),
    ...(config.slack?.signingSecret == null ? [] : ['slack']),
  ];
  const webhooks = called.map((name): [string, Webhook] => [
    name,
    (request, options) => chat.webhooks[name]!(request, options),
  ]);
  const listening = webhooks.length === 0 ? null : await listenForWebhooks(Object.fromEntries(webhooks), config.listen);
  const server = listening?.server;
  try {
    await Promise.all(platforms.map((platform) => platform.check()));
    await chat.initialize();
    await dingtalk?.connect((message) => receiveDingTalk(dingtalk, message));
  } catch (error) {
    await stop();
    throw error;
  }
  relay.resume();
  return { platforms: all.map(({ name }) => name), url: listening?.url ?? null, stop };
};
