import { describe, expect, it } from 'vitest';
import { RerunView } from '../../contracts/rerun.ts';
import { replayTrace } from '../../src/testing/testing.ts';
import { acts, concludes, finishes, plans } from '../support/engine/model-answers.ts';
import { KEYS, startHttp } from '../support/http/http-app.ts';
import { ask, say } from '../support/http/send-request.ts';

const usage = { input_tokens: 10, output_tokens: 2 };

/** A task with one call of a tool, and the same answers once more for its rerun. */
const todo = [plans('Note it'), acts('todo', 'add Tea'), finishes(), concludes('Noted')].map((text) => ({
  text,
  usage,
}));

const [, , OPS] = KEYS.map(({ key }) => key) as [string, string, string];
const headers = { 'x-api-key': OPS };

/** A service with keys, in which an operator has had a task done. */
const openRecorded = async (more: object[] = todo) => {
  const { port, engine } = await startHttp([...todo, ...more], { apiKeys: KEYS });
  const { turn } = await say(port, 's1', 'Note tea', headers);
  const get = async (path: string) => {
    const { json } = await ask(port, path, { headers });
    return { json: json as Record<string, unknown> };
  };
  const rerun = async (body: Record<string, unknown>) => {
    const { status, headers: sent, json } = await ask(port, '/v1/reruns', { headers, body });
    return { status, location: String(sent.location), json: json as Record<string, unknown> };
  };
  /** The rerun once it is over. */
  const over = async (location: string): Promise<RerunView> => {
    await expect.poll(async () => (await get(location)).json.state).not.toBe('running');
    return RerunView.parse((await get(location)).json);
  };
  return { port, engine, turn, get, rerun, over };
};

describe('POST /v1/reruns', () => {
  it("runs an operator's task again, and gives the report and the traces of its runs, but changes nothing of the owner's", async () => {
    const { port, turn, get, rerun, over, engine } = await openRecorded();
    const before = [await Array.fromAsync(engine.sessionTrace('ops', 's1')), (await get('/v1/todos')).json];
    const started = await rerun({ task_ids: [turn.task_id] });
    expect([started.status, started.json]).toMatchObject([202, { state: 'running', report: null, runs: { all: 1 } }]);
    const location = started.location;
    const { report, ...summary } = await over(location);
    expect(summary).toMatchObject({ state: 'done', same: true, runs: { done: 1, all: 1 }, model: null });
    expect(report?.tasks[0]?.lanes).toMatchObject([
      { lane: 'recorded', state: 'done', calls: 4, writes: [{ tool: 'todo', input: 'add Tea' }] },
      { lane: 'again', same: true, first_difference: null, calls: 4, usage: { input_tokens: 40, output_tokens: 8 } },
    ]);
    const trace = await ask(port, report!.tasks[0]!.lanes[1]!.trace ?? '', { headers });
    expect(await replayTrace(trace.text)).toMatchObject({ ok: true });
    expect([await Array.fromAsync(engine.sessionTrace('ops', 's1')), (await get('/v1/todos')).json]).toEqual(before);
    expect((await get('/v1/sessions')).json.sessions).toHaveLength(1);
    expect((await get('/v1/reruns')).json.reruns).toEqual([summary]);
  });

  it("counts its model calls in the owner's usage, and stops at the daily quota", async () => {
    const { get, rerun, over, port } = await openRecorded();
    const quota = await ask(port, '/v1/quotas/ops', { method: 'PATCH', headers, body: { tokens_per_day: 72 } });
    expect(quota.status).toBe(200);
    const { report } = await over((await rerun({ session_id: 's1' })).location);
    expect(report?.tasks[0]?.lanes[1]).toMatchObject({ same: null, calls: 2, ended: { kind: 'quota' } });
    expect((await get('/v1/usage')).json.today).toMatchObject({ calls: 6, usage: { input_tokens: 60 } });
  });

  it('takes a trace, and stops and forgets a rerun that is deleted', async () => {
    const { engine, rerun, get, port } = await openRecorded([new Promise<never>(() => {})] as never);
    const trace = await Array.fromAsync(engine.sessionTrace('ops', 's1'));
    const started = await rerun({ trace });
    const location = started.location;
    expect((await rerun({ trace })).status).toBe(429);
    expect((await ask(port, location, { method: 'DELETE', headers })).status).toBe(204);
    expect((await get(location)).json.type).toBe('/problems/rerun-not-found');
  });

  it('refuses what cannot be run again', async () => {
    const { rerun } = await openRecorded();
    const refused: [body: Record<string, unknown>, status: number, type: string][] = [
      [{}, 400, '/problems/invalid-request'],
      [{ session_id: 's1', task_ids: ['task_1'] }, 400, '/problems/invalid-request'],
      [{ session_id: 'nobody' }, 404, '/problems/session-not-found'],
      [{ task_ids: ['task_0'] }, 404, '/problems/task-not-found'],
      [{ trace: [{ v: 1 }] }, 422, '/problems/trace-not-readable'],
      [{ session_id: 's1', max_cost: '1' }, 400, '/problems/invalid-request'],
    ];
    for (const [body, status, type] of refused)
      expect([body, (await rerun(body)).status, (await rerun(body)).json.type]).toEqual([body, status, type]);
  });

  it('fails with the reason for a model that cannot be used', async () => {
    const { rerun, over } = await openRecorded();
    const failed = await over((await rerun({ session_id: 's1', model: 'gpt' })).location);
    expect(failed).toMatchObject({ state: 'failed', report: null, reason: expect.stringContaining('"gpt"') });
  });
});
