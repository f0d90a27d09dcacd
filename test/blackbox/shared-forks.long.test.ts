import { expect, it } from 'vitest';
import type { LimitView } from '../../contracts/service-limits.ts';
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

/** Longest that the event loop may be held by a removal, in milliseconds of processor time. */
const BLOCK_MS_MAX = 50;

const input = (call: number): string => `${call} ${'input '.repeat(INPUT_CHARS / 6)}`;

const startLong = (): Promise<Service> => {
  let call = 0;
  const model = createScriptedModel({
    plan: plans('Look'),
    thought: () => {
      call += 1;
      return call > CALLS ? asks('What now?') : acts('search', input(call));
    },
    replan: concludes('Done'),
  });
  const rounds = { TRIPACT_MAX_STEPS: '1000', TRIPACT_MAX_TOTAL_STEPS: '1000', TRIPACT_MAX_ROUNDS_PER_ITEM: '1000' };
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
  const service = await startLong();
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
