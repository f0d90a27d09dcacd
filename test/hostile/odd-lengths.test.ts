import { expect, it } from 'vitest';
import { checked } from '../../contracts/checked.ts';
import { readPlan, readReplan, readThought } from '../../src/models/reply/read-answer.ts';
import { startService } from '../support/service/service.ts';

/** What JSON may have in place of a text or a list: its `length` is nothing that can be compared with a number. */
const odd = { length: { toString: 1 } };

it.each([
  ['/v1/sessions/s1/turns', { input: 'Hi', timezone: odd }],
  ['/v1/sessions/s1/turns', { input: 'Hi', callback_url: odd }],
  ['/v1/sessions/s1/plans', { plan_id: 'p', steps: odd }],
  ['/v1/chat/completions', { messages: odd }],
  ['/v1/responses', { input: odd }],
  ['/v1/responses', { input: 'Hi', conversation: odd }],
  ['/api/chat', { id: odd, messages: [] }],
  ['/agui', { threadId: odd, runId: 'r1', messages: [] }],
])('%s with %j is a bad request, and no fault of the service', async (path, body) => {
  const service = await startService([]);
  const response = await service.post(path, body);
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('length')]);
});

it('a tool is told that such an input does not fit, and a trace with it is not readable', async () => {
  const service = await startService([]);
  for (const input of [
    `/tool planning ${JSON.stringify({ command: 'create', plan_id: odd, steps: odd })}`,
    `/tool files ${JSON.stringify({ command: 'write', path: odd, text: odd })}`,
  ]) {
    const response = await service.post('/v1/sessions/s1/turns', { input });
    expect([response.status, await response.json()]).toMatchObject([200, { status: 'ran' }]);
  }
  const trace = await fetch(`${service.url}/v1/replay`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: JSON.stringify({ v: 1, seq: 1, machine: odd }),
  });
  expect([trace.status, await trace.json()]).toMatchObject([422, { type: '/problems/trace-not-readable' }]);
});

it('a model that answers so is refused as with any other answer that does not keep the contract', () => {
  const json = JSON.stringify(odd);
  for (const read of [
    readPlan(`{"status":"planned","plan":${json}}`),
    readPlan(`{"status":"planned","plan":[{"id":${json},"step":${json},"tools":${json}}]}`),
    readThought(`{"status":"ask_user","current_step":"Ask","question":${json},"options":${json}}`),
    readReplan(`{"status":"done","response":${json}}`),
  ])
    expect(read.ok).toBe(false);
});

it('any other fault of a schema is passed on', () => {
  const broken = {
    safeParse: () => {
      throw new RangeError('broken');
    },
  } as never;
  expect(() => checked(broken, 1)).toThrow('broken');
});
