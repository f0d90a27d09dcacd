import { expect, it } from 'vitest';
import type { MessagesScript } from '../anthropic/messages.ts';
import { PNG } from '../service/sample-files.ts';
import { act, answer, ask, done, plan, type Service, startService } from '../service/service.ts';
import type { BotInChat } from './bot-in-chat.ts';
import { type ChatWindow, repliesIn, type Seen } from './chat-window.ts';

/** A model that does one item and answers with this. */
export const says = (...texts: string[]): MessagesScript =>
  texts.flatMap((text) => [plan('Do it'), done(), answer(text)]);

/** A model that asks which day, and then answers with this. */
export const asksDay = (text: string): MessagesScript => [
  plan('Choose a day'),
  { ...ask('Which day?'), options: ['Saturday', 'Sunday'] },
  answer(text),
];

/** Starts a service that the bot talks to until the test ends. */
export const serviceFor = async <Api>(
  chat: BotInChat<Api>,
  script: MessagesScript,
  env: Record<string, string> = {},
): Promise<Service> => {
  const service = await startService(script, env);
  chat.tripact.to(() => service.url);
  return service;
};

/** The nth reply, counted from 1, as soon as it is shown. */
export const reply = (window: ChatWindow, nth: number): Promise<Seen> =>
  window.until((seen) => repliesIn(seen)[nth - 1]);

/** The turns of a chat's session, oldest first. */
export const turnsOf = async (
  { get }: Service,
  { session }: ChatWindow,
): Promise<{ status: string; output: string }[]> =>
  (await get<{ turns: { status: string; output: string }[] }>(`/v1/sessions/${session}/turns`)).turns.toReversed();

/**
 * Tests that repeated deliveries of a platform are answered once, also after a restart of the bot. `send` delivers this
 * text with this id.
 */
export const answersOnce = <Api, Window extends ChatWindow>(
  chat: BotInChat<Api>,
  open: () => Window,
  send: (window: Window, text: string, id: number) => unknown,
): void =>
  it('answers once what is delivered again, also after a restart of the bot', async () => {
    const service = await serviceFor(chat, says('Done.', 'And that.'));
    const window = open();
    for (let i = 0; i < 2; i += 1) await send(window, 'Do this', 1);
    await reply(window, 1);
    await chat.restartSettled();
    await send(window, 'Do this', 1);
    await send(window, 'Do that', 2);
    expect((await reply(window, 2)).text).toContain('And that.');
    expect(await turnsOf(service, window)).toHaveLength(2);
    expect(repliesIn(window.seen())).toHaveLength(2);
  });

/** Tests that a photo goes to the model byte for byte, by its words and alone. `send` sends the red one of the fakes. */
export const takesPhotos = <Api, Window extends ChatWindow>(
  chat: BotInChat<Api>,
  open: () => Window,
  send: (window: Window, words: string) => unknown,
): void =>
  it.each(['What colour is this?', ''])(
    'takes a photo with the words "%s" to the model, byte for byte',
    async (words) => {
      const service = await serviceFor(chat, says('It is red.'));
      const window = open();
      await send(window, words);
      expect((await reply(window, 1)).text).toBe('It is red.');
      const source = { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') };
      const contents = service.model.requests.at(-1)!.sent.messages.flatMap(({ content }) => content as object[]);
      expect(contents).toContainEqual(expect.objectContaining({ type: 'image', source }));
      await chat.restartSettled();
      expect(repliesIn(window.seen())).toHaveLength(1);
    },
  );

/**
 * Tests that files that a task wrote come with its result, once, and those of Tripact do not; and that the user is told
 * of one that the platform refuses. The fakes show a file as `file <name>: <text>`, and refuse `refused.md`.
 */
export const sendsFiles = <Api>(chat: BotInChat<Api>, open: () => ChatWindow): void =>
  it('sends the files that a task wrote with its result', async () => {
    await serviceFor(chat, [
      plan('Write'),
      act('files', 'write notes/día.md # Tea'),
      act('files', 'write notes/refused.md # Tea'),
      act('files', 'write zuletzt.md Last'),
      done(),
      answer('Written.'),
      ...(says('No more.') as object[]),
    ] as never);
    const window = open();
    await window.type('Write it down');
    expect((await reply(window, 1)).text).toContain('Written.');
    expect((await reply(window, 2)).text).toBe('file día.md: # Tea');
    expect((await reply(window, 3)).text).toContain('does not take the file refused.md');
    expect((await reply(window, 4)).text).toBe('file zuletzt.md: Last');
    await chat.restartSettled();
    await window.type('And now?');
    expect((await reply(window, 5)).text).toContain('No more.');
  });

/** A text with every character that some platform treats as markup. */
export const HOSTILE = [
  '*bold* _it_ __u__ ~s~ `code` ```js\nx\n``` [a](https://x.example) ![i](y)',
  '# head\n> quote\n- a\n- b\n1. one\n2. two\n+ - = | { } . ! \\ ( ) ]',
  '<b>b</b> &amp; &lt; <!channel> <@U1> <#C1> <https://x.example|x> @channel @here @U1',
  '<at user_id="all"></at> {{emoji:smile}} :smile: $x$ ||spoiler|| | a | b |\n|---|---|',
].join('\n\n');
