import { expect, it } from 'vitest';
import { freshDatabase } from '../support/postgres/database-of.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

/** Texts that differ from run to run: ids, times, how long something took, and so the chains of what has them. */
const SAME: [RegExp, string][] = [
  [/(task|turn)_[0-9a-z]{26}/g, '$1'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'time'],
  [/"duration_ms":\d+/g, '"duration_ms":0'],
  [/"(chain|chained_from)":"[0-9a-f]{64}"/g, '"$1":"chain"'],
];

/** One story with all that a session can have: tools, a question, a steered task, an approval, a pause, a cancel, a fork. */
const tell = async (env: Record<string, string>): Promise<{ traces: string; todos: unknown; sessions: unknown }> => {
  const service = await startService([], { TRIPACT_APPROVE: 'schedule', ...env });
  const { model } = service;
  const say = async (input: string, answers: Parameters<typeof model.answer>[0], session = 's1') => {
    model.answer(answers);
    return service.say(session, input);
  };
  await say('Plan the party 🎉', [
    plan('write it down', 'find a room'),
    act('todo', 'add cake #food'),
    done('noted'),
    replanned('find a room'),
    ask('Which room?'),
  ]);
  await say('the small one', [
    replanned('book it'),
    act('schedule', 'add 2031-05-01 18:00 party'),
    done(),
    answer('Booked.'),
  ]);
  await say('no', [done(), answer('Not booked.')]);
  await say('/todo list', []);
  const asking = await say('Again', ['no JSON', plan('try'), act('nothing', 'here'), ask('And now?')]);
  model.answer([answer('Forked.')]);
  const forked = await service.post(`/v1/tasks/${asking.task_id}/fork`, { session_id: 's2', input: 'go on' });
  expect(forked.status).toBe(201);
  await service.engine.wait('local', ((await forked.json()) as { id: string }).id, new AbortController().signal);
  await say('/cancel', []);
  const lines = [...(await service.trace('s1')), ...(await service.trace('s2'))].map((entry) => JSON.stringify(entry));
  const same = (text: string): string => SAME.reduce((all, [pattern, name]) => all.replaceAll(pattern, name), text);
  const listed = async (path: string): Promise<unknown> => JSON.parse(same(JSON.stringify(await service.get(path))));
  return { traces: same(lines.join('\n')), todos: await listed('/v1/todos'), sessions: await listed('/v1/sessions') };
};

it('one story has the same trace on SQLite and on PostgreSQL, but for ids and times', async () => {
  const onSqlite = await tell({});
  expect(onSqlite.traces.split('\n').length).toBeGreaterThan(25);
  expect(await tell({ TRIPACT_DATABASE_URL: await freshDatabase() })).toEqual(onSqlite);
});
