import { expect, it } from 'vitest';
import { botInChat } from '../support/chat-bot/bot-in-chat.ts';
import { repliesIn } from '../support/chat-bot/chat-window.ts';
import { asksDay, reply } from '../support/chat-bot/talk.ts';
import {
  nextUpdate,
  openTelegramChat,
  startTelegramApi,
  telegramEnv,
  telegramMessage,
} from '../support/chat-bot/telegram.ts';
import { startWithFrontEnd } from '../support/front-ends/as-user.ts';

let key = '';

/** A bot with the key of a front end. */
const chat = botInChat(startTelegramApi, (api) => ({ ...telegramEnv(api), TRIPACT_API_KEY: key }));

it('each person and each group has todos and memory of their own, and nobody else presses their buttons', async () => {
  const { service, key: made, asOperator } = await startWithFrontEnd(asksDay('On Sunday.'));
  chat.tripact.to(() => service.url);
  key = made;
  await chat.restart();

  const [ada, bob] = [openTelegramChat(chat.api), openTelegramChat(chat.api)];
  const group = -700;
  let asked = 0;
  const inGroup = async (text: string): Promise<string> => {
    asked += 1;
    const { message } = telegramMessage(group, asked, `@tripact_bot ${text}`, ada.id) as { message: object };
    const entities = [{ type: 'mention', offset: 0, length: 12 }];
    chat.api.update({ update_id: nextUpdate(), message: { ...message, entities } });
    return (await chat.api.screen(group).until((seen) => repliesIn(seen)[asked - 1])).text;
  };
  await ada.type('/todo add balloons');
  await reply(ada, 1);
  await bob.type('/memory add Anna bakes');
  await reply(bob, 1);
  await inGroup('/todo add a cake');
  await ada.type('/todo list');
  const adas = (await reply(ada, 2)).text;
  expect(adas).toContain('balloons');
  expect(adas).not.toContain('cake');
  await bob.type('/todo list');
  expect((await reply(bob, 2)).text).toContain('No todos');
  const groups = await inGroup('/todo list');
  expect(groups).toContain('cake');
  expect(groups).not.toContain('balloons');
  await ada.type('/memory list');
  expect((await reply(ada, 3)).text).not.toContain('Anna');

  await ada.type('Plan the party');
  const question = await reply(ada, 4);
  // A client may send any button's data from a chat of its own.
  await bob.press(question, 'Saturday');
  expect((await reply(bob, 3)).text).not.toContain('Sunday');
  await chat.restartSettled();
  await ada.press(question, 'Sunday');
  expect((await reply(ada, 5)).text).toContain('On Sunday.');

  const { users } = (await (await asOperator('/v1/users')).json()) as { users: { today: { turns: number } }[] };
  expect(users.map(({ today }) => today.turns).sort()).toEqual([0, 0, 2]);
  expect((await asOperator(`/v1/users/${encodeURIComponent(`web~telegram:${ada.id}`)}`, 'DELETE')).status).toBe(204);
  await ada.type('/todo list');
  expect((await reply(ada, 6)).text).toContain('No todos');
});
