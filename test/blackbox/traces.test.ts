import { expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { apiError } from '../support/anthropic/answers.ts';
import { entriesOf, progressOf, readAll, readUntil } from '../support/http/event-stream.ts';
import { send } from '../support/http/send-request.ts';
import { act, answer, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

const script = [
  plan('write it down', 'check it'),
  act('todo', 'add milk'),
  done('written'),
  replanned('check it'),
  'junk',
  act('todo', 'get 9'),
  done(),
  answer('Milk is on the list.'),
];

const portOf = ({ url }: Service): number => Number(new URL(url).port);

const replay = async ({ url }: Service, lines: unknown[]): Promise<unknown> => {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const headers = { 'content-type': 'application/x-ndjson; charset=utf-8' };
  return (await fetch(`${url}/v1/replay`, { method: 'POST', headers, body })).json();
};

it('a trace has every event in order, with the state, the count and the effects that it led to', async () => {
  const service = await startService(script);
  const turn = await service.say('s1', 'put milk on the list');
  const trace = await service.trace('s1');
  const fields = 'at effects event machine seq session_id state step_count task_id v'.split(' ');
  for (const [i, entry] of trace.entries()) {
    expect(Object.keys(entry).sort()).toEqual(fields);
    expect(entry).toMatchObject({ v: 1, seq: i + 1, session_id: 's1', task_id: turn.task_id });
  }
  expect(trace.map(({ event, state, step_count }) => `${event.type} ${state} ${step_count}`)).toEqual([
    'task.opened planning 0',
    'plan.made thinking 0',
    'thought.made acting 1',
    'observation.recorded thinking 2',
    'thought.made replanning 3',
    'replan.made thinking 4',
    'thought.rejected thinking 5',
    'thought.made acting 6',
    'observation.recorded thinking 7',
    'thought.made replanning 8',
    'replan.made done 9',
  ]);
  expect(trace[2]).toMatchObject({
    event: { status: 'continue', current_step: 'working', next_action: { tool: 'todo', input: 'add milk' } },
    effects: [{ type: 'tool.call', params: { tool: 'todo', input: 'add milk', item_id: '1' } }],
  });
  expect(turn.task).toMatchObject({ step_count: 9, successful_steps: 1, failed_steps: 1 });
  const own = await (await fetch(`${service.url}/v1/tasks/${turn.task_id}/trace`)).text();
  expect(own).toBe(trace.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
});

it('a trace replays, and a tampered one is refused with its first difference', async () => {
  const service = await startService(script);
  await service.say('s1', 'put milk on the list');
  const trace = await service.trace('s1');
  expect(await replay(service, trace)).toEqual({ ok: true, entries: 11 });
  const tampered = async (change: (lines: TraceEntry[]) => unknown): Promise<unknown> => {
    const lines = structuredClone(trace);
    change(lines);
    return replay(service, lines);
  };
  const at = (seq: number) => ({ ok: false, seq, expected: expect.anything(), actual: expect.anything() });
  expect(await tampered((lines) => (lines[3]!.state = 'acting'))).toEqual(at(4));
  expect(await tampered((lines) => (lines[4]!.step_count = 9))).toEqual(at(5));
  expect(await tampered((lines) => Object.assign(lines[2]!.effects[0]!.params, { input: 'add beer' }))).toEqual(at(3));
  expect(
    await tampered((lines) => Object.assign(lines[2]!.event, { next_action: { tool: 'todo', input: 'x' } })),
  ).toEqual(at(3));
  expect(await tampered((lines) => (lines[5]!.effects = []))).toEqual(at(6));
  expect(await tampered((lines) => (lines[6]!.machine = 'tripact-task@0'))).toEqual(at(7));
  expect(await tampered((lines) => lines.splice(4, 1))).toEqual(at(6));
  expect(await tampered((lines) => lines.splice(4, 0, lines[3]!))).toEqual(at(4));
  expect(await tampered((lines) => lines.shift())).toEqual(at(2));
});

it('the stream of a turn has its events as they happen, then its progress, and the finished turn last', async () => {
  const service = await startService(script);
  const headers = { accept: 'text/event-stream' };
  const body = { input: 'put milk on the list' };
  const messages = await readAll(await send(portOf(service), '/v1/sessions/s1/turns', { body, headers }));
  expect(entriesOf(messages)).toEqual(await service.trace('s1'));
  expect(messages.at(-1)).toMatchObject({
    event: 'turn',
    data: { status: 'answered', output: 'Milk is on the list.' },
  });
  expect(progressOf(messages).join(' ')).toBe(
    'plan item thought action result thought replan item rejected thought action result thought finished',
  );
  const shown = JSON.stringify(
    messages.flatMap((message) => (message.event === 'progress' ? [message.data.text] : [])),
  );
  for (const text of [
    '2 items: 1. write it down',
    '1/2',
    'todo -> add milk',
    'failed',
    '2 of 2 items, 1 ok, 1 failed, 9 of 20',
  ])
    expect(shown).toContain(text);
  expect(shown).not.toContain('junk');
});

it('the events of a session resume behind any of them without gap or repeat', async () => {
  const service = await startService(script);
  await service.say('s1', 'put milk on the list');
  const trace = await service.trace('s1');
  for (const after of [0, 1, 5, 10]) {
    const response = await send(portOf(service), '/v1/sessions/s1/events', {
      headers: { 'last-event-id': `${after}` },
    });
    const messages = await readUntil(
      response,
      (message) => message.event === 'progress' && message.data.kind === 'finished',
    );
    expect(entriesOf(messages)).toEqual(trace.slice(after));
    for (const message of messages) if (message.event === 'trace') expect(message.id).toBe(`${message.data.seq}`);
  }
});

it('a task that is resumed says first where it stands, in the language of its goal', async () => {
  const service = await startService([plan('写下来', '检查'), done('写好了'), apiError(401)]);
  const paused = await service.say('s1', '把牛奶写下来');
  for (const part of ['已完成', '为什么', '接下来', '写好了']) expect(paused.output).toContain(part);
  service.model.answer([answer('好了')]);
  const headers = { accept: 'text/event-stream' };
  const messages = await readAll(
    await send(portOf(service), '/v1/sessions/s1/turns', { body: { input: '继续' }, headers }),
  );
  const [first] = messages.flatMap((message) => (message.event === 'progress' ? [message.data] : []));
  expect(first).toMatchObject({ kind: 'resumed', text: expect.stringMatching(/1\/2.*检查.*1\/20/) });
});
