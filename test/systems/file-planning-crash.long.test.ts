import { expect, it, onTestFinished, vi } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { silence } from '../support/anthropic/answers.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { type CliOptions, startServe } from '../support/cli/cli-process.ts';
import { act, answer, done, plan, replanned } from '../support/service/service.ts';
import { openDataFolder } from './session-files.ts';

const openWorld = async (env: Record<string, string> = {}) => {
  const data = openDataFolder();
  const model = await startMessagesServer();
  onTestFinished(() => model.close());
  const options: CliOptions = {
    cwd: data.path,
    env: { TRIPACT_DATA_DIR: data.path, TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url, ...env },
  };
  return { data, model, start: () => startServe(options) };
};

const say = (url: string, input: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/v1/sessions/s1/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ input }),
  });
const turnOf = async (response: Promise<Response>): Promise<TurnView> => (await (await response).json()) as TurnView;
const todos = async (url: string): Promise<string[]> =>
  (await turnOf(say(url, '/todo list'))).output?.match(/(first|second) thing/g)?.sort() ?? [];

const firstStep = [plan('First', 'Second'), act('todo', 'add first thing'), done('first done')];

it('after kill -9 in mid-task another process continues at the second step by itself, and does the first no second time', async () => {
  const { data, model, start } = await openWorld();
  model.answer([...firstStep, replanned('Second'), act('todo', 'add second thing'), silence()]);
  const serve = await start();
  const key = { 'idempotency-key': 'k1' };
  const taken = await turnOf(say(serve.url, 'Do both', { ...key, prefer: 'respond-async' }));
  await model.asked(6);
  await vi.waitFor(() => expect(data.plan('s1')).toMatchObject({ status: 'running', current_step_index: 1 }), {
    timeout: 10_000,
  });
  serve.child.kill('SIGKILL');
  await serve.ended;

  model.answer([done('second done'), answer('Both are done.')]);
  const next = await start();
  const turn = await turnOf(say(next.url, 'Do both', key));
  expect(turn).toMatchObject({ id: taken.id, status: 'answered', output: 'Both are done.' });
  const contracts = ['plan', 'thought', 'thought', 'replan', 'thought', 'thought', 'thought', 'replan'];
  expect(model.requests.map(({ contract }) => contract)).toEqual(contracts);
  const finished = {
    id: turn.task_id,
    status: 'completed',
    steps: [
      { description: 'First', status: 'completed', result: 'first done' },
      { description: 'Second', status: 'completed', result: 'second done' },
    ],
    current_step_index: 2,
  };
  // The task may have ended before this request came: then the file is not this reply's to wait for.
  await vi.waitFor(() => expect(data.plan('s1')).toMatchObject(finished), { timeout: 10_000 });
  expect(await todos(next.url)).toEqual(['first thing', 'second thing']);
});
