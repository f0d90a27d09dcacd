import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { TaskView, TurnView } from '../../contracts/turn-view.ts';
import type { PlanFile } from '../../src/projections/plan-file.ts';
import { type MortalService, startMortal } from '../support/service/mortal-service.ts';
import { act, answer, ask, done, plan, replanned } from '../support/service/service.ts';

const ADA = { authorization: 'Bearer key-of-ada-0123456789' };
const FAY = { authorization: 'Bearer key-of-fay-0123456789' };
const KEYS = { TRIPACT_API_KEYS: 'ada:key-of-ada-0123456789,fay:key-of-fay-0123456789' };

/** A configuration whose tool kills its process where the first call of it begins. */
const killingConfig = (effect: string): string => `
  import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
  import { z } from '${import.meta.resolve('zod')}';
  import { defineTool } from '${import.meta.resolve('../../src/tripact.ts')}';
  export default {
    tools: [
      defineTool({
        name: 'refund',
        description: 'Refunds an order.',
        input: z.string(),
        effect: '${effect}',
        approvers: ['owner:fay'],
        run: (order) => {
          if (!existsSync('killed')) {
            writeFileSync('killed', '');
            process.kill(process.pid, 'SIGKILL');
          }
          appendFileSync('refunded', order);
          return 'refunded';
        },
      }),
    ],
  };`;

const replayed = async ({ url }: MortalService, headers: Record<string, string> = {}): Promise<unknown> => {
  const body = await (await fetch(`${url}/v1/sessions/s1/trace`, { headers })).text();
  const type = { 'content-type': 'application/x-ndjson' };
  return (await fetch(`${url}/v1/replay`, { method: 'POST', headers: { ...headers, ...type }, body })).json();
};

it.each([
  ['idempotent', '1043', 'refunded'],
  ['at_most_once', '', 'outcome unknown'],
])(
  'an approver’s decision is kept where the process is killed before the action has run, and the action runs as its effect says: %s',
  async (effect, refunded, result) => {
    const service = await startMortal(KEYS, killingConfig(effect));
    const { model, url, cwd } = service;
    model.answer({ plan: plan('Refund'), thought: [act('refund', '1043'), done('seen')], replan: answer('Done.') });
    const post = (path: string, headers: Record<string, string>, body: object) =>
      fetch(url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const sent = await post('/v1/sessions/s1/turns', ADA, { input: 'Refund order 1043' });
    const { approval, task_id } = (await sent.json()) as TurnView;
    const decide = () => post(`/v1/approvals/${approval!.id}/decision`, FAY, { type: 'approve' });
    // The reply may be lost with the process.
    const decided = decide().catch(() => null);
    await expect.poll(() => existsSync(join(cwd, 'killed'))).toBe(true);
    await decided;
    await service.killAndStart();

    const get = async <Body>(path: string) => (await (await fetch(url + path, { headers: ADA })).json()) as Body;
    await expect.poll(async () => (await get<TaskView>(`/v1/tasks/${task_id}`)).state).toBe('done');
    expect(existsSync(join(cwd, 'refunded')) ? readFileSync(join(cwd, 'refunded'), 'utf8') : '').toBe(refunded);
    expect((await decide()).status).toBe(409);
    const { turns } = await get<{ turns: TurnView[] }>('/v1/sessions/s1/turns');
    expect(turns[0]).toMatchObject({ decision: { type: 'approve' }, by: { owner: 'fay' }, output: 'Done.' });
    expect(JSON.stringify(model.requests.at(-1))).toContain(result);
    expect(await replayed(service, ADA)).toMatchObject({ ok: true });
  },
);

it('a plan.json that is sent back is taken as a whole or not at all where the process is killed meanwhile', async () => {
  const service = await startMortal();
  const { model, url } = service;
  model.answer([plan('Look', 'Buy'), act('todo', 'list'), done(), replanned({ id: '2', step: 'Buy' }), ask('Which?')]);
  const { task_id } = await service.say('s1', 'Shop');
  const file = '/v1/sessions/s1/files/plan.json';
  const stepsIn = async () => (await service.get<PlanFile>(file)).steps.map(({ description }) => description);
  await expect.poll(stepsIn).toEqual(['Look', 'Buy']);
  for (let ticks = 0; ticks <= 4_096; ticks = ticks === 0 ? 1 : ticks * 4) {
    const before = await service.get<PlanFile>(file);
    const old = before.steps.map(({ description }) => description);
    const added = [`One after ${ticks}`, `Two after ${ticks}`];
    const steps = [...before.steps, ...added.map((description) => ({ description }))];
    const put = fetch(url + file, { method: 'PUT', body: JSON.stringify({ ...before, steps }) }).then(
      ({ status }) => status,
      () => null,
    );
    for (let i = 0; i < ticks; i++) await tick();
    await service.killAndStart();
    const status = await put;
    const taken = (await service.get<TaskView>(`/v1/tasks/${task_id}`)).plan.map(({ step }) => step);
    expect([[...old, ...added], ...(status === null ? [old] : [])]).toContainEqual(taken);
    await expect.poll(stepsIn).toEqual(taken);
  }
  expect(await replayed(service)).toMatchObject({ ok: true });
});
