import { describe, expect, it } from 'vitest';
import { TaskView } from '../../contracts/turn-view.ts';
import { startHttp } from '../support/http/http-app.ts';
import { simpleTask } from '../support/http/model-scripts.ts';
import { ask, say } from '../support/http/send-request.ts';

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
    expect(await lines('/v1/sessions/s1/trace?after=2')).toEqual((await lines('/v1/sessions/s1/trace')).slice(2));
    expect(await lines(`/v1/tasks/${turn.task_id}/trace`)).toEqual(
      await Array.fromAsync(engine.taskTrace('local', turn.task_id!)),
    );
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
