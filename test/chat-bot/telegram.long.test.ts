import { describe, expect, it } from 'vitest';
import { message } from '../support/anthropic/answers.ts';
import { botInChat, tellStoryInChat } from '../support/chat-bot/bot-in-chat.ts';
import { isProgress, repliesIn } from '../support/chat-bot/chat-window.ts';
import {
  answersOnce,
  asksDay,
  HOSTILE,
  reply,
  says,
  sendsFiles,
  serviceFor,
  takesPhotos,
  turnsOf,
} from '../support/chat-bot/talk.ts';
import {
  nextUpdate,
  openTelegramChat,
  startTelegramApi,
  telegramEnv,
  telegramMessage,
} from '../support/chat-bot/telegram.ts';
import { shutGate } from '../support/service/gate.ts';
import { act, answer, ask, done, plan } from '../support/service/service.ts';

const chat = botInChat(startTelegramApi, telegramEnv);

const open = () => openTelegramChat(chat.api);

tellStoryInChat('Telegram', chat, open);

answersOnce(chat, open, (window, text, id) =>
  chat.api.update({ update_id: nextUpdate(), ...telegramMessage(window.id, id, text) }),
);

describe('a restart of the bot', () => {
  it('while a task runs brings its result, in the same message of progress', async () => {
    const gate = shutGate();
    const script = [
      plan('Think'),
      async (...args: Parameters<ReturnType<typeof message>>) => {
        await gate.opened;
        await message(done())(...args);
      },
      answer('I have thought.'),
    ];
    const service = await serviceFor(chat, script);
    const window = open();
    await window.type('Think');
    await window.until((seen) => seen.find(isProgress));
    await service.model.asked(2);
    await expect
      .poll(() => chat.bot.noted('SELECT key FROM entries WHERE is_open = 1 AND progress IS NULL'))
      .toEqual([]);
    chat.bot.kill();
    gate.open();
    await chat.restart();
    expect((await reply(window, 1)).text).toContain('I have thought.');
    expect(window.seen().filter(isProgress)).toHaveLength(1);
  });
});

describe('a button', () => {
  it('of a question that is answered changes nothing, and says so', async () => {
    const service = await serviceFor(chat, asksDay('On Sunday.'));
    const window = open();
    await window.type('Plan the party');
    const question = await reply(window, 1);
    await window.press(question, 'Sunday');
    await reply(window, 2);
    await window.press(question, 'Saturday', '77');
    expect((await reply(window, 3)).text).toContain('answered already');
    expect(await turnsOf(service, window)).toHaveLength(2);
    const asked = window.seen().find(({ id }) => id === question.id);
    expect(asked).toMatchObject({ buttons: [] });
    expect(asked?.text).toContain('Which day?');
  });
});

describe('a message while a task runs', () => {
  it('joins it, and its one result is the reply to both', async () => {
    const gate = shutGate();
    const service = await serviceFor(chat, [
      plan('Paint'),
      async (...args: Parameters<ReturnType<typeof message>>) => {
        await gate.opened;
        await message(done())(...args);
      },
      answer('It is blue.'),
    ]);
    const window = open();
    await window.type('Paint the door');
    await service.model.asked(2);
    await window.type('and make it blue');
    expect((await reply(window, 1)).text).toBe('Noted: the task that runs takes this into account.');
    gate.open();
    expect((await reply(window, 2)).text).toContain('It is blue.');
    expect(JSON.stringify((await service.model.asked(3)).body)).toContain('and make it blue');
    await chat.restartSettled();
    expect(repliesIn(window.seen())).toHaveLength(2);
    expect(await turnsOf(service, window)).toHaveLength(2);
  });
});

it('`/start` is answered by three lines in the language of the app, without a turn', async () => {
  const service = await serviceFor(chat, []);
  const window = open();
  for (const [id, language_code] of [
    [1, 'de'],
    [2, 'zh-hans'],
  ] as const) {
    const { message: start } = telegramMessage(window.id, id, '/start') as { message: { from: object } };
    chat.api.update({ update_id: nextUpdate(), message: { ...start, from: { ...start.from, language_code } } });
    const shown = await reply(window, id);
    expect(shown.text.split('\n')).toHaveLength(3);
    expect(shown.text).toContain(id === 1 ? 'Hello' : '您好');
  }
  expect((await fetch(`${service.url}/v1/sessions/${window.session}`)).status).toBe(404);
});

/** A message with media in the place of text. */
const withMedia = ({ id }: { id: number }, caption: string, media: object) => {
  const { message: bare } = telegramMessage(id, nextUpdate(), '') as { message: { text?: string } };
  const { text: _, ...rest } = bare;
  return { update_id: nextUpdate(), message: { ...rest, ...media, ...(caption !== '' && { caption }) } };
};

takesPhotos(chat, open, (window, words) => {
  const photo = [{ file_id: 'red', file_unique_id: 'u', width: 1, height: 1, file_size: 69 }];
  return chat.api.update(withMedia(window, words, { photo }));
});

it('says what it does not take, and answers the words with it', async () => {
  await serviceFor(chat, says('Done.'));
  const window = open();
  const voice = { file_id: 'v', file_unique_id: 'v', duration: 1 };
  chat.api.update(withMedia(window, 'What is this?', { voice }));
  expect((await reply(window, 1)).text).toContain('20 MB each');
  expect((await reply(window, 2)).text).toContain('Done.');
});

it('does nothing where Telegram does not give the file, and says so', async () => {
  const service = await serviceFor(chat, says('Done.'));
  const window = open();
  const document = { file_id: 'gone', file_unique_id: 'g', file_name: 'bill.pdf' };
  chat.api.update(withMedia(window, 'Pay this', { document }));
  expect((await reply(window, 1)).text).toContain('I could not get your file bill.pdf');
  expect((await fetch(`${service.url}/v1/sessions/${window.session}`)).status).toBe(404);
});

describe('a paused task', () => {
  const script = [plan('Think'), act('todo', 'add think'), done(), answer('I have thought.')];

  it('goes on by its button, once for each pause', async () => {
    const service = await serviceFor(chat, script, { TRIPACT_MAX_STEPS: '2' });
    const window = open();
    await window.type('Think');
    const paused = await reply(window, 1);
    expect(paused.buttons.map(({ label }) => label)).toEqual(['Continue', 'Stop']);
    expect(paused.text).toMatch(/^What is done$/m);
    expect(paused.text).not.toContain('## ');
    await window.press(paused, 'Continue');
    expect((await reply(window, 2)).text).toContain('I have thought.');
    await window.press(paused, 'Continue');
    expect((await reply(window, 3)).text).toBe('That is over: nothing of it runs or waits any more.');
    expect(await turnsOf(service, window)).toHaveLength(2);
  });
});

describe('a text', () => {
  it('that is longer than a message comes in several, whole', async () => {
    const text = Array.from({ length: 1_500 }, (_, i) => `word${i}`).join(' ');
    await serviceFor(chat, says(text));
    const window = open();
    await window.type('Write much');
    const all = await window.until((seen) => {
      const texts = repliesIn(seen).map((one) => one.text);
      return texts.at(-1)?.includes('word1499') ? texts : undefined;
    });
    expect(all.length).toBeGreaterThan(2);
    expect(all.join(' ')).toContain(text);
  });

  it('that is full of markup is shown unchanged, with buttons and without', async () => {
    await serviceFor(chat, [plan('Ask'), { ...ask(HOSTILE), options: ['*a*', '<b>'] }, answer(HOSTILE)]);
    const window = open();
    await window.type('Ask me');
    const question = await reply(window, 1);
    expect(question.buttons.map(({ label }) => label)).toEqual(['*a*', '<b>']);
    for (const line of HOSTILE.split('\n')) expect(question.text).toContain(line.trim());
    await window.press(question, '<b>');
    expect((await reply(window, 2)).text).toContain(HOSTILE);
  });
});

describe('what is not there', () => {
  it('a Tripact that is down: the message is answered when it is back', async () => {
    chat.tripact.to(() => 'http://127.0.0.1:9');
    const window = open();
    await window.type('Do it');
    expect((await reply(window, 1)).text).toContain('Tripact cannot be reached');
    await serviceFor(chat, says('Done.'));
    expect((await reply(window, 2)).text).toContain('Done.');
  });

  it('room at Telegram: what it refuses for its limits comes when it takes it', async () => {
    await serviceFor(chat, says('Done.'));
    const window = open();
    chat.api.limit('sendMessage', 2);
    await window.type('Do it');
    expect((await reply(window, 1)).text).toContain('Done.');
  });
});

it('in a group answers only people who mention it', async () => {
  const service = await serviceFor(chat, says('Done.'));
  const group = -500;
  const send = (id: number, text: string) =>
    chat.api.update({ update_id: nextUpdate(), ...telegramMessage(group, id, text, 7) });
  send(1, 'Hello all');
  const mention = telegramMessage(group, 2, '@tripact_bot do it', 7) as { message: object };
  const entities = [{ type: 'mention', offset: 0, length: 12 }];
  chat.api.update({ update_id: nextUpdate(), message: { ...mention.message, entities } });
  const shown = await chat.api.screen(group).until((seen) => repliesIn(seen)[0]);
  expect(shown.text).toContain('Done.');
  const { tasks } = await service.get<{ tasks: { goal: string }[] }>('/v1/sessions/telegram_-500/tasks');
  expect(tasks).toMatchObject([{ goal: 'do it' }]);
});

it('a button that is pressed while Tripact is down says that it changed nothing', async () => {
  const service = await serviceFor(chat, asksDay('On Sunday.'));
  const window = open();
  await window.type('Plan the party');
  const question = await reply(window, 1);
  chat.tripact.to(() => 'http://127.0.0.1:9');
  await window.press(question, 'Sunday');
  expect((await reply(window, 2)).text).toContain('changed nothing');
  chat.tripact.to(() => service.url);
  await window.press(question, 'Sunday');
  expect((await reply(window, 3)).text).toContain('On Sunday.');
});

sendsFiles(chat, open);
