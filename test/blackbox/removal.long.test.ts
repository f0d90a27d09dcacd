import { expect, it } from 'vitest';
import { DAY_MS } from '../../src/app/retention.ts';
import { answer, ask, plan, startService } from '../support/service/service.ts';

const asking = { plan: plan('wait'), thought: ask('What now?'), replan: answer('Done') };

it('removes old sessions while turns, streams, traces and lists go on, and nothing is answered with 500', async () => {
  let days = 0;
  const parts = { now: () => Date.now() + days * DAY_MS };
  const service = await startService(asking, { TRIPACT_RETENTION_DAYS: '1' }, parts);
  const names = Array.from({ length: 30 }, (_, i) => `s${i}`);
  const tasks = await Promise.all(names.map(async (name) => (await service.say(name, 'Wait')).task_id));
  await Promise.all(names.map((name) => service.say(name, '/cancel')));
  days = 3;
  const seen: number[] = [];
  const use = async (name: string, i: number): Promise<void> => {
    const replies = await Promise.all([
      service.post(`/v1/sessions/${name}/turns`, { input: '/status' }),
      service.post(`/v1/sessions/${name}/turns`, { input: '/status' }, { accept: 'text/event-stream' }),
      fetch(`${service.url}/v1/sessions/${name}/trace`),
      fetch(`${service.url}/v1/sessions/${name}/tasks`),
      fetch(`${service.url}/v1/tasks/${tasks[i]}/trace`),
      fetch(`${service.url}/v1/tasks/${tasks[i]}`),
      service.post(`/v1/tasks/${tasks[i]}/fork`, {}),
      fetch(`${service.url}/v1/sessions`),
    ]);
    for (const reply of replies) {
      seen.push(reply.status);
      await reply.text();
    }
  };
  const removed = (async () => {
    for await (const _ of service.engine.prune({ before: parts.now() - DAY_MS, includeWaiting: true }));
  })();
  for (let round = 0; round < 3; round += 1) await Promise.all(names.map(use));
  await removed;
  expect(seen.filter((status) => status >= 500)).toEqual([]);
  expect(seen).toContain(200);
});
