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
