import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';
import { runPrinted } from '../support/printed-test/run.ts';
import { offlineTurns } from '../support/service/offline-turns.ts';

it('trace --as-test prints a test that passes as it is, of a task and of a session, from folder and service alike', async () => {
  const cwd = temporaryFolder();
  const [turn] = await offlineTurns(join(cwd, 'data'), { me: 'Add milk to my todos' });
  const printed = await cli(['trace', turn?.task_id ?? '', '--as-test'], { cwd });
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  expect(printed.stdout).toContain('it("replays: Add milk to my todos"');
  const { url } = await startServe({ cwd });
  const served = await cli(['trace', 'me', '--as-test', '--url', url]);
  const passes = { passed: 1, failed: 0 };
  expect(await runPrinted([printed.stdout, served.stdout])).toMatchObject([passes, passes]);
});
