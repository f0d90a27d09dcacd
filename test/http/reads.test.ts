import { describe, expect, it } from 'vitest';
import { ListedSessionView, SessionView } from '../../contracts/http.ts';
import { TaskView } from '../../contracts/turn-view.ts';
import { startHttp } from '../support/http/http-app.ts';
import { askingTask, pendingPlan, simpleTask } from '../support/http/model-scripts.ts';
import { ask, say } from '../support/http/send-request.ts';

describe('sessions', () => {
  it('are listed with the most recently used first, as many as are asked for', async () => {
    const { port } = await startHttp();
    for (const session of ['s1', 's2', 's3', 's1']) await say(port, session, '/help');
    const listed = async (path: string): Promise<string[]> => {
      const { sessions } = (await ask(port, path)).json as { sessions: unknown[] };
      return ListedSessionView.strict()
        .array()
        .parse(sessions)
        .map(({ session_id }) => session_id);
    };
    expect(new Set(await listed('/v1/sessions'))).toEqual(new Set(['s1', 's2', 's3']));
    expect(await listed('/v1/sessions?limit=1')).toHaveLength(1);
  });

  it('show their active task and what waits', async () => {
    const { plan, release } = pendingPlan();
    const script = { ...simpleTask(2), plan: [plan, { status: 'planned', plan: ['Add milk'] }] };
    const { port, model, engine } = await startHttp(script);
    const first = say(port, 's1', 'Put milk on the list');
    await model.asked(1);
    const second = await say(port, 's1', 'And again', { prefer: 'respond-async' });
    expect(second.turn).toMatchObject({ status: 'queued', task_id: null });
    const session = SessionView.strict().parse((await ask(port, '/v1/sessions/s1')).json);
    expect(session).toMatchObject({
      active_task: { state: 'planning', goal: 'Put milk on the list' },
      queue: [{ turn_id: second.turn.id, input: 'And again' }],
    });
    release();
    await first;
    await engine.wait('local', second.turn.id, new AbortController().signal);
    expect((await ask(port, '/v1/sessions/s1')).json).toMatchObject({ active_task: null, queue: [] });
  });
});

describe('tasks', () => {
  it('are shown alone and with their session, and their traces line by line', async () => {
    const { port, engine } = await startHttp(simpleTask(2));
    const { turn } = await say(port, 's1', 'Put milk on the list');
    await say(port, 's1', 'And again');
    const { tasks } = (await ask(port, '/v1/sessions/s1/tasks')).json as { tasks: unknown[] };
    expect(TaskView.strict().array().parse(tasks)).toHaveLength(2);
    expect(tasks).toContainEqual(turn.task);
    expect((await ask(port, `/v1/tasks/${turn.task_id}`)).json).toEqual(turn.task);

    const lines = async (path: string): Promise<unknown[]> => {
      const { headers, text } = await ask(port, path);
      expect(headers['content-type']).toBe('application/x-ndjson');
      expect(text.endsWith('}\n')).toBe(true);
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    expect(await lines('/v1/sessions/s1/trace')).toEqual(await Array.fromAsync(engine.sessionTrace('local', 's1')));
    expect(await lines(`/v1/tasks/${turn.task_id}/trace`)).toEqual(
      await Array.fromAsync(engine.taskTrace('local', turn.task_id!)),
    );
    expect((await ask(port, '/v1/sessions/s1/trace', { method: 'HEAD' })).text).toBe('');
  });

  it('are cancelled once', async () => {
    const { port } = await startHttp(askingTask);
    const { turn } = await say(port, 's1', 'Add it');
    const cancel = `/v1/tasks/${turn.task_id}/cancel`;
    expect((await ask(port, cancel, { body: { force: true } })).problem.errors).toEqual([
      { path: 'body.force', message: 'is not a known field' },
    ]);
    expect((await ask(port, cancel, { method: 'POST' })).json).toMatchObject({ state: 'cancelled' });
    const { status, problem } = await ask(port, cancel, { body: {} });
    expect(status).toBe(409);
    expect(problem).toMatchObject({ type: '/problems/task-finished' });
  });
});

describe('an id', () => {
  const odd = ['nope', '%00', '..%2f..%2fetc', '__proto__', 'constructor', '%F0%9F%92%A5', 'x'.repeat(9_000)];

  it('of a task or turn that never was is unknown', async () => {
    const { port } = await startHttp();
    for (const id of odd) {
      const task = { id, problem: { type: '/problems/task-not-found', status: 404 } };
      const turn = { id, problem: { type: '/problems/turn-not-found', status: 404 } };
      const asked = async (path: string, how = {}) => ({ id, problem: (await ask(port, path, how)).problem });
      expect(await asked(`/v1/tasks/${id}`)).toMatchObject(task);
      expect(await asked(`/v1/tasks/${id}/trace`)).toMatchObject(task);
      expect(await asked(`/v1/tasks/${id}/cancel`, { method: 'POST' })).toMatchObject(task);
      expect(await asked(`/v1/turns/${id}`)).toMatchObject(turn);
    }
  });

  it('of a session can be malformed', async () => {
    const { port } = await startHttp();
    for (const id of ['', '%00', '..%2f', 'a.b', 'a%20b', '%E4%BC%9A', 'x'.repeat(65), 'x'.repeat(9_000)]) {
      const malformed = { id, problem: { type: '/problems/invalid-session-id', status: 400 } };
      expect({ id, problem: (await ask(port, `/v1/sessions/${id}`)).problem }).toMatchObject(malformed);
      expect({ id, problem: (await ask(port, `/v1/sessions/${id}/trace`)).problem }).toMatchObject(malformed);
      expect({ id, problem: (await say(port, id, '/help')).problem }).toMatchObject(malformed);
    }
  });
});
