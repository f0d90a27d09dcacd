import { expect, it } from 'vitest';
import { startMortal } from '../support/service/mortal-service.ts';
import { sendTurn } from '../support/service/sent-turn.ts';
import { act, answer, done, plan } from '../support/service/service.ts';

/**
 * A configuration whose tool gives a file named after what it is to draw. The process of the first call is killed as soon
 * as the file is stored: its result is not yet, as the folder is synced after that.
 */
const killingConfig = (effect: string, name: string): string => `
  import { existsSync, writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  import { z } from '${import.meta.resolve('zod')}';
  import { defineTool } from '${import.meta.resolve('../../src/tripact.ts')}';
  const killOnceStored = (file) => {
    if (existsSync(file)) process.kill(process.pid, 'SIGKILL');
    setImmediate(killOnceStored, file);
  };
  export default {
    tools: [
      defineTool({
        name: 'draw',
        description: 'Draws a chart.',
        input: z.string(),
        effect: '${effect}',
        run: (of, { workspace }) => {
          const call = existsSync('killed') ? 2 : 1;
          const name = ${name};
          writeFileSync('killed', '');
          if (call === 1) killOnceStored(join(workspace, 'files', name));
          return { ok: true, result: 'drawn', files: [{ name, bytes: Buffer.from('chart of ' + name) }] };
        },
      }),
    ],
  };`;

it.each([
  ['a call that is repeated and gives another file', 'idempotent', "of + '-' + call + '.txt'", ['files/sales-2.txt']],
  ['a call that is repeated and gives the same file', 'idempotent', "of + '.txt'", ['files/sales.txt']],
  ['a call that is not repeated', 'at_most_once', "of + '.txt'", []],
])(
  'a process that is killed between a tool’s file and its result leaves no file that no result names: %s',
  async (_, effect, name, kept) => {
    const service = await startMortal({}, killingConfig(effect, name));
    const { model, url } = service;
    model.answer({ plan: plan('Draw'), thought: [act('draw', 'sales'), done('seen')], replan: answer('Drawn.') });
    const turn = await sendTurn(url, 's1', 'Draw the sales');
    await service.ended();
    await service.start();
    expect((await turn.finished()).output).toBe('Drawn.');
    const filesOf = async (): Promise<string[]> =>
      (await service.get<{ files: { path: string }[] }>('/v1/sessions/s1/files')).files
        .map(({ path }) => path)
        .filter((path) => path.startsWith('files/'));
    await expect.poll(filesOf).toEqual(kept);
    const trace = await (await fetch(`${url}/v1/sessions/s1/trace`)).text();
    for (const path of kept) expect(trace).toContain(`"path":"${path}"`);
    await service.killAndStart();
    expect(await filesOf()).toEqual(kept);
  },
);
