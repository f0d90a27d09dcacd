import { afterAll, describe, expect, it } from 'vitest';
import type { Language } from '../../contracts/text.ts';
import { commandOf, createCommands } from '../../src/commands/commands.ts';
import { createPlanCommand, parsePlanEdit, statusCommand } from '../../src/commands/task-commands.ts';
import { createStatementRunner } from '../../src/store/sqlite/run-statements.ts';
import { planningTool } from '../../src/tools/planning/planning-tool.ts';
import { scheduleTool } from '../../src/tools/schedule/schedule-tool.ts';
import { todoTool, viewTool } from '../../src/tools/todo/todo-tool.ts';
import { databaseInMemory } from '../support/engine/empty-store.ts';
import { openTask } from '../support/machine/task-driver.ts';
import { someone } from '../tools/owner-database.ts';

/** Three words in a row that are no option, placeholder or example: prose in English. */
const ENGLISH_PROSE = /(?<!["\w<[|-])[A-Za-z]+,? [a-z]+,? [a-z]+/;

/** A Chinese character. */
const HAN = /\p{Script=Han}/u;

const db = databaseInMemory();
db.prepare(
  "INSERT INTO sessions (owner, session_id, timezone, created_at, updated_at) VALUES ('local', ?, 'UTC', 0, 0)",
).run(someone.session_id);
afterAll(() => {
  db.close();
});
const answer = createStatementRunner(db);
const commands = createCommands([
  ...[todoTool, viewTool, scheduleTool].map(commandOf),
  createPlanCommand(planningTool),
  statusCommand,
]);

const waiting = { en: openTask({ goal: 'Plan' }), zh: openTask({ goal: '计划', language: 'zh' }) };
for (const task of Object.values(waiting)) task.plans('1', { id: 'b', step: '2', depends_on: [] }).asks('?');

const run = (line: string, language: Language): string => {
  const [, name = '', rest = ''] = /^\/(\S+)\s*(.*)$/.exec(line) ?? [];
  const result = answer(
    commands.run(name, rest, { ...someone, language, task: waiting[language].task, queued: 1, decider: 'anybody' }),
  );
  if ('tool' in result) throw new Error(`${line} calls a tool`);
  return result.result;
};

/** Command lines in an order in which later ones find what earlier ones made: good ones, and each kind of bad one. */
const LINES = [
  '/status',
  '/plan',
  '/help',
  '/nonsense',
  '/todo',
  '/todo list',
  '/todo add',
  '/todo add x --tag t --priority 2 --due 2030-01-02 --remind 2030-01-01',
  '/todo add "x',
  '/todo add x --colour 1',
  '/todo add x --due someday',
  '/todo add x --remind 2001-01-01',
  '/todo get 99',
  '/todo search',
  '/todo done 1',
  '/todo done 1',
  '/todo update 1 --remind 2030-01-01',
  '/todo delete 1',
  '/view',
  '/view inbox',
  '/schedule list',
  '/schedule add',
  '/schedule add 2030-01-02 x',
  '/schedule add "2030-01-02 10:00" x --interval 5',
  '/schedule add "2030-01-02 10:00" x --times 2',
  '/schedule add "2030-01-02 10:00" x --remind "2030-01-02 09:00" --interval 10',
  '/schedule add "2030-01-02 10:30" y',
  '/schedule add "every other friday 9:00" z --times 3',
  '/schedule add "every month on day 3 9:00" z --interval 9000',
  '/schedule list',
  '/schedule view',
  '/schedule update 1',
  '/schedule repeat 2 on',
  '/schedule repeat 3 off',
  '/schedule delete 3',
  '/plan fly',
  '/plan list',
  '/plan create',
  '/plan create p --steps a b',
  '/plan mark p 1 completed --notes n',
  '/plan get',
  '/plan delete p',
  '/plan get',
];

describe('what a command reports is in the language it is given', () => {
  it.each(LINES)('%s', (line) => {
    const [english, chinese] = [run(line, 'en'), run(line, 'zh')];
    const unquoted = (text: string): string => text.replace(/“[^”]*”|明天下午三点|每周一上午九点/g, '');
    expect(unquoted(chinese)).not.toMatch(ENGLISH_PROSE);
    expect(unquoted(english)).not.toMatch(HAN);
  });

  it.each(['add', 'drop', 'drop x', 'move 1', 'mark 1 well', ''])('/plan %s, of the plan of the task', (rest) => {
    const usage = (language: Language) => parsePlanEdit(rest, language) as { error: string };
    expect(usage('en').error).toMatch(/^Usage:\n {2}\/plan add <step>\n/);
    expect(usage('zh').error).toMatch(/^用法：\n {2}\/plan add <步骤>\n/);
  });
});

it('/status names the current item of a task, and no item of a finished task', () => {
  const driven = openTask().plans('Count the sheep').asks('Which ones?');
  const call = () => ({ ...someone, language: 'en', task: driven.task, queued: 0, decider: 'anybody' }) as const;
  const status = () => answer(statusCommand.run('', call()));
  expect(status()).toMatchObject({ ok: true, result: expect.stringContaining('Current item: Count the sheep') });
  driven.cancels();
  const ended = status();
  expect(ended).toMatchObject({ result: expect.stringContaining('cancelled (done), 0 of 1 items done') });
  expect(ended).not.toMatchObject({ result: expect.stringContaining('Current item') });
});
