import { expect, it } from 'vitest';
import type { MessagesRequest } from '../support/anthropic/messages.ts';
import { answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

const said = ({ body }: MessagesRequest): string => body.messages.map(({ content }) => content).join('\n');

/** A task of one item, answered with this. */
const talk = (response: string) => [plan('look it up'), done(), answer(response)];

it.each([
  ['When do I meet Anna?', 'You meet Anna tomorrow at 3pm.', 'Move it to 4pm'],
  ['我什么时候见安娜？', '你明天下午三点见安娜。', '把它改到四点'],
])(
  'what was said and answered before reaches plan, thought and replan of the next task: %s',
  async (first, reply, next) => {
    const service = await startService([...talk(reply), ...talk('Moved')]);
    await service.say('s1', first);
    await service.restart();
    expect(await service.say('s1', next)).toMatchObject({ output: 'Moved' });
    const requests = service.model.requests.slice(3);
    expect(requests).toHaveLength(3);
    for (const request of requests) expect(said(request)).toContain(reply);
    const opened = (await service.trace('s1')).findLast(({ event }) => event.type === 'task.opened');
    expect(opened?.event).toMatchObject({ conversation: [{ said: first, answered: reply }] });
  },
);

it('questions and their answers are part of it, slash commands and other sessions are not', async () => {
  const service = await startService([
    plan('ask'),
    ask('Which day?'),
    replanned('book'),
    done(),
    answer('Booked'),
    ...talk('Yes'),
  ]);
  await service.say('s1', 'Book a room');
  await service.say('s1', '/status');
  await service.say('s1', 'Monday');
  await service.say('s1', 'Is it booked?');
  const opened = (await service.trace('s1')).findLast(({ event }) => event.type === 'task.opened');
  expect(opened?.event).toMatchObject({
    conversation: [
      { said: 'Book a room', answered: expect.stringContaining('Which day?') },
      { said: 'Monday', answered: 'Booked' },
    ],
  });
});

it('a turn may open its task without it', async () => {
  const service = await startService([...talk('Tomorrow'), ...talk('Who?')]);
  await service.say('s1', 'When do I meet Anna?');
  await service.say('s1', 'Move it', { conversation: false });
  for (const request of service.model.requests.slice(3)) expect(said(request)).not.toContain('Anna');
});

it('a turn may make its goal the plan, without a model call', async () => {
  const service = await startService([done(), answer('Swept')]);
  const turn = await service.say('s1', 'Sweep the floor', { planning: false });
  expect(turn).toMatchObject({ status: 'answered', output: 'Swept' });
  expect(service.contracts()).toEqual(['thought', 'replan']);
});

it.each(['继续', 'ok, go on please'])(
  '%j continues with the paused task, whatever was asked and answered in between',
  async (phrase) => {
    const service = await startService(
      [plan('Dig', 'Fill'), done('a hole'), ...[plan('look'), done()], answer('It rains'), answer('Dug and filled')],
      { TRIPACT_MAX_STEPS: '1' },
    );
    const paused = await service.say('s1', 'Dig a hole and fill it');
    expect(paused).toMatchObject({ status: 'paused' });
    const aside = await service.say('s1', 'What is the weather?');
    expect(aside.task_id).not.toBe(paused.task_id);
    await service.say('s1', 'continue');
    const resumed = await service.say('s1', phrase);
    expect([aside.task_id, paused.task_id]).toContain(resumed.task_id);
    expect(resumed.output).not.toMatch(/no paused task|没有已暂停/);
  },
);

it('there is nothing to continue in a new session; where something was said before, it is an input like any other', async () => {
  const service = await startService([...talk('Hello'), ...talk('Go on with what?')]);
  expect(await service.say('s1', 'please continue')).toMatchObject({ kind: 'command', status: 'ran', task_id: null });
  await service.say('s1', 'Hi');
  expect(await service.say('s1', 'please continue')).toMatchObject({ kind: 'task', output: 'Go on with what?' });
});
