import { describe, expect, it } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { entriesOf, progressOf, type ReadMessage, readAll, readUntil, statesOf } from '../support/http/event-stream.ts';
import { startHttp } from '../support/http/http-app.ts';
import { answer, askingTask, pendingPlan, simpleTask } from '../support/http/model-scripts.ts';
import { send } from '../support/http/send-request.ts';

const stream = (port: number, input: string, headers = {}) =>
  send(port, '/v1/sessions/s1/turns', { body: { input }, headers: { accept: 'text/event-stream', ...headers } });

const streamed = async (port: number, input: string, headers = {}): Promise<ReadMessage[]> =>
  readAll(await stream(port, input, headers));

const eventTypes = (messages: ReadMessage[]): string[] => entriesOf(messages).map(({ event }) => event.type);

const turnOf = (messages: ReadMessage[]): TurnView => {
  const last = messages.at(-1);
  if (last?.event !== 'turn') throw new Error('the last message is no turn');
  return last.data;
};

const SIMPLE = ['task.opened', 'plan.made', 'thought.made', 'observation.recorded', 'thought.made', 'replan.made'];

describe('a streamed turn', () => {
  it("shows its task's entries with their progress, and the finished turn last", async () => {
    const { port, engine } = await startHttp(simpleTask());
    const response = await stream(port, 'Put milk on the list');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toContain('text/event-stream');
    const messages = await readAll(response);
    expect(eventTypes(messages)).toEqual(SIMPLE);
    expect(entriesOf(messages)).toEqual(await Array.fromAsync(engine.sessionTrace('local', 's1')));
    expect(messages.filter(({ event }) => event === 'turn')).toHaveLength(1);
    expect(turnOf(messages)).toMatchObject({ status: 'answered', output: 'Milk is on the list' });
    expect(response.headers.location).toBe(`/v1/turns/${turnOf(messages).id}`);
    expect(progressOf(messages)).toEqual(['plan', 'item', 'thought', 'action', 'result', 'thought', 'finished']);
    expect(statesOf(messages)).toEqual([
      'planning/planning',
      'thinking/executing',
      'acting/executing',
      'thinking/executing',
      'replanning/planning',
      'done/done',
    ]);
  });

  it('that answers a question starts with the answer, and sends state and progress as if it had seen the rest', async () => {
    const { port } = await startHttp(askingTask);
    const question = await streamed(port, 'Add it');
    expect(eventTypes(question)).toEqual(['task.opened', 'plan.made', 'thought.made']);
    expect(turnOf(question)).toMatchObject({ status: 'asking', question: 'Add what?' });
    expect(statesOf(question)).toEqual(['planning/planning', 'thinking/executing', 'awaiting_user/blocked']);
    const messages = await streamed(port, 'Milk');
    expect(eventTypes(messages)).toEqual(['answer.received', 'replan.made']);
    expect(progressOf(messages)).toEqual(['answer', 'finished']);
    expect(statesOf(messages)).toEqual(['replanning/planning', 'done/done']);
    expect(turnOf(messages)).toMatchObject({ status: 'answered' });
  });

  it('that has to wait shows only its own task once that starts', async () => {
    const { plan, release } = pendingPlan();
    const script = { ...simpleTask(2), plan: [plan, { status: 'planned', plan: ['Add milk'] }] };
    const { port, model } = await startHttp(script);
    const first = streamed(port, 'Put milk on the list');
    await model.asked(1);
    const response = await stream(port, 'And again');
    release();
    const messages = await readAll(response);
    expect(eventTypes(messages)).toEqual(SIMPLE);
    expect(messages[0]).toMatchObject({ data: { event: { goal: 'And again' } } });
    expect(turnOf(await first)).toMatchObject({ status: 'answered' });
  });

  it('that is a command is the turn alone', async () => {
    const { port } = await startHttp();
    expect(await streamed(port, '/help')).toMatchObject([{ event: 'turn', data: { status: 'ran' } }]);
  });

  it('is a problem, not a stream, when it is refused', async () => {
    const { port } = await startHttp();
    const response = await stream(port, '  ');
    expect(response.statusCode).toBe(400);
    expect(response.headers['content-type']).toBe('application/problem+json');
    response.destroy();
  });

  it('ends with the problem when the service stops first', async () => {
    const { plan } = pendingPlan();
    const { port, engine, model } = await startHttp({ plan: [plan], replan: [answer('never')] });
    const response = await stream(port, 'Put milk on the list');
    await model.asked(1);
    const messages = readUntil(response, ({ event }) => event === 'problem');
    const closing = engine.close(0);
    expect((await messages).at(-1)!.data).toMatchObject({ type: '/problems/shutting-down', status: 503 });
    await closing;
  });

  const accepted: [string, string][] = [
    ['TEXT/EVENT-STREAM', 'text/event-stream'],
    ['text/event-stream', 'text/event-stream'],
    ['application/json, text/event-stream', 'application/json'],
    ['*/*', 'application/json'],
  ];

  it('is sent as its caller accepts it', async () => {
    const { port } = await startHttp();
    for (const [accept, type] of accepted) {
      const response = await stream(port, '/help', { accept });
      expect([accept, response.headers['content-type']]).toEqual([accept, expect.stringContaining(type)]);
      response.destroy();
    }
  });
});

describe("a turn's own events", () => {
  const follow = async (port: number, id: string): Promise<ReadMessage[]> =>
    readAll(await send(port, `/v1/turns/${id}/events`, {}));

  it('are the messages of the turn from its beginning on, also when it is long finished', async () => {
    const { port } = await startHttp(simpleTask(2));
    const [first, second] = [await streamed(port, 'Put milk on the list'), await streamed(port, 'And again')];
    expect(await follow(port, turnOf(first).id)).toEqual(first);
    expect(await follow(port, turnOf(second).id)).toEqual(second);
  });
});
