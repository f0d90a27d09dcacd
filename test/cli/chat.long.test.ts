import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionView } from '../../contracts/http.ts';
import { INPUT_BYTES_MAX } from '../../contracts/limits.ts';
import { chat } from '../../src/cli/chat.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { cli } from '../support/cli/cli-process.ts';
import { openLocalService } from '../support/cli/local-service.ts';
import { openTypedTerminal, type TypedTerminal } from '../support/cli/typed-terminal.ts';

const straight = (response: string) => [
  { status: 'planned', plan: [] },
  { status: 'done' },
  { status: 'done', plan: [], response },
];

beforeEach(() => {
  // Nothing of the machine that runs the tests decides which key is shown.
  vi.stubEnv('TRIPACT_API_KEYS', '');
});

/** A conversation that a person types. */
const openChat = (url: string): { terminal: TypedTerminal; left: Promise<number> } => {
  const terminal = openTypedTerminal();
  return { terminal, left: chat({ url, session: 'talk' }, terminal) };
};

describe('chat, typed', () => {
  it('answers a slash command while a task runs, and queues what else is typed', async () => {
    const pending = Promise.withResolvers<{ status: string; plan: string[] }>();
    const model = createScriptedModel([
      pending.promise,
      ...straight('first done').slice(1),
      ...straight('second done'),
    ]);
    const { terminal, left } = openChat(await openLocalService({ model }));
    await terminal.shows(/Session talk, on the service at http:\S+\. /);
    terminal.type('the first\r');
    await model.asked(1);
    terminal.type('the second\r');
    terminal.type('/status\r');
    await terminal.shows(/planning \(/);
    expect(terminal.screen()).not.toContain('first done');
    pending.resolve({ status: 'planned', plan: [] });
    await terminal.shows(/first done/);
    await terminal.shows(/Plan made/);
    await terminal.shows(/second done/);
    terminal.type('\u0004');
    expect(await left).toBe(0);
    await terminal.shows(/come back with: tripact chat --url http:\S+ --session talk/);
  });

  it('keeps the line that is being typed when something else is shown', async () => {
    const pending = Promise.withResolvers<{ status: string; plan: string[] }>();
    const model = createScriptedModel([pending.promise, ...straight('first done').slice(1)]);
    const { terminal, left } = openChat(await openLocalService({ model }));
    terminal.type('the first\r');
    await model.asked(1);
    terminal.type('half a li');
    await terminal.shows(/half a li/);
    pending.resolve({ status: 'planned', plan: [] });
    await terminal.shows(/first done\n> half a li/);
    terminal.type('\u0015\u0004');
    expect(await left).toBe(0);
  });

  it.each(['exit', '/quit', ' Quit ', '退出'])('is left by %j, which is neither an answer nor a task', async (line) => {
    const url = await openLocalService();
    const { terminal, left } = openChat(url);
    terminal.type('Schedule a meeting with Anna\r');
    await terminal.shows(/Please confirm: When is “meeting with Anna”\?/);
    terminal.type(`${line}\r`);
    expect(await left).toBe(0);
    const { active_task } = (await (await fetch(`${url}/v1/sessions/talk`)).json()) as SessionView;
    expect(active_task).toMatchObject({ state: 'awaiting_user' });
  });

  it('cancels the running task by Ctrl-C, and leaves by a second one', async () => {
    const model = createScriptedModel([new Promise(() => {})]);
    const { terminal, left } = openChat(await openLocalService({ model }));
    terminal.type('something long\r');
    await model.asked(1);
    terminal.type('\u0003');
    await terminal.shows(/Cancelling the task/);
    await terminal.shows(/· Cancelled/);
    await terminal.shows(/Cancelled: something long/);
    terminal.type('/todo list\r');
    await terminal.shows(/todo/i);
    await terminal.shows(/\n> /);
    terminal.type('\u0003');
    expect(await left).toBe(0);
    expect(terminal.screen().match(/Cancelled: something long/g)).toHaveLength(1);
    expect(terminal.screen()).not.toContain('goes on');
  });

  it('shows a reminder when it comes due', async () => {
    let ahead = 0;
    const { terminal, left } = openChat(await openLocalService({ now: () => Date.now() + ahead }));
    terminal.type('/todo add call mum --remind "in 1 hour"\r');
    await terminal.shows(/#1 call mum/);
    ahead = 2 * 60 * 60 * 1_000;
    terminal.type('/todo list\r');
    await terminal.shows(/Reminder.*: .*call mum/);
    terminal.type('\u0004');
    expect(await left).toBe(0);
  });
});

describe('chat, from a pipe', () => {
  const env = { TRIPACT_MODEL: 'offline' };

  it('reads line after line, each after the answer to the one before', async () => {
    const input = 'Schedule a meeting with Anna\n\n/todo list\ntomorrow at 10am\n';
    const { code, stdout, stderr } = await cli(['chat', '--session', 'piped'], { env, input });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Please confirm: When is “meeting with Anna”\?\n[^\n]*\S.*\nDone: Added #1 meeting with Anna/s,
    );
    expect(stderr).toContain('· Action: schedule -> add');
    const notes = stderr.trimEnd().split('\n');
    expect(notes.map((line) => /^· (\w+)/.exec(line)?.[1] ?? line).join(' ')).toBe(
      'Session Plan Item Decision Your Replanned Item Decision Action Result Decision Finished The',
    );
    expect(stdout + stderr).not.toContain('\u001b');
  });

  it('ends with 1 where a line was refused, and says which in its words; is left by a line that says so', async () => {
    const input = `${'x'.repeat(INPUT_BYTES_MAX + 1)}\n/todo list\nexit\nnever sent\n`;
    const { code, stdout, stderr } = await cli(['chat'], { env, input });
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'No todos.\n' });
    expect(stderr).toMatch(/^· The input must be at most \d+ bytes of UTF-8$/m);
  });
});
