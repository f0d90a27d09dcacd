import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/models/port.ts';
import type { ScriptedAnswer } from '../../src/models/scripted.ts';
import { type ReadMessage, readAll, readMessages } from '../support/http/event-stream.ts';
import { startHttp } from '../support/http/http-app.ts';
import { ask, send } from '../support/http/send-request.ts';

const plan = { status: 'planned', plan: [] };
const thought = { status: 'done', current_step: null, next_action: null, question: null, response: 'thought' };
const done = (response: string) => JSON.stringify({ status: 'done', plan: [], response });

/** An answer that comes in pieces, and as a whole in the end, once it is let go on. */
const written = (pieces: string[], whole = pieces.join(''), letGoOn: Promise<unknown> = Promise.resolve()) =>
  (({ onText }: ModelRequest) => {
    for (const piece of pieces) onText?.(piece);
    return letGoOn.then(() => whole);
  }) as ScriptedAnswer;

const start = (...replans: ScriptedAnswer[]) => startHttp({ plan: [plan], thought, replan: replans });
const stream = (port: number, path = '/v1/sessions/s1/turns', body?: object) =>
  send(port, path, { ...(body && { body }), headers: { accept: 'text/event-stream' } });
const post = async (port: number, body = {}) => stream(port, undefined, { input: 'Hello there', ...body });

/** The news of answers in short: their texts, and `-` where one is void. */
const answers = (messages: ReadMessage[]): string[] =>
  messages.flatMap((message) =>
    message.event === 'answer.delta' ? message.data.text : message.event === 'answer.retracted' ? '-' : [],
  );

describe('an answer that is written while it is watched', () => {
  it('comes as it is written, before the turn has it, and is in no trace', async () => {
    const gate = Promise.withResolvers<void>();
    const { port } = await start(
      written(['{"status":"done","response":"Good ', 'morn', 'ing"}'], undefined, gate.promise),
    );
    const messages = readMessages(await post(port));
    const seen: ReadMessage[] = [];
    for await (const message of messages) {
      seen.push(message);
      if (answers(seen).join('') === 'Good morning') gate.resolve();
    }
    expect(answers(seen).join('')).toBe('Good morning');
    expect(seen.at(-1)).toMatchObject({ event: 'turn', data: { status: 'answered', output: 'Good morning' } });
    const { session_id, task_id } = (seen.at(-1) as { data: { session_id: string; task_id: string } }).data;
    const first = seen.find(({ event }) => event === 'answer.delta');
    expect(first).toMatchObject({ data: { task_id, attempt: 1 } });
    expect(first).not.toHaveProperty('id');
    const again = await readAll(
      await stream(port, `/v1/turns/${(seen.at(-1) as { data: { id: string } }).data.id}/events`),
    );
    expect(answers(again)).toEqual([]);
    expect((await ask(port, `/v1/sessions/${session_id}/trace`)).text).not.toContain('answer.');
  });

  it('is retracted if it fails its contract at the end, and the next attempt is another', async () => {
    const gate = Promise.withResolvers<void>();
    const bad = written(['{"status":"done","response":"Half'], undefined, gate.promise);
    const other = Promise.withResolvers<void>();
    const { port } = await start(bad, written([done('Whole')], undefined, other.promise));
    const messages: ReadMessage[] = [];
    for await (const message of readMessages(await post(port))) {
      messages.push(message);
      if (message.event === 'answer.delta') (message.data.attempt === 1 ? gate : other).resolve();
    }
    expect(answers(messages)).toEqual(['Half', '-', 'Whole']);
    const attempts = messages.flatMap((message) => ('attempt' in message.data ? message.data.attempt : []));
    expect(attempts).toEqual([1, 1, 2]);
    expect(messages.at(-1)).toMatchObject({ data: { output: 'Whole' } });
  });

  it('is retracted if the call is made again, and if the task is cancelled', async () => {
    const again: ScriptedAnswer = ({ onText }) => {
      onText?.('{"status":"done","response":"Cut');
      onText?.(null);
      onText?.('{"status":"done","response":"Never');
      return new Promise(() => {});
    };
    const { port } = await start(again);
    const seen: ReadMessage[] = [];
    for await (const message of readMessages(await post(port))) {
      seen.push(message);
      if (message.event === 'answer.delta' && message.data.text === 'Never')
        await ask(port, '/v1/sessions/s1/turns', { body: { input: '/cancel' } });
    }
    // A delta that was void before it was sent is not sent at all.
    expect(answers(seen).slice(-2)).toEqual(['Never', '-']);
    expect(seen.at(-1)).toMatchObject({ data: { status: 'cancelled' } });
  });

  it('is void where a steer came meanwhile', async () => {
    const gate = Promise.withResolvers<void>();
    const other = Promise.withResolvers<void>();
    const { port } = await start(
      written([done('Old')], undefined, gate.promise),
      written([done('New')], undefined, other.promise),
    );
    const seen: ReadMessage[] = [];
    for await (const message of readMessages(await post(port))) {
      seen.push(message);
      if (message.event !== 'answer.delta') continue;
      if (message.data.text === 'New') other.resolve();
      if (message.data.text !== 'Old') continue;
      const steer = { input: 'And politely', on_busy: 'steer' };
      await ask(port, '/v1/sessions/s1/turns', { body: steer, headers: { prefer: 'respond-async' } });
      gate.resolve();
    }
    expect(answers(seen)).toEqual(['Old', '-', 'New']);
  });

  it('comes from its beginning to who begins to watch in the middle', async () => {
    const gate = Promise.withResolvers<void>();
    const { port } = await start(written(['{"status":"done","response":"Good ', 'day"}'], undefined, gate.promise));
    for await (const message of readMessages(await post(port))) {
      if (message.event !== 'answer.delta') continue;
      const late = readMessages(await stream(port, '/v1/sessions/s1/events'));
      for await (const other of late)
        if (other.event === 'answer.delta') {
          expect(other.data.text).toBe('Good day');
          break;
        }
      gate.resolve();
      break;
    }
  });

  it('is not asked for while nobody watches, nor for other contracts', async () => {
    const { port, model } = await start(written([done('One')]), written([done('Two')]));
    expect((await ask(port, '/v1/sessions/s1/turns', { body: { input: 'Hello' } })).turn).toMatchObject({
      output: 'One',
    });
    expect(model.requests.map(({ onText }) => onText)).toEqual([undefined, undefined, undefined]);
  });

  it('is the conclusion of an empty plan where no replan follows', async () => {
    const gate = Promise.withResolvers<void>();
    const concluded = written([JSON.stringify({ ...thought, response: 'Hi!' })], undefined, gate.promise);
    const { port, model } = await startHttp({ plan: [plan], thought: [concluded] });
    const messages: ReadMessage[] = [];
    for await (const message of readMessages(await post(port, { replan: 'when_needed' }))) {
      messages.push(message);
      if (message.event === 'answer.delta') gate.resolve();
    }
    expect(answers(messages)).toEqual(['Hi!']);
    expect(model.requests).toHaveLength(2);
  });
});
