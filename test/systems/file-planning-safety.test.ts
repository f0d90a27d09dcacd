import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/tools/define-tool.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { ask } from '../support/http/send-request.ts';
import { act, answer, done, plan, startService } from '../support/service/service.ts';
import { type DataFolder, openDataFolder } from './session-files.ts';

const on = (data: DataFolder) => ({ TRIPACT_DATA_DIR: data.path });
const oneAction = { plan: plan('Look'), thought: [act('todo', 'list'), done()], replan: answer('ok') };

it('hostile session ids are refused, and odd ones that are allowed stay inside', async () => {
  const data = openDataFolder();
  const service = await startService(oneAction, on(data));
  const before = data.below('.');
  const port = Number(new URL(service.url).port);
  const hostile = ['..%2f..%2fx', '%2e%2e', '.', 'a%00', 'a~b', 'local~s1', '%2fetc', 'a%5cb', 'x'.repeat(65)];
  for (const id of hostile) {
    const { status } = await ask(port, `/v1/sessions/${id}/turns`, { body: { input: 'Look' } });
    expect({ id, status }).toEqual({ id, status: expect.toSatisfy((code: number) => code === 400 || code === 404) });
  }
  expect(data.below('.')).toEqual(before);

  const odd = ['__proto__', 'constructor', '-rf', '_'.repeat(64)];
  for (const id of odd) {
    service.model.answer(oneAction);
    expect(await service.say(id, 'Look')).toMatchObject({ status: 'answered' });
    expect(data.plan(id)).toMatchObject({ status: 'completed' });
  }
  expect(readdirSync(join(data.path, 'workspace', '.sessions')).sort()).toEqual(odd.sort());
  expect(data.below('.').filter((path) => path.endsWith('plan.json'))).toHaveLength(odd.length);
});

it('a link in place of plan.json is replaced, and what it points to stays as it was', async () => {
  const data = openDataFolder();
  const outside = join(temporaryFolder(), 'precious.json');
  writeFileSync(outside, 'precious');
  const service = await startService(oneAction, on(data));
  mkdirSync(data.folder('s1'), { recursive: true });
  for (const name of ['plan.json', 'MISSION.md']) symlinkSync(outside, join(data.folder('s1'), name));
  expect(await service.say('s1', 'Look')).toMatchObject({ status: 'answered' });
  expect(readFileSync(outside, 'utf8')).toBe('precious');
  expect(lstatSync(join(data.folder('s1'), 'plan.json')).isFile()).toBe(true);
  expect(data.plan('s1')).toMatchObject({ status: 'completed' });
});

it("a link in place of the session's folder is not followed, and the task continues without files", async () => {
  const data = openDataFolder();
  const outside = temporaryFolder();
  const service = await startService(oneAction, on(data));
  mkdirSync(join(data.path, 'workspace', '.sessions'), { recursive: true });
  symlinkSync(outside, data.folder('s1'));
  expect(await service.say('s1', 'Look')).toMatchObject({ status: 'answered', output: 'ok' });
  expect(readdirSync(outside)).toEqual([]);
});

it('a tool that puts a link in place of its folder gets nothing written outside, and is not handed it again', async () => {
  const data = openDataFolder();
  const outside = temporaryFolder();
  const swap = defineTool({
    name: 'swap',
    description: 'Misbehaves.',
    input: z.string(),
    async run(_, { workspace }) {
      rmSync(workspace, { recursive: true });
      symlinkSync(outside, workspace);
      return `swapped ${workspace}`;
    },
  });
  const service = await startService(
    { plan: plan('Look'), thought: [act('swap', 'a'), act('swap', 'b'), done()], replan: answer('ok') },
    on(data),
    { file: { tools: [swap] } },
  );
  expect(await service.say('s1', 'Look')).toMatchObject({ status: 'answered' });
  const results = (await service.trace('s1')).flatMap(({ event }) =>
    event.type === 'observation.recorded' ? [{ ok: event.ok, result: event.result }] : [],
  );
  expect(results).toEqual([
    { ok: true, result: expect.stringContaining('swapped') },
    { ok: false, result: expect.stringContaining('a link to somewhere else') },
  ]);
  expect(readdirSync(outside)).toEqual([]);
});
