import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { answerQuestions } from '../../src/store/sqlite/answer-questions.ts';
import { planningTool } from '../../src/tools/planning/planning-tool.ts';
import { BLOCKED_MS_MAX, blockedFor } from '../expressions/blocked-for.ts';
import { someone } from './owner-database.ts';

const MIGRATIONS = ['003-named-plans', '019-named-plan-bytes', '025-named-plan-counts'];

it('as many plans as a session may have, with the longest steps and notes, are listed and marked at once', () => {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  db.pragma('foreign_keys = OFF');
  for (const name of MIGRATIONS)
    db.exec(readFileSync(new URL(`../../src/store/sqlite/migrations/${name}.sql`, import.meta.url), 'utf8'));
  const text = '步'.repeat(2_000);
  db.prepare(
    `INSERT INTO named_plans WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
     SELECT i, 'local', 's1', 'plan-' || i, 'title', 0, 0, 0 FROM n`,
  ).run();
  db.prepare(
    `INSERT INTO named_plan_steps WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
     SELECT id, i, ?, 'not_started', ? FROM named_plans, n`,
  ).run(text, text);
  const answer = answerQuestions(db);
  const run = (input: string) => answer(planningTool.run(input, someone));
  expect(run('list').result).toContain('plan-99');
  expect(blockedFor(() => run('list'))).toBeLessThan(BLOCKED_MS_MAX);
  expect(run('mark plan-7 3 completed')).toMatchObject({ ok: true });
  expect(blockedFor(() => run('mark plan-7 3 completed'))).toBeLessThan(BLOCKED_MS_MAX);
  expect(run('mark plan-7 201 completed').ok).toBe(false);
});
