import { expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { loadSession } from '../../src/store/sqlite/load-session.ts';
import { prepareReads } from '../../src/store/sqlite/statements.ts';
import { asking } from '../support/engine/model-answers.ts';
import { openSqliteEngine } from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';
import { longestBlock } from '../support/longest-block.ts';

it('a session with 50,000 tasks that ended and 100,000 commands is listed and loaded at once', async () => {
  const { engine, store } = openSqliteEngine({ model: createScriptedModel(asking('Which?')) });
  const asked = await sessionOf(engine).ask('Book a table');
  store.db.exec(`CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT i FROM n;
    INSERT INTO tasks (task_id, session, owner, state, outcome, first_seq, touched_at_seq, view)
      SELECT 'task_' || i, session, owner, 'cancelled', NULL, 100 + i, 100 + i, zeroblob(0) || printf('%.1500c', 'x') FROM n, tasks WHERE tasks.id = 1 AND i <= 50000;
    INSERT INTO turns (turn_id, session, owner, kind, status, input, reply, created_at, finished_at)
      SELECT 'turn_' || i, session, owner, 'command', 'ran', '/help', '{"output":"","question":null,"task":null}', 1, 1 FROM n, (SELECT * FROM turns LIMIT 1)`);
  let listed: unknown;
  const listing = await longestBlock(async () => {
    listed = await engine.sessions('local', { limit: 10 });
  });
  expect(listed).toMatchObject({ items: [{ title: 'Book a table', active_task: { id: asked.task_id } }] });
  expect(listing).toBeLessThan(50);
  const reads = prepareReads(store.db);
  let image: Awaited<ReturnType<typeof loadSession>> | undefined;
  const loading = await longestBlock(async () => {
    image = await loadSession(reads, reads.sessionByName.get('local', 's1')!);
  });
  expect(image?.active?.task.context.task_id).toBe(asked.task_id);
  expect(loading).toBeLessThan(50);
});
