import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli, temporaryFolder } from '../support/cli/cli-process.ts';

const CONFIG = `export default {
  tools: [{
    name: 'price', description: 'Tells a price.', usage: 'price <article>', writes: false, effect: 'idempotent',
    run: async (input) => ({ ok: true, result: input + ' costs 4.5 euros' }),
  }],
};`;

const prices = [
  { status: 'planned', plan: ['Look the price up'] },
  { status: 'continue', current_step: 'Look', next_action: { tool: 'price', input: 'tea' } },
  { status: 'done' },
];

const APPROVED = CONFIG.replace('writes: false', 'writes: false, approval: true');

/** Runs a goal by a script, in a project with one tool; its data stays from run to run. */
const project = (config = CONFIG) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'tripact.config.ts'), config);
  return {
    run: (script: unknown, ...words: string[]) => {
      writeFileSync(join(cwd, 'answers.json'), typeof script === 'string' ? script : JSON.stringify(script));
      return cli(['run', '--script', 'answers.json', ...words], { cwd });
    },
    /** Types a command line in as it was printed. */
    type: (line: string) => {
      const [, ...words] = line.match(/"[^"]*"|\S+/g) ?? [];
      return cli(
        words.map((word) => word.replaceAll('"', '')),
        { cwd },
      );
    },
    /** The lines of a session's trace. */
    read: async (session = 'tea') => {
      const { stdout } = await cli(['trace', session, '--format', 'json'], { cwd });
      return stdout.trimEnd().split('\n');
    },
  };
};

it('carries a task out by the answers of a file, with the tools of the project, and no model', async () => {
  const { code, stdout, stderr } = await project().run(
    [...prices, [{ name: 'finish', input: { response: 'Tea: 4.5 euros' } }], 'one too many'],
    'What does tea cost?',
  );
  expect([code, stdout]).toEqual([0, 'Tea: 4.5 euros\n']);
  expect(stderr).toContain('Result: ok: tea costs 4.5 euros');
  expect(stderr).toContain('The task ended before it used the last answer of answers.json');
});

it('says which request the script has no answer for, and goes on once the script has one', async () => {
  const shop = project();
  const short = await shop.run(prices, '--session', 'tea', 'What does tea cost?');
  expect([short.code, short.stdout]).toEqual([1, '']);
  expect(short.stderr).toContain('answers.json has run out: request 4 is for a replan for "What does tea cost?"');
  expect(short.stderr).toMatch(
    /Correct answers\.json, then go on with: tripact run --session tea --script answers\.json continue\n$/,
  );
  const whole = [...prices, { status: 'done', plan: [], response: 'Tea: 4.5 euros' }];
  const rest = await shop.run(whole, '--session', 'tea', 'continue');
  expect([rest.code, rest.stdout]).toEqual([0, 'Tea: 4.5 euros\n']);
  expect((await shop.read()).filter((line) => line.includes('"observation.recorded"'))).toHaveLength(1);
});

it('says which answer does not fit its contract, and asks for no other', async () => {
  const { code, stderr } = await project().run(['hello', ...prices], 'What does tea cost?');
  expect(code).toBe(1);
  expect(stderr).toContain('request 1 is for a plan for "What does tea cost?", and its answer is refused: ');
});

it('refuses a file that is no script before anything runs', async () => {
  const shop = project();
  const refused: [script: unknown, says: RegExp][] = [
    ['[', /cannot be read as JSON/],
    [{ answers: [] }, /must be a list of answers, or an object with answers for "plan", "thought" and "replan"/],
    [['done', 7], /answer 2 must be a text, an object or a list of calls/],
    [{ plan: [[{ nam: 'price' }]] }, /answer 1 for plan cannot be read: 0: name/],
  ];
  for (const [script, says] of refused) {
    const { code, stderr } = await shop.run(script, 'What does tea cost?');
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
  }
});

it('prints how to answer, and that very line goes on in the script', async () => {
  const shop = project(APPROVED);
  const asked = await shop.run(
    [[{ name: 'price', input: { input: 'tea' } }], [{ name: 'finish', input: { response: 'Tea: 4.5 euros' } }]],
    '--session',
    'tea',
    'What does tea cost?',
  );
  expect(asked.code).toBe(3);
  expect(asked.stderr).toContain('answers.json has 1 more answer for the rest of the task');
  const [, line = ''] = /Answer with: (.*)\n/.exec(asked.stderr) ?? [];
  expect(line).toBe('tripact run --session tea --script answers.json "<answer>"');
  const answered = await shop.type(line.replace('<answer>', 'yes'));
  expect([answered.code, answered.stdout]).toEqual([0, 'Tea: 4.5 euros\n']);
  expect(answered.stderr).toContain('Result: ok: tea costs 4.5 euros');
});

it('without the script, the offline model says what ran after a yes', async () => {
  const shop = project(APPROVED);
  await shop.run([[{ name: 'price', input: { input: 'tea' } }]], '--session', 'tea', 'What does tea cost?');
  const { code, stdout } = await shop.type('tripact run --session tea yes');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^price tea ran: tea costs 4\.5 euros\n/);
  expect(stdout).not.toContain('Not done');
});
