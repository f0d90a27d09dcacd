import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/tools/define-tool.ts';
import { calls } from '../support/anthropic/answers.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { type Service, startService } from '../support/service/service.ts';

/** Numbered lines of ten characters each. */
const PAGE = Array.from({ length: 3_000 }, (_, n) => `line ${String(n).padStart(4, '0')}\n`).join('');

const fetchPage = defineTool({
  name: 'fetch_page',
  description: 'Fetches the page.',
  input: z.object({ page: z.string() }),
  effect: 'idempotent',
  writes: false,
  run: () => PAGE,
});

const start = (script: Parameters<typeof startService>[0], dataDir = temporaryFolder()): Promise<Service> =>
  startService(script, { TRIPACT_DATA_DIR: dataDir }, { file: { tools: [fetchPage] } });

const fetching = calls([['fetch_page', { page: 'a' }]]);
const reading = (id: unknown, from?: number) => calls([['read_result', { id, ...(from !== undefined && { from }) }]]);
const finishing = calls([['finish', { response: 'Read.' }]]);

const results = async (service: Service, session: string) =>
  (await service.trace(session)).flatMap(({ event }) => (event.type === 'observation.recorded' ? [event] : []));

const prompt = (service: Service, index: number): string =>
  service.model.requests[index]?.body.messages[0]?.content ?? '';

it('a long result keeps its beginning and its end, and the model reads on in it, from anywhere', async () => {
  const service = await start([fetching, reading('3', 7_000), reading('3', 29_990), finishing]);
  expect(await service.say('s1', 'Read the page')).toMatchObject({ status: 'answered', task: { failed_steps: 0 } });
  const [page, middle, end] = await results(service, 's1');
  expect(page).toMatchObject({ ok: true, left_out: 20_000 });
  expect(page?.result).toBe(`${PAGE.slice(0, 7_000)}\n… [20000 characters are left out here] …\n${PAGE.slice(-3_000)}`);
  expect(prompt(service, 1)).toContain(
    'Of it 20000 characters are left out: read_result with the id "3" and from 7000 reads them.',
  );
  expect(middle?.result).toBe(
    `${PAGE.slice(7_000, 16_500)}\n[characters 7000 to 16499 of 30000]\n[from 16500 reads on]`,
  );
  expect(end?.result).toBe('line 2999\n\n[characters 29990 to 29999 of 30000]');
  const told = service.model.requests.map(({ body }) => body['tools']);
  expect(told[1]).toEqual(told[0]);
});

it('of results that came at once each is read on in by its own number', async () => {
  const both = calls([
    ['fetch_page', { page: 'a' }],
    ['fetch_page', { page: 'b' }],
  ]);
  const service = await start([both, reading('3.1', 7_000), finishing]);
  expect(await service.say('s1', 'Read both')).toMatchObject({ status: 'answered', task: { failed_steps: 0 } });
  expect(prompt(service, 1)).toContain('read_result with the id "3.1" and from 7000 reads them.');
  expect((await results(service, 's1')).at(-1)?.result).toContain(PAGE.slice(7_000, 16_500));
});

it('a result that is not there fails with the reason, whatever is asked for', async () => {
  const asked = ['4', '../../3', '3.1', '', 3];
  const script = [fetching, ...asked.map((id) => reading(id)), reading('3', 30_000), finishing];
  const service = await startService(script, { TRIPACT_FAILURE_LIMIT: '20' }, { file: { tools: [fetchPage] } });
  await service.say('s1', 'Read the page');
  const [, ...read] = await results(service, 's1');
  expect(read.map(({ ok }) => ok)).toEqual([false, false, false, false, true, false]);
  expect(read[0]?.result).toContain('There is no whole result of action 4');
  expect(read.at(-1)?.result).toBe('The result of action 3 that is kept has 30000 characters.');
});

it('a long result is there after a restart, as long as its task lives; replays and forks do without it', async () => {
  const dataDir = temporaryFolder();
  const asking = calls([['ask_user', { question: 'Go on?' }]]);
  const service = await start([fetching, asking, reading('3', 7_000), finishing], dataDir);
  expect(await service.say('s1', 'Read the page')).toMatchObject({ status: 'asking' });
  const folder = join(dataDir, 'workspace', '.sessions', 's1');
  const kept = join(folder, '.files.results');
  expect(readdirSync(join(kept, readdirSync(kept)[0] ?? ''))).toEqual(['3.txt']);
  const { files } = await service.get<{ files: { path: string }[] }>('/v1/sessions/s1/files');
  expect(files.map(({ path }) => path)).not.toContainEqual(expect.stringContaining('results'));
  await service.restart();
  const { id } = (await service.get<{ tasks: { id: string }[] }>('/v1/sessions/s1/tasks')).tasks[0]!;
  const fork = await service.post(`/v1/tasks/${id}/fork`, { session_id: 'f1' });
  expect(fork.status).toBe(201);

  expect(await service.say('s1', 'yes')).toMatchObject({ output: 'Read.', task: { failed_steps: 0 } });
  await expect.poll(() => readdirSync(kept)).toEqual([]);
  rmSync(folder, { recursive: true });
  const trace = await (await fetch(`${service.url}/v1/sessions/s1/trace`)).text();
  const headers = { 'content-type': 'application/x-ndjson' };
  const replayed = await fetch(`${service.url}/v1/replay`, { method: 'POST', headers, body: trace });
  expect(await replayed.json()).toMatchObject({ ok: true });

  service.model.answer([reading('3', 7_000), finishing]);
  expect(await service.say('f1', 'yes')).toMatchObject({ output: 'Read.', task: { failed_steps: 1 } });
  expect((await results(service, 'f1')).at(-1)?.result).toContain('There is no whole result of action 3');
  expect(existsSync(kept)).toBe(false);
});

it('a task or an item that is limited to some tools can still read on; an item without tools calls none', async () => {
  const planned = calls([
    ['plan', { items: [{ id: 'a', step: 'Read', tools: ['fetch_page'] }] }],
    ['fetch_page', { page: 'a' }],
  ]);
  const service = await start([planned, reading('3'), finishing]);
  const turn = await service.say('s1', 'Read the page', { tools: ['fetch_*'] });
  expect(turn).toMatchObject({ status: 'answered', task: { failed_steps: 0, successful_steps: 2 } });
});
