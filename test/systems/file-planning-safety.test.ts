import { readdirSync, rmSync, symlinkSync } from 'node:fs';
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
