import { expect, it } from 'vitest';
import { startService } from '../support/service/service.ts';

/** A Saturday, 11:00 in Shanghai. */
const NOW = Date.UTC(2026, 10, 21, 3);
const NOTE = /(?:built-in offline model|内置的离线模型)/;

const startTalk = async () => {
  const service = await startService([], { TRIPACT_MODEL: 'offline' }, { now: () => NOW });
  return (text: string, session = 's1') => service.say(session, text, { timezone: 'Asia/Shanghai' });
};

it('refers back to what it answered, in either language, and says once what it is', async () => {
  const say = await startTalk();
  const first = await say('Schedule a meeting with Anna tomorrow at 3pm');
  expect(first.output).toMatch(NOTE);
  const answers = [];
  for (const text of ['When do I meet Anna?', 'Move it to 4pm', '改到下午五点', 'delete it'])
    answers.push((await say(text)).output ?? '');
  expect(answers).toEqual([
    expect.stringContaining('meeting with Anna  2026-11-22 15:00–16:00'),
    expect.stringContaining('Updated #1 meeting with Anna  2026-11-22 16:00–17:00'),
    expect.stringContaining('已更新 #1 meeting with Anna  2026-11-22 17:00–18:00'),
    expect.stringContaining('Deleted #1 meeting with Anna'),
  ]);
  expect(answers.filter((answer) => NOTE.test(answer))).toEqual([]);
  expect((await say('help', 's2')).output).toMatch(NOTE);
});

it('asks with options where an hour may be two, and where several entries fit', async () => {
  const say = await startTalk();
  expect(await say('安排明天三点开会')).toMatchObject({ status: 'asking', options: ['03:00', '15:00'] });
  expect((await say('2')).output).toContain('开会  2026-11-22 15:00–16:00');
  await say('add todos: pay rent A, pay rent B');
  expect(await say('mark pay rent as done')).toMatchObject({ options: ['#1 pay rent A', '#2 pay rent B'] });
  expect((await say('#2 pay rent B')).output).toContain('✓ pay rent B');
});

it('does what it can, and names the part that it could not do as blocked', async () => {
  const say = await startTalk();
  const turn = await say('Add a todo to buy milk and send an email to Bob');
  expect(turn).toMatchObject({ status: 'answered', task: { outcome: 'completed' } });
  expect(turn.output).toMatch(/1 of 2 done:[\s\S]*2\. send an email to Bob\n +Not done/);
  expect(turn.task?.plan.map(({ status }) => status)).toEqual(['completed', 'blocked']);
  expect(await say('mark nothing of the kind as done')).toMatchObject({
    status: 'failed',
    task: { outcome: 'failed' },
  });
});

it('deletes all only after a yes', async () => {
  const say = await startTalk();
  await say('add todos: a, b, c');
  expect(await say('delete all my todos')).toMatchObject({ status: 'asking', options: ['yes', 'no'] });
  expect((await say('yes')).output).toContain('Deleted #3 c');
  expect((await say('/todo list')).output).toContain('No todos');
});
