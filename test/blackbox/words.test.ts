import { expect, it } from 'vitest';
import { act, answer, done, plan, startService } from '../support/service/service.ts';

/** A Saturday, 11:00 in Shanghai. */
const NOW = Date.UTC(2026, 10, 21, 3);
const shanghai = { timezone: 'Asia/Shanghai' };

it('reads a time in words in the zone of the session, from the command and from the model alike', async () => {
  const service = await startService(
    [
      plan('a'),
      act('todo', '/todo add 牛奶 --due 明天下午三点'),
      act('todo', 'todo add bread --due "tomorrow 3pm"'),
      act('schedule', 'add 2026-11-22 14:30 dentist'),
      done(),
      answer('ok'),
    ],
    {},
    { now: () => NOW },
  );
  const command = (input: string): Promise<string> => service.say('s1', input).then(({ output }) => output ?? '');
  expect((await service.say('s1', '/todo add tea --due "tomorrow 3pm"', shanghai)).output).toContain(
    '2026-11-22 15:00',
  );
  expect(await service.say('s1', 'put it down')).toMatchObject({ task: { successful_steps: 3 } });
  const list = await command('/todo list');
  expect(list.match(/2026-11-22 15:00/g)).toHaveLength(3);
  expect(await command('/schedule add tomorrow 3pm call --duration 30')).toMatch(/15:00–15:30[\s\S]*dentist/);
  expect(await command('/schedule view day 明天')).toMatch(/dentist[\s\S]*call/);
  expect(await command('/schedule view month 2026-11')).toContain('2026-11-01 (Sun) – 2026-11-30 (Mon) (2)');
  expect((await service.say('s2', '/todo list', { timezone: 'UTC' })).output).toContain('2026-11-22 07:00');
});

it('what can not be understood is an error with the usage, and changes nothing', async () => {
  const service = await startService([], {}, { now: () => NOW });
  const lines = [
    '/todo add x --due someday',
    '/todo add x --due "2027-02-30 10:00"',
    '/todo add x --priority -1',
    '/todo add x --colour red',
    '/todo add',
    '/todo done 99',
    '/view tomorrow-ish',
    '/schedule add whenever lunch',
    '/schedule add tomorrow 3pm lunch --duration 0',
    '/schedule view decade',
    '/schedule view month 2026-13',
    '/plan create',
    '/plan mark nowhere 1 completed',
  ];
  for (const line of lines) expect((await service.say('s1', line)).output).toMatch(/Usage:/);
  expect((await service.say('s1', '/view all')).output).toContain('(0)');
  expect((await service.say('s1', '/schedule list')).output).toContain('empty');
});

it('finds todos with every word, whole and each once, and shows the lower priority first', async () => {
  const service = await startService([]);
  for (const text of ['buy milk and milk powder', 'buy bread --priority 3', 'sell milk', 'milk the cow --priority 1'])
    await service.say('s1', `/todo add ${text} --tag shop`);
  const found = (await service.say('s1', '/todo search milk bu')).output ?? '';
  expect(found).toContain('#1 buy milk and milk powder');
  expect(found).toContain('(1)');
  const listed = (await service.say('s1', '/view all --tag shop')).output ?? '';
  expect([...listed.matchAll(/#(\d)/g)].map(([, id]) => id)).toEqual(['1', '3', '4', '2']);
});

it('a reminder that came due while the service was down comes once, marked late', async () => {
  let now = NOW;
  const service = await startService([], {}, { now: () => now });
  await service.say('s1', '/todo add call --remind "in 10 minutes"', shanghai);
  now += 10 * 60_000 + 5_000;
  await service.restart();
  const response = await fetch(`${service.url}/v1/sessions/s1/events`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('reminder.due')) text += (await reader.read()).value ?? '';
  await reader.cancel();
  expect(await service.trace('s1')).toMatchObject([
    { seq: 1, task_id: null, event: { type: 'reminder.due', text: 'call', late: true } },
  ]);
  await service.restart();
  expect(await service.trace('s1')).toHaveLength(1);
});

it('a newcomer without a key can add, plan, be asked and learn which model answers, in both languages', async () => {
  const offline = { TRIPACT_MODEL: 'offline' };
  const service = await startService([], offline, { now: () => NOW });
  const say = (input: string) => service.say('s1', input, shanghai);
  expect(await say('Add milk to my todos')).toMatchObject({ status: 'answered', task: { state: 'done' } });
  expect(await say('Schedule a meeting')).toMatchObject({ status: 'asking', task: { state: 'awaiting_user' } });
  expect((await say('tomorrow at 10')).output).toContain('2026-11-22 10:00');
  expect((await say('帮我安排一个会议')).output).toMatch(/^请确认：/);
  expect((await say('明天下午四点')).output).toContain('2026-11-22 16:00');
  expect((await say('明天下午六点和小王开会')).output).toContain('和小王开会  2026-11-22 18:00');
  expect((await say('Lunch with Ann tomorrow at noon')).output).toContain('Lunch with Ann  2026-11-22 12:00');
  expect((await say('What is the capital of France?')).output).toMatch(/offline/);
  expect((await say("What's overdue?")).output).toMatch(/No todos/);
  expect(service.model.requests).toEqual([]);
});
