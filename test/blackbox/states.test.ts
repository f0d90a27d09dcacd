import { expect, it } from 'vitest';
import type { TaskView } from '../../contracts/turn-view.ts';
import { entriesOf, type ReadMessage, readAll, readUntil, statesOf } from '../support/http/event-stream.ts';
import { send } from '../support/http/send-request.ts';
import { act, answer, ask, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

const beforeTheQuestion = [plan('write it down', 'check it'), act('todo', 'add milk'), ask('Which shop?')];
const afterTheAnswer = [
  replanned('check it'),
  act('todo', 'get 9'),
  act('todo', 'list'),
  done(),
  answer('Milk is on the list.'),
];

/** The states that the task comes to, each with its phase, up to the question and from the answer on. */
const ASKED = [
  'planning/planning',
  'thinking/executing',
  'acting/executing',
  'thinking/executing',
  'awaiting_user/blocked',
];
const ANSWERED = [
  'replanning/planning',
  'thinking/executing',
  'acting/executing',
  'thinking/recovering',
  'acting/recovering',
  'thinking/executing',
  'replanning/planning',
  'done/done',
];

const portOf = ({ url }: Service): number => Number(new URL(url).port);

const streamed = async (service: Service, input: string): Promise<ReadMessage[]> =>
  readAll(
    await send(portOf(service), '/v1/sessions/s1/turns', { body: { input }, headers: { accept: 'text/event-stream' } }),
  );

/** The session's messages after a seq, up to the last line of its one task. */
const followed = async (service: Service, after: number): Promise<ReadMessage[]> =>
  readUntil(
    await send(portOf(service), '/v1/sessions/s1/events', { headers: { 'last-event-id': `${after}` } }),
    (message) => message.event === 'progress' && message.data.kind === 'finished',
  );

const idOf = (message: ReadMessage): number => ('id' in message ? Number(message.id) : 0);

it('the streams name each state and phase that a task comes to, once, from any place and over a restart', async () => {
  const service = await startService(beforeTheQuestion);
  const asked = await streamed(service, 'Put milk on my list');
  expect(statesOf(asked)).toEqual(ASKED);
  await service.restart();
  service.model.answer(afterTheAnswer);
  const answered = await streamed(service, 'Aldi');
  expect(statesOf(answered)).toEqual(ANSWERED);

  const whole = await followed(service, 0);
  expect(statesOf(whole)).toEqual([...ASKED, ...ANSWERED]);
  const entries = entriesOf(whole);
  expect(entries).toEqual(await service.trace('s1'));
  for (const { seq } of entries.slice(0, -1))
    expect(await followed(service, seq)).toEqual(whole.filter((message) => idOf(message) > seq));

  const [taskId] = entries.map(({ task_id }) => task_id);
  for (const [i, message] of whole.entries())
    if (message.event === 'state') {
      expect(whole[i - 1]).toMatchObject({ event: 'trace', id: message.id, data: { state: message.data.state } });
      expect(message.data.task_id).toBe(taskId);
    }
  expect(await service.get<TaskView>(`/v1/tasks/${taskId}`)).toMatchObject({ state: 'done', phase: 'done' });
});
