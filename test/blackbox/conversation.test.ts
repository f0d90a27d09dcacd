import { expect, it } from 'vitest';
import type { MessagesRequest } from '../support/anthropic/messages.ts';
import { answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

const said = ({ body }: MessagesRequest): string => body.messages.map(({ content }) => content).join('\n');

/** A task of one item, answered with this. */
const talk = (response: string) => [plan('look it up'), done(), answer(response)];

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
