import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { openLocalService } from '../support/cli/local-service.ts';
import { openTypedTerminal, type TypedTerminal } from '../support/cli/typed-terminal.ts';

beforeEach(() => {
  // Nothing of the machine that runs the tests decides which key is shown.
  vi.stubEnv('TRIPACT_API_KEYS', '');
});

/** Asks for a meeting without a time at a terminal, on a service in this process. */
const askForMeeting = async (): Promise<{ terminal: TypedTerminal; ended: Promise<number>; url: string }> => {
  const url = await openLocalService();
  const terminal = openTypedTerminal();
  const ended = run('Schedule a meeting with Anna', { url, session: 'typed' }, terminal);
  await terminal.shows(/Please confirm: When is “meeting with Anna”\?\n> /);
  return { terminal, ended, url };
};

const stateOf = async (url: string): Promise<unknown> => {
  const response = await fetch(`${url}/v1/sessions/typed/tasks`);
  return ((await response.json()) as { tasks: { state: string }[] }).tasks.map(({ state }) => state);
};

describe('run at a terminal', () => {
  it('asks, passes over a blank line, and continues with the answer', async () => {
    const { terminal, ended } = await askForMeeting();
    terminal.type('\r');
    await terminal.shows(/\n> /);
    terminal.type('tomorrow at 10am\r');
    await terminal.shows(/Done: Added #1 meeting with Anna/);
    expect(await ended).toBe(0);
  });

  it('leaves the question open by Ctrl-D, and says how to answer later', async () => {
    const { terminal, ended, url } = await askForMeeting();
    terminal.type('\u0004');
    expect(await ended).toBe(3);
    await terminal.shows(/Answer with: tripact run --url http:\S+ --session typed "<answer>"/);
    expect(await stateOf(url)).toEqual(['awaiting_user']);
  });

  it('withdraws the question and cancels the task by Ctrl-C', async () => {
    const { terminal, ended, url } = await askForMeeting();
    terminal.type('\u0003');
    expect(await ended).toBe(1);
    expect(await stateOf(url)).toEqual(['cancelled']);
  });
});

/** A task in this terminal whose todo tool needs a yes. */
const askForYes = async (goal: string): Promise<{ terminal: TypedTerminal; ended: Promise<number> }> => {
  const model = createScriptedModel([
    { status: 'planned', plan: [goal] },
    { status: 'continue', current_step: 'now', next_action: { tool: 'todo', input: 'add milk' } },
    { status: 'done' },
    ({ task }) => ({ status: 'done', response: `Result: ${task.observations[0]?.result ?? 'nothing ran'}` }),
  ]);
  const url = await openLocalService({ model, env: { TRIPACT_APPROVE: 'todo' } });
  const terminal = openTypedTerminal();
  return { terminal, ended: run(goal, { url, session: 'typed' }, terminal) };
};

describe('run at a terminal, with a tool that needs a yes', () => {
  it.each(['y', 'a', 'always'])('shows tool and input, and runs it after "%s"', async (key) => {
    const { terminal, ended } = await askForYes('Add milk');
    await terminal.shows(/May I run the tool "todo" with this input\?\n\nadd milk\n/);
    await terminal.shows(/y: run it · n: do not run it · always: .* · edit: .*\n> /);
    terminal.type(`${key}\r`);
    await terminal.shows(/Action: todo -> add milk/);
    await terminal.shows(/Result: .*milk/);
    expect(await ended).toBe(0);
  });

  it('runs it with the input that the person makes of it', async () => {
    const { terminal, ended } = await askForYes('Add milk');
    await terminal.shows(/\n> /);
    terminal.type('edit\r');
    await terminal.shows(/New input: add milk/);
    terminal.type(' and bread\r');
    await terminal.shows(/Action: todo -> add milk and bread/);
    await terminal.shows(/Result: .*milk and bread/);
    expect(await ended).toBe(0);
  });
});

describe('run with the schema of its answer', () => {
  it('prints the answer as JSON, and fails where the offline model cannot give it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'schema-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const runWith = async (goal: string, names: string[]): Promise<[number, TypedTerminal]> => {
      const answerSchema = join(folder, `${names.length}.json`);
      const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
      writeFileSync(answerSchema, JSON.stringify({ type: 'object', properties, required: names }));
      const terminal = openTypedTerminal();
      return [await run(goal, { url: await openLocalService(), answerSchema }, terminal), terminal];
    };
    const [done, one] = await runWith('Add milk to my todos', ['said']);
    await one.shows(/\{"said":"Done: /);
    expect(done).toBe(0);
    const [failed, two] = await runWith('把牛奶加到我的待办', ['said', 'more']);
    await two.shows(/无法按要求的格式给出/);
    expect(failed).toBe(1);
  });
});
