import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { replay } from '../../src/history/replay.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { cli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';
import { type Node, startCluster } from '../support/postgres/cluster.ts';
import { freshDatabase } from '../support/postgres/database-of.ts';
import { act, answer, ask, done, plan, replanned } from '../support/service/answers.ts';

/** A place to store in, with the commands on it, and a service of it. */
const placeOf = (cwd: string, env: Record<string, string>) => ({
  cwd,
  run: (...words: string[]) => cli(words, { cwd, env }),
  serve: async (key: string) => {
    const serve = await startServe({ cwd, env });
    const send = async (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(serve.url + path, {
        ...init,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      });
    return {
      get: async (path: string): Promise<unknown> => (await send(path)).json(),
      trace: async (session: string): Promise<string> => (await send(`/v1/sessions/${session}/trace`)).text(),
      say: async (session: string, input: string): Promise<unknown> =>
        (await send(`/v1/sessions/${session}/turns`, { method: 'POST', body: JSON.stringify({ input }) })).json(),
      stop: async () => {
        serve.child.kill('SIGTERM');
        await serve.ended;
      },
    };
  },
});

/** All that an owner has, as a user sees it, once so many calls of the first task's are kept: that comes a little after its answer. */
const seenAt = async ({ get, trace }: Awaited<ReturnType<ReturnType<typeof placeOf>['serve']>>, calls: number) => {
  const traces = await Promise.all(['s1', 's2', 's3'].map(trace));
  const kept = `tasks/${entriesOf(traces[0]!).find(({ task_id }) => task_id !== null)?.task_id}/calls`;
  await expect.poll(() => get(`/v1/${kept}`)).toMatchObject({ calls: { length: calls } });
  const paths = ['todos', 'schedule', 'tasks', 'sessions', 'usage', 'callbacks', 'sessions/s3/plans', kept];
  const lists = await Promise.all(paths.map(async (path) => [path, await get(`/v1/${path}`)]));
  return { traces, lists: Object.fromEntries(lists) as Record<string, unknown> };
};

const entriesOf = (trace: string): TraceEntry[] =>
  trace
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TraceEntry);

it('an owner moves from SQLite to PostgreSQL and back with all that is stored, and is answered in both', async () => {
  const model = await startMessagesServer([]);
  onTestFinished(() => model.close());
  const env = { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url };
  const folder = placeOf(temporaryFolder(), env);
  const databaseUrl = await freshDatabase();
  const database = placeOf(temporaryFolder(), { ...env, TRIPACT_DATABASE_URL: databaseUrl });
  const back = placeOf(temporaryFolder(), env);

  const key = (await folder.run('keys', 'add', 'ada', '--turns-per-day', '50')).stdout.trim();
  const first = await folder.serve(key);
  const say = (session: string, input: string, answers: Parameters<typeof model.answer>[0]) => {
    model.answer(answers);
    return first.say(session, input);
  };
  await say('s1', 'Plan the party 🎉', [
    plan('write it down', 'find a room'),
    act('todo', 'add cake #food'),
    done('noted'),
    replanned('find a room'),
    ask('Which room?'),
  ]);
  await say('s2', 'Write to Bob', [plan('write'), ask('Which Bob?')]);
  await say('s3', 'Note it', [plan('note it'), done('noted'), answer('Noted.')]);
  await say('s3', '/todo add bread', []);
  await say('s3', '/schedule add 2031-05-01 18:00 party --remind 10:00', []);
  await say('s3', '/plan create week --steps "first" "second"', []);
  const seen = await seenAt(first, 5);
  expect(JSON.stringify(seen.lists)).toMatch(/cake.*party.*Which Bob.*week.*prompt_chars/);
  // The file is not read while anything may change.
  expect(await folder.run('export', 'ada')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('Another process uses this data folder'),
  });
  await first.stop();

  const exported = await folder.run('export', 'ada');
  expect(exported).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^It does not contain the sessions' folders/),
  });
  expect(exported.stdout).not.toContain(key);
  writeFileSync(join(database.cwd, 'ada.ndjson'), exported.stdout);
  const imported = await database.run('import', 'ada.ndjson');
  expect(imported).toMatchObject({ code: 0, stdout: 'Imported ada (sessions: 3, tasks: 3)\n' });
  expect(imported.stderr).toContain('every caller of this service needs one');
  expect(await database.run('import', 'ada.ndjson')).toMatchObject({
    code: 1,
    stderr: '"ada" already has data here: nothing was imported\n',
  });

  const second = await database.serve(key);
  expect(await seenAt(second, 5)).toEqual(seen);
  for (const trace of seen.traces)
    expect(await replay(entriesOf(trace), { gapless: true })).toMatchObject({ ok: true });
  expect((await database.run('export', 'ada')).stderr).toContain('uses this database exclusively; stop it');
  model.answer([answer('Booked.')]);
  expect(await second.say('s1', 'the small one')).toMatchObject({ status: 'answered', output: 'Booked.' });
  await second.say('s3', '/todo add tea');
  const later = await seenAt(second, 6);
  await second.stop();

  writeFileSync(join(back.cwd, 'ada.ndjson'), (await database.run('export', 'ada')).stdout);
  expect(await back.run('import', 'ada.ndjson')).toMatchObject({ code: 0 });
  const third = await back.serve(key);
  expect(await seenAt(third, 6)).toEqual(later);
  model.answer([answer('Written.')]);
  expect(await third.say('s2', 'Bob Smith')).toMatchObject({ status: 'answered', output: 'Written.' });
  await third.stop();
});

it('an owner moves into running nodes, and is exported once none of them serves it', async () => {
  const cluster = await startCluster(2, ['ada', 'bob']);
  const { model, nodes, databaseUrl } = cluster;
  const [one, two] = nodes as [Node, Node];
  const env = {
    TRIPACT_MODEL: 'anthropic:m',
    ANTHROPIC_BASE_URL: model.url,
    TRIPACT_API_KEYS: 'ada:key-of-ada-0123456789',
  };
  const folder = placeOf(temporaryFolder(), env);
  const first = await folder.serve('key-of-ada-0123456789');
  model.answer([plan('write'), ask('Which Bob?')]);
  await first.say('s1', 'Write to Bob');
  const trace = await first.trace('s1');
  await first.stop();
  const database = placeOf(temporaryFolder(), { ...env, TRIPACT_DATABASE_URL: databaseUrl });
  writeFileSync(join(database.cwd, 'ada.ndjson'), (await folder.run('export', 'ada')).stdout);
  expect(await database.run('import', 'ada.ndjson')).toMatchObject({ code: 0 });

  model.answer([answer('Written.')]);
  const body = JSON.stringify({ input: 'Bob Smith' });
  const said = await cluster.ask(one, 'ada', '/v1/sessions/s1/turns', { method: 'POST', body });
  expect(await said.json()).toMatchObject({ status: 'answered', output: 'Written.' });
  const now = await cluster.trace(two, 'ada', 's1');
  expect(now.slice(0, entriesOf(trace).length)).toEqual(entriesOf(trace));
  const held = await database.run('export', 'ada');
  expect(held).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The node http:\S+ serves "ada"/),
  });
  await Promise.all(nodes.map((node) => node.stop()));
  expect(await database.run('export', 'ada')).toMatchObject({ code: 0, stdout: expect.stringContaining('Written.') });
});
