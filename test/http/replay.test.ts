import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { goldenFile } from '../support/golden/files.ts';
import { KEYS, startHttp, startHttpOn } from '../support/http/http-app.ts';
import { simpleTask } from '../support/http/model-scripts.ts';
import { type Answer, ask, dial, say } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

const replay = (port: number, body: string, type = 'application/x-ndjson', key?: string): Promise<Answer> =>
  ask(port, '/v1/replay', {
    body,
    headers: { 'content-type': type, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
  });

const golden = (): string => readFileSync(goldenFile('two-items-with-tools', 'jsonl'), 'utf8');

describe('a posted trace', () => {
  it('of this service replays, a session whole or one of its tasks', async () => {
    const { port } = await startHttp(simpleTask(2));
    await say(port, 's1', 'Put milk on the list');
    const { turn } = await say(port, 's1', 'And again');
    const traces = ['/v1/sessions/s1/trace', `/v1/tasks/${turn.task_id}/trace`];
    const found = await Promise.all(traces.map(async (path) => replay(port, (await ask(port, path)).text)));
    expect(found.map(({ json }) => json)).toEqual([12, 6].map((entries) => ({ ok: true, entries })));
  });

  it('of a task of others, or of none, is for operators; a user replays its own', async () => {
    const { port } = await startHttp(simpleTask(1), { apiKeys: KEYS });
    const [ada, bob, ops] = KEYS.map(({ key }) => key) as [string, string, string];
    const { turn } = await say(port, 's1', 'Put milk on the list', { 'x-api-key': ada });
    const trace = (await ask(port, `/v1/tasks/${turn.task_id}/trace`, { headers: { 'x-api-key': ada } })).text;
    const as = (key: string, body: string) => replay(port, body, undefined, key);
    const answers = await Promise.all([as(ada, trace), as(ops, golden()), as(bob, trace), as(bob, golden())]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 403]);
    const [, , foreign, unknown] = answers;
    expect(foreign.problem.type).toBe('/problems/operator-required');
    expect(foreign.text).toBe(unknown.text);
  });

  it('that was tampered with is refused with its first difference', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    const lines = golden().trimEnd().split('\n');
    const tampered = lines.map((line, i) => (i === 1 ? line.replace('"state":"thinking"', '"state":"acting"') : line));
    const { status, json } = await replay(port, tampered.join('\n'));
    expect(status).toBe(200);
    expect(json).toEqual({ ok: false, seq: 2, expected: 'thinking', actual: 'acting' });
  });

  it('longer than 16 MiB is refused', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    const { problem } = await replay(port, ' '.repeat(16 * 1024 * 1024 + 1));
    expect(problem).toMatchObject({ type: '/problems/input-too-large', status: 413 });
  });

  it('is refused while as many as are allowed are replayed, and taken when one of them ends', async () => {
    const { port } = await startHttpOn(stubEngine({}), { serviceLimits: { replays: 1 } });
    const head = 'Host: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: 1000000\r\n\r\n';
    const slow = await dial(port, `POST /v1/replay HTTP/1.1\r\n${head}${golden()}`);
    await expect.poll(async () => (await replay(port, ' ')).status).toBe(429);
    const { problem, headers } = await replay(port, golden());
    expect(problem).toMatchObject({ type: '/problems/too-many-requests', status: 429 });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    slow.destroy();
    await expect.poll(async () => (await replay(port, golden())).status).toBe(200);
  });
});
