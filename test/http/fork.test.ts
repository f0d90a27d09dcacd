import { describe, expect, it } from 'vitest';
import { never } from '../support/engine/test-session.ts';
import { startHttp } from '../support/http/http-app.ts';
import { answer, askingTask } from '../support/http/model-scripts.ts';
import { ask, say } from '../support/http/send-request.ts';

/** A running HTTP app where session `s1` waits for an answer. */
const waiting = async (...answers: string[]) => {
  const running = await startHttp({ ...askingTask, replan: answers.map(answer) });
  const { turn } = await say(running.port, 's1', 'Add it');
  return { ...running, path: `/v1/tasks/${turn.task_id}/fork` };
};

describe('POST /v1/tasks/{task_id}/fork', () => {
  it('gives the turn of a new session, which continues with the answer', async () => {
    const { port, path, engine } = await waiting('Noted');
    const { status, headers, turn } = await ask(port, path, { body: { input: 'Milk', session_id: 'what-if' } });
    expect(status).toBe(201);
    expect(headers.location).toBe(`/v1/turns/${turn.id}`);
    expect(turn).toMatchObject({ session_id: 'what-if', kind: 'task' });
    await engine.wait('local', turn.id, never);
    expect((await ask(port, `/v1/turns/${turn.id}`)).turn).toMatchObject({ status: 'answered', output: 'Noted' });
    expect((await ask(port, '/v1/sessions/s1')).json).toMatchObject({ active_task: { state: 'awaiting_user' } });
    expect((await ask(port, '/v1/sessions/what-if/trace')).text).toMatch(/^[^\n]*"type":"session.forked"/);
  });

  const refusals: [object, number, RegExp][] = [
    [{ at: 99 }, 400, /Entry 99/],
    [{ at: 1.5 }, 400, /body.at/],
    [{ input: ' ' }, 400, /body.input/],
    [{ session_id: '../up' }, 400, /body.session_id/],
    [{ session_id: 's1' }, 409, /"s1"/],
    [{ until: 3 }, 400, /body.until/],
  ];

  it('refuses what is no fork, and makes no session of it', async () => {
    const { port, path, engine } = await waiting();
    for (const [body, status, detail] of refusals) {
      const { problem } = await ask(port, path, { body });
      expect({ body, problem }).toMatchObject({ body, problem: { status, detail: expect.stringMatching(detail) } });
      expect((await engine.sessions('local', { limit: 10 })).items).toHaveLength(1);
    }
  });
});
