import { expect, it } from 'vitest';
import type { LimitView } from '../../contracts/limit-views.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { quickTool } from '../support/engine/controlled-tools.ts';
import { acts, asks, concludes, plans } from '../support/engine/model-answers.ts';
import { longestBlock } from '../support/longest-block.ts';
import { type Service, startService } from '../support/service/service.ts';

/** Calls of a tool in the original: each has three entries, with the input in two of them. */
const CALLS = 155;

/** Characters of each call's input; the longest that is taken is 32,000. */
const INPUT_CHARS = 30_000;

const FORKS = 100;

/** Bytes that all forks together may add to the database: less than one copy of the history, in which they all begin. */
const GROWN_BYTES_MAX = 12 * 1024 * 1024;

/** Calls of a tool in a history of as many entries as a fork may begin with: each has three, and few others are beside them. */
const SHORT_CALLS = 990;

/** Longest that the event loop may be held by a fork, its preview or a removal, in milliseconds of processor time. */
const BLOCK_MS_MAX = 50;

const input = (call: number): string => `${call} ${'input '.repeat(INPUT_CHARS / 6)}`;

/** A service with a model that calls a tool so often with inputs of so many characters, and asks then. */
const startLong = (calls: number, inputOf: (call: number) => string): Promise<Service> => {
  let call = 0;
  const model = createScriptedModel({
    plan: plans('Look'),
    thought: () => {
      call += 1;
      return call > calls ? asks('What now?') : acts('search', inputOf(call));
    },
    replan: concludes('Done'),
  });
  const rounds = { TRIPACT_MAX_STEPS: '5000', TRIPACT_MAX_TOTAL_STEPS: '5000', TRIPACT_MAX_ROUNDS_PER_ITEM: '5000' };
  const tools = [quickTool('search', (text) => ({ ok: true, result: text.slice(0, 9_000) }))];
  return startService([], rounds, { model, file: { tools } });
};

const limit = async (service: Service, name: string): Promise<number> => {
  const { limits } = await service.get<{ limits: LimitView[] }>('/v1/limits');
  return limits.find((row) => row.name === name)?.used ?? Number.NaN;
};

const traceText = async (service: Service, session: string): Promise<string> =>
  (await fetch(`${service.url}/v1/sessions/${session}/trace`)).text();

it(`${FORKS} forks of a task of 15 MB take less than another copy of it, and stay when it is removed`, async () => {
  const service = await startLong(CALLS, input);
  const { task_id } = await service.say('s1', 'Look around');
  const history = await limit(service, 'stored_bytes');
  const before = await limit(service, 'database_bytes');
  const began = performance.now();
  for (let i = 0; i < FORKS; i += 1) {
    const forked = await service.post(`/v1/tasks/${task_id}/fork`, { session_id: `fork${i}` });
    expect(forked.status).toBe(201);
  }
  const forkMs = (performance.now() - began) / FORKS;
  const grown = (await limit(service, 'database_bytes')) - before;
  const first = await traceText(service, 'fork0');
  const last = await traceText(service, `fork${FORKS - 1}`);
  const removal = performance.now();
  const blockMs = await longestBlock(async () => {
    expect((await fetch(`${service.url}/v1/sessions/s1`, { method: 'DELETE' })).status).toBe(204);
  });
  const removeMs = performance.now() - removal;
  console.log(JSON.stringify({ history, before, grown, forkMs, removeMs, blockMs }));
  expect(await traceText(service, 'fork0')).toBe(first);
  expect(await traceText(service, `fork${FORKS - 1}`)).toBe(last);
  expect(grown).toBeLessThan(GROWN_BYTES_MAX);
  expect(blockMs).toBeLessThan(BLOCK_MS_MAX);
});

it.each([
  ['of 15 MB', CALLS, input],
  ['of nearly 3,000 entries', SHORT_CALLS, String],
])('a fork of a task %s, a fork of that and what they would recall hold up nobody', async (_, calls, inputOf) => {
  const service = await startLong(calls, inputOf);
  const { task_id } = await service.say('s1', 'Look around');
  const forked = async (session_id: string, of: string | null): Promise<string> => {
    const made = await service.post(`/v1/tasks/${of}/fork`, { session_id });
    expect(made.status).toBe(201);
    const { task } = (await made.json()) as TurnView;
    return task?.id ?? 'none';
  };
  const blocks: Record<string, number> = {};
  const measured = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const done = Promise.withResolvers<Result>();
    blocks[name] = await longestBlock(async () => done.resolve(await work()));
    return done.promise;
  };
  // Loads what counts, which a service does by itself once it listens.
  await fetch(`${service.url}/metrics`);
  const first = await measured('fork', () => forked('s2', task_id));
  await measured('fork of the fork', () => forked('s3', first));
  await measured('preview', () => service.get(`/v1/tasks/${task_id}/fork`));
  console.log(JSON.stringify(blocks));
  for (const [name, ms] of Object.entries(blocks)) expect(ms, name).toBeLessThan(BLOCK_MS_MAX);
});

it('a task of 15 MB that is removed while it is forked holds up nobody, and its fork is whole or there is none', async () => {
  const service = await startLong(CALLS, input);
  const { task_id } = await service.say('s1', 'Look around');
  const original = (await service.trace('s1')).length;
  await fetch(`${service.url}/metrics`);
  const blockMs = await longestBlock(async () => {
    const [forked, removed] = await Promise.all([
      service.post(`/v1/tasks/${task_id}/fork`, { session_id: 's2' }),
      fetch(`${service.url}/v1/sessions/s1`, { method: 'DELETE' }),
    ]);
    expect(removed.status).toBe(204);
    expect([201, 404]).toContain(forked.status);
    if (forked.status === 201) expect(await service.trace('s2')).toHaveLength(original + 1);
    else expect((await fetch(`${service.url}/v1/sessions/s2`)).status).toBe(404);
  });
  expect(blockMs).toBeLessThan(BLOCK_MS_MAX);
});
