import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RerunReport } from '../../contracts/rerun.ts';
import { cli, startCli, temporaryFolder } from '../support/cli/cli-process.ts';

/** A project whose model gives these answers by contract, and whose one tool refuses to run. */
const configOf = (answers: Record<string, unknown>) => `
const answers = ${JSON.stringify(answers)};
export default {
  prices: { currency: 'USD', models: { written: { input: 1, output: 1 } } },
  model: {
    name: 'written',
    answer: async ({ contract, task }, signal) => {
      const given = answers[contract];
      if (given === 'never')
        await new Promise((_, reject) => {
          const open = setInterval(() => {}, 1_000);
          signal.addEventListener('abort', () => {
            clearInterval(open);
            reject(signal.reason);
          });
        });
      const next = Array.isArray(given) ? given[task.observations.length] : given;
      return { text: JSON.stringify(next), fault: 'none', usage: { input_tokens: 1_000_000, output_tokens: 0 } };
    },
  },
  tools: [{
    name: 'price', description: 'Tells a price.', usage: 'price <article>', writes: false, effect: 'idempotent',
    run: async (input) => process.argv.includes('rerun') ? { ok: false, result: 'it ran' } : { ok: true, result: input + ' costs 4.5 euros' },
  }],
};`;

const answers = {
  plan: { status: 'planned', plan: ['Look the price up'] },
  thought: [
    { status: 'continue', current_step: 'Look', next_action: { tool: 'price', input: 'tea' } },
    { status: 'done', response: 'Tea costs 4.5 euros' },
  ],
  replan: { status: 'done', response: 'Tea costs 4.5 euros' },
};

const folders = (parent: string): string[] => readdirSync(parent).filter((name) => name.startsWith('tripact-rerun'));

/** A project with the recorded trace of one task, and no data any more. */
const recorded = async () => {
  const cwd = temporaryFolder();
  const write = (given: Record<string, unknown>): void =>
    writeFileSync(join(cwd, 'tripact.config.ts'), configOf({ ...answers, ...given }));
  write({});
  const ran = await cli(['run', '--session', 'tea', 'What does tea cost?'], { cwd });
  expect(ran.code).toBe(0);
  const { stdout } = await cli(['trace', 'tea', '--format', 'json'], { cwd });
  writeFileSync(join(cwd, 'tea.ndjson'), stdout);
  rmSync(join(cwd, 'data'), { recursive: true });
  return { cwd, write };
};

it('ends with 0 where every run has the recorded outcome, and writes nothing', async () => {
  const { cwd } = await recorded();
  const { code, stdout, stderr } = await cli(['rerun', 'tea.ndjson'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/recorded +written +done/);
  expect(stdout).toMatch(/again +written +the same +4 +4 +1 +4000000 +0 +4 USD +0\n$/);
  expect(existsSync(join(cwd, 'data'))).toBe(false);
  const json = await cli(['rerun', 'tea.ndjson', '--json'], { cwd });
  expect(RerunReport.parse(JSON.parse(json.stdout))).toMatchObject({ same: true, tasks: [{ source: 'tea.ndjson' }] });
});

it('ends with 1 where an outcome differs, and names the first difference and the call that was not recorded', async () => {
  const { cwd, write } = await recorded();
  write({ thought: [{ status: 'continue', current_step: 'Look', next_action: { tool: 'price', input: 'cake' } }] });
  const { code, stdout } = await cli(['rerun', 'tea.ndjson'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toMatch(/again +written +OTHER: a call that was not recorded/);
  expect(stdout).toContain('again: ended: a call that was not recorded: price cake\n');
  expect(stdout).toContain(
    'again: first difference at entry 3 (thought.made › next_action.input): recorded "tea", came "cake"',
  );
});

it('compares a candidate by name with the same model again, and stops at --max-cost', async () => {
  const { cwd } = await recorded();
  const compared = await cli(['rerun', 'tea.ndjson', '--model', 'offline'], { cwd });
  expect(compared.stdout).toMatch(/again +written +the same/);
  expect(compared.stdout).toMatch(/candidate +offline +the same, in other words /);
  expect(compared.stdout).toContain('candidate: first difference at entry 2 (plan.made');
  const stopped = await cli(['rerun', 'tea.ndjson', '--max-cost', '2'], { cwd });
  expect(stopped.code).toBe(1);
  expect(stopped.stdout).toContain('again: ended: stopped by --max-cost: 2 of 2 are spent');
});

it('ends at Ctrl-C with what has ended, and leaves no folder', async () => {
  const { cwd, write } = await recorded();
  write({ plan: 'never' });
  const TMPDIR = temporaryFolder();
  const running = startCli(['rerun', 'tea.ndjson', '--json'], { cwd, env: { TMPDIR } });
  // The lanes' folder is there: they run.
  await expect.poll(() => folders(TMPDIR).length).toBe(2);
  running.child.kill('SIGINT');
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(RerunReport.parse(JSON.parse(stdout))).toMatchObject({ same: false, sums: [{}, { unknown: 1 }] });
  expect(folders(TMPDIR)).toEqual([]);
});

it('refuses what cannot be run again before any model is asked', async () => {
  const { cwd } = await recorded();
  const refused: [words: string[], code: number, says: string][] = [
    [['nothing.ndjson'], 2, 'nothing.ndjson: there is no such file'],
    [['tripact.config.ts'], 1, 'tripact.config.ts: Line 2 of the trace is not readable'],
    [['tea.ndjson', '--model', 'gpt'], 2, 'The model "gpt" must be '],
    [['tea.ndjson', '--max-cost', 'much'], 2, '--max-cost much is not an amount, such as 2.50'],
    [['tea.ndjson', '--concurrency', '0'], 2, '--concurrency must be 1 to 64'],
    [['tea.ndjson', '--instructions', 'no.md'], 2, '--instructions no.md cannot be read'],
  ];
  for (const [words, code, says] of refused) {
    const ended = await cli(['rerun', ...words], { cwd });
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringContaining(says)]);
  }
});
