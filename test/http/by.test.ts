import { describe, expect, it } from 'vitest';
import type { By } from '../../contracts/by.ts';
import { KEYS, startHttp } from '../support/http/http-app.ts';
import { askingTask, simpleTask } from '../support/http/model-scripts.ts';
import { ask, say } from '../support/http/send-request.ts';

const [ADA] = KEYS.map(({ key }) => key) as [string, string, string];
const OPS = { 'x-api-key': KEYS[2]!.key };

/** Who sent each event of a session that somebody sent. */
const sentIn = async (port: number, session: string, headers: Record<string, string>) => {
  const { text } = await ask(port, `/v1/sessions/${session}/trace`, { headers });
  const events = text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: { type: string; by?: By } }).event);
  return events.flatMap(({ type, by }) => (by === undefined ? [] : [[type, by] as const]));
};

describe('who sent an input', () => {
  it('is in the events of its task and in its turn: the owner, the stored key and the way it came', async () => {
    const { port } = await startHttp(askingTask, { apiKeys: KEYS });
    const made = await ask(port, '/v1/keys', { headers: OPS, body: { owner: 'ada' } });
    const { id: key_id, key } = made.json as { id: string; key: string };
    const cli = { 'x-api-key': key, 'x-tripact-client': 'cli' };
    await say(port, 's1', 'Do something', { 'x-api-key': ADA });
    const { turn } = await say(port, 's1', 'Milk', cli);
    expect(turn.by).toEqual({ owner: 'ada', key_id, via: 'cli' });
    expect((await ask(port, `/v1/turns/${turn.id}`, { headers: cli })).turn).toEqual(turn);
    expect(await sentIn(port, 's1', cli)).toEqual([
      ['task.opened', { owner: 'ada', via: 'http' }],
      ['answer.received', { owner: 'ada', key_id, via: 'cli' }],
    ]);
  });

  it('is in the cancel, the edit and the fork of a task, which no turn brings', async () => {
    const { port } = await startHttp(askingTask);
    const headers = { 'x-tripact-client': 'console' };
    const { turn } = await say(port, 's1', 'Do something');
    const path = `/v1/tasks/${turn.task_id}`;
    await ask(port, `${path}/plan`, { method: 'PATCH', headers, body: { edits: [{ kind: 'add', step: 'Rest' }] } });
    const forked = await ask(port, `${path}/fork`, { headers, body: { input: 'Milk', session_id: 's2' } });
    expect(forked.turn.by).toEqual({ owner: 'local', via: 'console' });
    await ask(port, `${path}/cancel`, { method: 'POST', headers });
    const by = { owner: 'local', via: 'console' };
    expect((await sentIn(port, 's1', {})).slice(1)).toEqual([
      ['plan.edited', by],
      ['task.cancelled', by],
    ]);
    expect((await sentIn(port, 's2', {})).slice(0, 3)).toEqual([
      ['task.opened', { owner: 'local', via: 'http' }],
      ['plan.edited', by],
      ['answer.received', by],
    ]);
  });

  it('is the user whom a front end names, by a hash where the text is no name', async () => {
    const { port } = await startHttp(simpleTask(), { apiKeys: KEYS });
    const made = await ask(port, '/v1/keys', { headers: OPS, body: { owner: 'web', role: 'front_end' } });
    const { id: key_id, key } = made.json as { id: string; key: string };
    const { turn } = await say(port, 's1', 'Put milk on the list', {
      'x-api-key': key,
      'x-tripact-user': 'ada@example.com',
      'x-tripact-client': 'chat_bot',
    });
    const user = expect.stringMatching(/^u-[\w-]{43}$/);
    expect(turn.by).toEqual({ owner: expect.stringMatching(/^web~u-/), key_id, via: 'chat_bot', user });
    expect(JSON.stringify(turn)).not.toContain('ada@example.com');
  });

  it('is the way of its protocol, whatever a client says of itself', async () => {
    const { port } = await startHttp(simpleTask(), { protocols: ['openai'] });
    await ask(port, '/v1/chat/completions', {
      headers: { 'x-tripact-client': 'console' },
      body: { model: 'tripact', messages: [{ role: 'user', content: 'Put milk on the list' }] },
    });
    const { json } = await ask(port, '/v1/sessions');
    const [session] = (json as { sessions: { session_id: string }[] }).sessions;
    expect(await sentIn(port, session!.session_id, {})).toEqual([['task.opened', { owner: 'local', via: 'openai' }]]);
  });
});
