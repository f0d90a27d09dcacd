import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { decodeAction, editOf, encodeAction } from '../../examples/chat-bot/buttons.ts';
import { ConfigError, readConfig } from '../../examples/chat-bot/config.ts';
import { openInbox } from '../../examples/chat-bot/inbox.ts';
import { pause } from '../../examples/chat-bot/retry.ts';
import { sessionName, userOf } from '../../examples/chat-bot/session-name.ts';
import { listenForWebhooks } from '../../examples/chat-bot/webhooks.ts';
import { ask } from '../support/http/send-request.ts';

const faultsOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

describe('the configuration of the chat bot', () => {
  it.each([
    [{}, 'No platform is set'],
    [{ TELEGRAM_WEBHOOK_URL: 'https://bot.example.com' }, 'TELEGRAM_BOT_TOKEN is missing'],
    [
      { TELEGRAM_BOT_TOKEN: '1:x', TELEGRAM_WEBHOOK_URL: 'https://x.example' },
      'TELEGRAM_WEBHOOK_SECRET_TOKEN is missing',
    ],
    [
      { TELEGRAM_BOT_TOKEN: '1:x', TELEGRAM_WEBHOOK_SECRET_TOKEN: 'with blank' },
      'TELEGRAM_WEBHOOK_SECRET_TOKEN must be',
    ],
    [{ SLACK_BOT_TOKEN: 'xoxb' }, 'SLACK_SIGNING_SECRET or SLACK_APP_TOKEN is missing'],
    [{ SLACK_SIGNING_SECRET: 'x' }, 'SLACK_BOT_TOKEN is missing'],
    [{ LARK_APP_ID: 'cli_0123456789abcdef' }, 'LARK_APP_SECRET is missing'],
    [{ LARK_APP_ID: 'cli_1', LARK_APP_SECRET: 'x' }, 'LARK_APP_ID is "cli_1"'],
    [{ TELEGRAM_BOT_TOKEN: '1:x', TRIPACT_URL: 'localhost' }, 'TRIPACT_URL is "localhost"'],
    [{ TELEGRAM_BOT_TOKEN: '1:x', BOT_PORT: 'many' }, 'BOT_PORT is "many"'],
  ])('%j is refused by name', (env, fault) => {
    expect(faultsOf(env as Record<string, string>)).toContain(fault);
  });

  it('turns on what has its tokens, and nothing else', () => {
    const { telegram, slack, feishu } = readConfig({
      TELEGRAM_BOT_TOKEN: '1:x',
      SLACK_APP_TOKEN: 'a',
      SLACK_BOT_TOKEN: 'b',
    });
    expect(telegram).toMatchObject({ token: '1:x', webhook: null });
    expect(slack).toMatchObject({ token: 'b', appToken: 'a', signingSecret: null });
    expect(feishu).toBeNull();
  });
});

describe('a button', () => {
  it('says what it said, in the 64 bytes that Telegram keeps', () => {
    const turn = 'turn_0mwrsazvfvcud1g29ze17m2ew0';
    for (const action of [
      { kind: 'answer', turn, option: 9 },
      { kind: 'continue', turn },
      { kind: 'stop', turn },
    ] as const) {
      const text = encodeAction(action);
      expect(decodeAction(text)).toEqual(action);
      expect(JSON.stringify({ a: 't', v: text }).length + 'chat:'.length).toBeLessThanOrEqual(64);
    }
  });

  it.each(['', 'a:turn_1', 'c:turn_1:2', 'a:turn_1:x', 'a:../x:1', 'x:turn_1'])(
    'that says “%s” says nothing',
    (text) => {
      expect(decodeAction(text)).toBeNull();
    },
  );
});

it('an edited input is distinguished from an answer', () => {
  expect(editOf('/edit add tea\nnow')).toBe('add tea\nnow');
  expect(editOf('Edit: x')).toBe('x');
  expect(editOf('改为 买茶')).toBe('买茶');
  for (const text of ['yes', 'edit', 'edit the list', 'Please edit: x']) expect(editOf(text)).toBeNull();
});

it('a conversation has its own session, with a name that Tripact accepts', () => {
  const names = [
    'telegram:1',
    'telegram:-1',
    'telegram:1:1',
    'slack:C1:1.2',
    'slack:C1:',
    `lark:oc_${'a'.repeat(32)}:om_${'b'.repeat(32)}`,
  ];
  const sessions = names.map(sessionName);
  expect(new Set(sessions).size).toBe(names.length);
  for (const session of sessions) expect(session).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});

it.each([
  ['telegram:1', 'telegram:1'],
  ['telegram:-1:7', 'telegram:-1'],
  ['slack:D1:1.2', 'slack:D1'],
  ['slack:C1', 'slack:C1'],
  ['lark:oc_1:om_2', 'lark:oc_1'],
  ['dingtalk:1:YQ', 'dingtalk:1:YQ'],
])('a conversation in %s is of the user %s', (thread, user) => {
  expect(userOf(thread)).toBe(user);
});

it('the address for webhooks answers any other path with 404', async () => {
  const { server, url } = await listenForWebhooks(
    { slack: async (request) => new Response(await request.text()) },
    { host: '127.0.0.1', port: 0 },
  );
  const port = Number(new URL(url).port);
  expect((await ask(port, '//')).status).toBe(404);
  expect((await ask(port, '/slack?a=%zz', { method: 'POST', body: 'said' })).text).toBe('said');
  server.close();
  server.closeAllConnections();
});

describe('a bot that runs for long', () => {
  const DAY_MS = 24 * 60 * 60 * 1_000;

  afterEach(() => void vi.useRealTimers());

  it('forgets messages that no platform delivers again, without a restart', () => {
    vi.useFakeTimers();
    const folder = mkdtempSync(join(tmpdir(), 'tripact-inbox-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const inbox = openInbox(folder);
    onTestFinished(() => inbox.end());
    for (const key of ['old', 'new'])
      inbox.add({ key, platform: 'telegram', thread: 't', session: 's', request: { input: 'hi' } });
    const db = new DatabaseSync(join(folder, 'chat-bot.db'));
    onTestFinished(() => db.close());
    db.exec("UPDATE entries SET at = datetime('now', '-8 days') WHERE key = 'old'");
    vi.advanceTimersByTime(DAY_MS);
    expect(db.prepare('SELECT key FROM entries').all()).toEqual([{ key: 'new' }]);
    // A database that fails for a moment does not end the bot.
    db.exec('ALTER TABLE entries RENAME TO away');
    expect(() => vi.advanceTimersByTime(DAY_MS)).not.toThrow();
  });

  it('waits a day where a platform asks for more than a timer takes', async () => {
    vi.useFakeTimers();
    let isOver = false;
    void pause(40 * DAY_MS, new AbortController().signal).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(DAY_MS - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  });
});
