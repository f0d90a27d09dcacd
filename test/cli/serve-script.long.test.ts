import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';

const CONFIG = `export default {
  tools: [{
    name: 'refund', description: 'Pays back.', usage: 'refund <order>', writes: true, effect: 'at_most_once', approval: true,
    run: async (input) => ({ ok: true, result: 'paid back for ' + input }),
  }],
};`;

const REFUND = [{ name: 'refund', input: { input: '17' } }];
const FINISH = [{ name: 'finish', input: { response: 'It is paid back.' } }];

/** A project with a tool that needs a yes, and the script in it. */
const project = (script: unknown) => {
  const cwd = temporaryFolder();
  const write = (answers: unknown): void => writeFileSync(join(cwd, 'answers.json'), JSON.stringify(answers));
  writeFileSync(join(cwd, 'tripact.config.ts'), CONFIG);
  write(script);
  return { cwd, write, serve: () => startServe({ cwd }, ['--script', 'answers.json']) };
};

const say = async (url: string, session: string, input: string): Promise<{ output: string }> => {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ input });
  const reply = await fetch(`${url}/v1/sessions/${session}/turns`, { method: 'POST', headers, body });
  return (await reply.json()) as { output: string };
};

it('says what answers and what comes at the end, and gives each task the whole script', async () => {
  const { url, stdout } = await project([REFUND, FINISH]).serve();
  expect(stdout()).toMatch(
    /model +scripted: no model is asked\. .* answers\.json in order, and pauses when none is left/,
  );
  expect(stdout()).toContain(`-d '{"input":"What can you do?"}'`);
  for (const session of ['ann', 'bob']) {
    expect(await say(url, session, 'It broke')).toMatchObject({ status: 'asking', approval: { tool: 'refund' } });
    expect(await say(url, session, 'yes')).toMatchObject({ status: 'answered', output: 'It is paid back.' });
  }
});

it('goes on in the script behind a kill, for a task that waits', async () => {
  const shop = project([REFUND, FINISH]);
  const killed = await shop.serve();
  await say(killed.url, 'ann', 'It broke');
  killed.child.kill('SIGKILL');
  await killed.ended;
  const { url } = await shop.serve();
  expect(await say(url, 'ann', 'yes')).toMatchObject({ status: 'answered', output: 'It is paid back.' });
});

it('pauses a task at the end of the script, says so in the reply, and reads the file anew', async () => {
  const shop = project([REFUND]);
  const { url } = await shop.serve();
  await say(url, 'ann', 'It broke');
  const paused = await say(url, 'ann', 'yes');
  expect(paused).toMatchObject({ status: 'paused', task: { pause_reason: 'model_unavailable' } });
  expect(paused.output).toMatch(/^A script answers here instead of a model, .* answers\.json has run out: request 2 /);
  shop.write([REFUND, FINISH]);
  expect(await say(url, 'ann', 'continue')).toMatchObject({ status: 'answered', output: 'It is paid back.' });
});

it('does not start with a file that is no script', async () => {
  const shop = project({ answers: [] });
  const { code, stderr } = await cli(['serve', '--script', 'answers.json'], { cwd: shop.cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('--script answers.json: it must be a list of answers')]);
});
