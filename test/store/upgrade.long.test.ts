import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { answersByGoal } from '../support/anthropic/answers-by-goal.ts';
import { makeDataDir } from '../support/engine/empty-store.ts';
import { act, answer, done, type Service, startService } from '../support/service/service.ts';

/** The key that was added to the folder by the build that wrote it. */
const KEY = 'tripact_KJVGhl0JAWB5j_QA0nsPcXq8PzWN8jyq';

const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

/** The model's answers to the tasks that the old build left, from where they stand. */
const ANSWERS = {
  'scenario question: paint': [answer('Painted red.')],
  'scenario approval: add': [done('added'), answer('Approved and added.')],
  'scenario confirm: two steps': [done('one'), answer('Both done.')],
  'scenario limit: long': [answer('Stopped where it was.')],
  'scenario running: think': [done('thought'), answer('Ran to its end.')],
  'scenario finish: queued behind': [
    { status: 'planned', plan: ['list'] },
    act('todo', 'list'),
    done('listed'),
    answer('Queued one answered.'),
  ],
  'scenario toolrun: call': [done('waited'), answer('The tool was called.')],
};

const slow = defineTool({ name: 'slow', description: 'Waits', input: z.string(), run: () => 'waited' });

/** A data folder as the build of version 32 left it, killed in mid-work: its database as SQL. */
const oldFolder = (): string => {
  const dataDir = makeDataDir();
  const db = new Database(join(dataDir, 'tripact.db'));
  db.exec(readFileSync(new URL('./version-32.sql', import.meta.url), 'utf8'));
  db.close();
  return dataDir;
};

const start = async (): Promise<{ service: Service; dataDir: string }> => {
  const dataDir = oldFolder();
  const service = await startService(
    answersByGoal(ANSWERS),
    { TRIPACT_DATA_DIR: dataDir },
    { file: { tools: [slow], builtinTools: ['todo'] } },
  );
  return { service, dataDir };
};

const get = async <Body>(service: Service, path: string): Promise<Body> =>
  (await (await fetch(service.url + path, { headers: HEADERS })).json()) as Body;

const say = async (service: Service, session: string, input: string, headers = {}): Promise<TurnView> => {
  const response = await service.post(`/v1/sessions/${session}/turns`, { input }, { ...HEADERS, ...headers });
  return (await response.json()) as TurnView;
};

/** The newest turn of a session, once all of its turns are finished. */
const finished = async (service: Service, session: string): Promise<TurnView[]> => {
  const turns = async () => (await get<{ turns: TurnView[] }>(service, `/v1/sessions/${session}/turns`)).turns;
  await expect.poll(async () => (await turns()).every(({ finished_at }) => finished_at !== null)).toBe(true);
  return turns();
};

describe('A data folder that an older build left, killed in mid-work', () => {
  it('goes on: questions are answered, approvals decided, pauses continued, and what ran ends under its key', async () => {
    const { service, dataDir } = await start();

    expect(await say(service, 'question', 'red')).toMatchObject({ status: 'answered', output: 'Painted red.' });
    expect(await say(service, 'approval', 'yes')).toMatchObject({ status: 'answered', output: 'Approved and added.' });
    expect(await say(service, 'confirm', 'yes')).toMatchObject({ status: 'answered', output: 'Both done.' });
    expect(await say(service, 'limit', 'continue')).toMatchObject({ status: 'answered' });

    const [queued, ran] = await finished(service, 'running');
    expect(ran).toMatchObject({ status: 'answered', output: 'Ran to its end.' });
    expect(queued).toMatchObject({ status: 'answered', output: 'Queued one answered.' });
    const again = await say(service, 'running', 'scenario running: think', { 'idempotency-key': 'key-running' });
    expect(again.id).toBe(ran!.id);

    expect(await finished(service, 'toolrun')).toMatchObject([{ status: 'answered', output: 'The tool was called.' }]);
    expect(existsSync(join(dataDir, 'tripact.db.32'))).toBe(true);

    // What came since is chained, and a replay says what was before.
    const trace = await (await fetch(`${service.url}/v1/sessions/question/trace`, { headers: HEADERS })).text();
    const lines = trace.trim().split('\n');
    const before = lines.filter((line) => !line.includes('"chain":')).length;
    expect(before).toBeGreaterThan(0);
    const headers = { ...HEADERS, 'content-type': 'application/x-ndjson' };
    const replayed = await fetch(`${service.url}/v1/replay`, { method: 'POST', headers, body: trace });
    expect(await replayed.json()).toEqual({ ok: true, entries: lines.length, unchained: before });
  });

  it('has its todos, schedule, named plans, callbacks, quotas, model calls and ended turns', async () => {
    const { service } = await start();
    expect((await say(service, 'finish', '/todo list')).output).toMatch(/Call Ada.*phone[\s\S]*buy milk.*shop/);
    expect((await say(service, 'finish', '/schedule list')).output).toContain('Dentist');
    expect((await say(service, 'finish', '/plan get trip')).output).toContain('Book a flight');
    expect(await get(service, '/v1/callbacks')).toMatchObject({ callbacks: [{ url: 'http://127.0.0.1:9/never' }] });
    expect(await get(service, '/v1/usage')).toMatchObject({ quota: { turns_per_day: 500 } });
    const turns = await get<{ turns: TurnView[] }>(service, '/v1/sessions/forked/turns');
    expect(turns).toMatchObject({ turns: [{ output: 'All done: milk.', task: { outcome: 'completed' } }] });
    const calls = await get<{ calls: { effect_id: string }[] }>(service, `/v1/tasks/${turns.turns[0]!.task_id}/calls`);
    const read = await get(service, `/v1/tasks/${turns.turns[0]!.task_id}/calls/${calls.calls[0]!.effect_id}`);
    expect(JSON.stringify(read)).toContain('scenario finish: buy milk');
  });

  it('has traces that replay, those of forks too', async () => {
    const { service } = await start();
    for (const session of [
      'finish',
      'failed',
      'cancelled',
      'question',
      'confirm',
      'forked',
      'forked-question',
      'limit',
    ]) {
      const trace = await (await fetch(`${service.url}/v1/sessions/${session}/trace`, { headers: HEADERS })).text();
      const replayed = await fetch(`${service.url}/v1/replay`, {
        method: 'POST',
        headers: { ...HEADERS, 'content-type': 'application/x-ndjson' },
        body: trace,
      });
      expect(await replayed.json(), session).toMatchObject({ ok: true });
      const machines = trace
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as TraceEntry).machine);
      expect(new Set(machines)).toEqual(new Set(['tripact-task@3']));
    }
  });

  it('is taken over by the first start alone, and once', async () => {
    const { service } = await start();
    await say(service, 'question', 'red');
    await service.restart();
    const { turns } = await get<{ turns: TurnView[] }>(service, '/v1/sessions/question/turns');
    expect(turns.map(({ status }) => status)).toEqual(['answered', 'asking']);
  });
});
