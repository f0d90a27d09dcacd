import { describe, expect, it } from 'vitest';
import { startHttp } from '../support/http/http-app.ts';
import { ask } from '../support/http/send-request.ts';

const answer_schema = {
  type: 'object',
  properties: { city: { type: 'string', enum: ['Oslo', 'Bergen'] }, days: { type: 'integer', minimum: 1 } },
  required: ['city', 'days'],
  additionalProperties: false,
};
const shaped = { city: 'Oslo', days: 3 };

const plan = { status: 'planned', plan: [] };
const thought = { status: 'done', current_step: null, next_action: null, question: null, response: 'thought of it' };
const done = (answer?: object, more: object = {}) => ({
  status: 'done',
  plan: [],
  response: 'Three days in Oslo',
  ...(answer && { answer }),
  ...more,
});

const start = (...replans: object[]) => startHttp({ plan: [plan], thought, replan: replans });
const asked = { input: 'Plan a holiday', answer_schema };

describe('a turn with the schema of its answer', () => {
  it('has the answer that meets it, now and later, and replays', async () => {
    const { port, model } = await start(done(), done({ city: 'Rome', days: 0 }), done(shaped));
    const { turn, status } = await ask(port, '/v1/sessions/s1/turns', { body: { ...asked, replan: 'when_needed' } });
    expect(status).toBe(200);
    expect(turn).toMatchObject({ status: 'answered', output: 'Three days in Oslo', answer: shaped });
    expect(turn.task).toMatchObject({ answer: shaped });
    expect((await ask(port, `/v1/turns/${turn.id}`)).turn).toEqual(turn);
    // Each rejected answer counts, and the next attempt is told why.
    expect(turn.task).toMatchObject({ step_count: 4 });
    expect(model.requests.at(-1)!.task.recent_failures).toEqual([
      expect.stringContaining('answer:'),
      expect.stringMatching(/answer\.city: .*; answer\.days: /),
    ]);
    const trace = await ask(port, `/v1/tasks/${turn.task_id}/trace`);
    const replayed = await ask(port, '/v1/replay', {
      body: trace.text,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(replayed.json).toMatchObject({ ok: true });
  });

  it('pauses where the model never meets it, and has none where the task is given up', async () => {
    const { port } = await start(done(), done(), done(), done(undefined, { outcome: 'failed' }));
    const { turn } = await ask(port, '/v1/sessions/s1/turns', { body: asked });
    expect(turn).toMatchObject({ status: 'paused', task: { pause_reason: 'contract_failure' } });
    const failed = await ask(port, '/v1/sessions/s1/turns', { body: { input: 'continue' } });
    expect(failed.turn).toMatchObject({ status: 'failed', output: 'Three days in Oslo' });
    expect(failed.turn).not.toHaveProperty('answer');
  });

  it('takes the schema of a later turn of its task', async () => {
    const question = { ...thought, status: 'ask_user', current_step: 'x', question: 'Where to?', response: null };
    const { port } = await startHttp({ plan: [plan], thought: [question], replan: [done(shaped)] });
    const first = await ask(port, '/v1/sessions/s1/turns', { body: { input: 'Plan a holiday' } });
    expect(first.turn).toMatchObject({ status: 'asking' });
    const { turn } = await ask(port, '/v1/sessions/s1/turns', { body: { ...asked, input: 'Norway' } });
    expect(turn).toMatchObject({ status: 'answered', answer: shaped });
  });

  it('has no answer that was not asked for', async () => {
    const { port } = await start(done(shaped));
    const { turn } = await ask(port, '/v1/sessions/s1/turns', { body: { input: 'Plan a holiday' } });
    expect(turn).toMatchObject({ status: 'answered' });
    expect(turn).not.toHaveProperty('answer');
  });

  it('is refused where the schema cannot be held to', async () => {
    const { port } = await start();
    const body = { input: 'x', answer_schema: { type: 'object', if: {} } };
    const { status, json } = await ask(port, '/v1/sessions/s1/turns', { body });
    expect(status).toBe(400);
    expect(json).toMatchObject({ errors: [{ path: expect.stringContaining('answer_schema') }] });
  });
});
