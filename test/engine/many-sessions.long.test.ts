import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { unpack } from '../../src/store/sql/frames.ts';
import { asks, concludes, finishes, plans } from '../support/engine/model-answers.ts';
import { openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const WAITING = 10_000;

/** Copies the first session, with its task, its trace, its snapshot and its turn, until there are so many. */
const COPY = (count: number): string => `
  WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
  INSERT INTO sessions (id, owner, session_id, timezone, created_at, updated_at)
    SELECT i, owner, 's' || i, timezone, created_at, updated_at FROM sessions, n WHERE id = 1;
  INSERT INTO tasks (id, task_id, session, owner, state, first_seq, touched_at_seq)
    SELECT s.id, t.task_id || 'x' || s.id, s.id, t.owner, t.state, t.first_seq, t.touched_at_seq
    FROM tasks t JOIN sessions s ON s.id > 1 WHERE t.id = 1;
  INSERT INTO entries (session, seq, task, at, machine, state, step_count, event, effects)
    SELECT s.id, e.seq, s.id, e.at, e.machine, e.state, e.step_count,
      replace(replace(unpacked(e.event), (SELECT task_id FROM tasks WHERE id = 1), t.task_id), '"s1"', '"' || s.session_id || '"'),
      replace(e.effects, (SELECT task_id FROM tasks WHERE id = 1), t.task_id)
    FROM entries e JOIN sessions s ON s.id > 1 JOIN tasks t ON t.id = s.id WHERE e.session = 1;
  INSERT INTO snapshots (task, seq, machine, body)
    SELECT t.id, p.seq, p.machine, replace(replace(p.body, (SELECT task_id FROM tasks WHERE id = 1), t.task_id), '"s1"', '"s' || t.id || '"')
    FROM snapshots p JOIN tasks t ON t.id > 1 WHERE p.task = 1;`;

describe(`${WAITING} sessions that wait for their users`, () => {
  it('are not loaded when the service starts: only those with something to do are', async () => {
    const model = createScriptedModel({
      plan: plans('Paint'),
      thought: asks('Which colour?'),
      replan: concludes('Painted'),
    });
    const opened = await openEngine({ model });
    await sessionOf(opened.engine, 's1').ask('Paint');
    opened.db.function('unpacked', (text) => unpack(String(text)));
    opened.db.exec(COPY(WAITING));
    // Loading one of them now is recorded.
    opened.db.prepare("UPDATE snapshots SET body = 'unreadable' WHERE task < ?").run(WAITING);
    await opened.engine.close();

    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const { engine, db } = await opened.reopen({ log });
    expect(db.prepare("SELECT count(*) FROM tasks WHERE state = 'awaiting_user'").pluck().get()).toBe(WAITING);
    expect(await sessionOf(engine, `s${WAITING}`).ask('Red')).toMatchObject({ status: 'answered', output: 'Painted' });
    expect(lines).toEqual([]);
    await expect(sessionOf(engine, 's7').send('Red')).rejects.toThrow('unreadable');
  });
});

describe('A session whose rows cannot be read', () => {
  it('keeps no other one from going on, and is logged', async () => {
    const never = new Promise<never>(() => {});
    const model = createScriptedModel({
      plan: [never, never, plans('Dig')],
      thought: finishes(),
      replan: concludes('Dug'),
    });
    const opened = await openEngine({ model });
    await sessionOf(opened.engine, 'broken').send('Dig');
    const first = await sessionOf(opened.engine, 'whole').send('Dig');
    await model.asked(2);
    opened.db.exec("UPDATE entries SET event = '{' WHERE session = 1");
    opened.crash();
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const session = sessionOf((await opened.reopen({ log })).engine, 'whole');
    expect(await session.reply(first)).toMatchObject({ status: 'answered', output: 'Dug' });
    expect(lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)).toMatchObject([
      { session_id: 'broken', level: 50 },
    ]);
  });
});
