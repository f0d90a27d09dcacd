import type { Database } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createScriptedModel, type Script } from '../../src/models/scripted.ts';
import type { PruneOptions } from '../../src/runtime/port.ts';
import type { RemovableSession } from '../../src/store/port.ts';
import { createStatementRunner } from '../../src/store/sqlite/run-statements.ts';
import { namedPlans } from '../../src/tools/planning/named-plans.ts';
import { todoTool } from '../../src/tools/todo/todo-tool.ts';
import { asking, asks, echo, plans } from '../support/engine/model-answers.ts';
import { type OpenedSetup, openEngine } from '../support/engine/open-engine.ts';
import { never, sessionOf } from '../support/engine/test-session.ts';
import { answered } from '../tools/owner-database.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const SCOPE = { owner: 'local', session_id: 's1' };

/** An engine on the first of January, which the test can take to another day. */
const onNewYear = async (script: Script, more: Partial<OpenedSetup> = {}) => {
  let now = START;
  const opened = await openEngine({ ...more, model: createScriptedModel(script), now: () => now });
  const { engine } = opened;
  const prune = async (options: Partial<PruneOptions> = {}): Promise<string[]> => {
    const removed: RemovableSession[] = [];
    const before = now - 90 * DAY_MS;
    for await (const batch of engine.prune({ before, includeWaiting: false, ...options })) removed.push(...batch);
    return removed.map(({ owner, session_id }) => `${owner}/${session_id}`);
  };
  const pass = (days: number): void => {
    now += days * DAY_MS;
  };
  const names = async (owner = 'local'): Promise<string[]> =>
    (await engine.sessions(owner, { limit: 100 })).items.map(({ session_id }) => session_id);
  return { ...opened, engine, prune, pass, names };
};

/** The number of rows in each table that belongs to a session, directly or not. */
const rowsOfSessions = (db: Database): Record<string, unknown> => {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
  const belongs = new Set(['sessions']);
  for (let size = 0; size < belongs.size; ) {
    size = belongs.size;
    for (const table of tables) {
      const parents = db.pragma(`foreign_key_list(${table})`) as { table: string }[];
      if (parents.some((parent) => belongs.has(parent.table))) belongs.add(table);
    }
  }
  return Object.fromEntries(
    [...belongs].map((table) => [table, db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()]),
  );
};

describe('Pruning', () => {
  it('removes a session that was not used for long, and keeps one that was', async () => {
    const { engine, prune, pass, names } = await onNewYear(echo);
    await sessionOf(engine, 'old').ask('One');
    pass(60);
    await sessionOf(engine, 'young').ask('Two');
    pass(31);
    expect(await prune()).toEqual(['local/old']);
    expect(await names()).toEqual(['young']);
    await expect(engine.session('local', 'old')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    expect(await sessionOf(engine, 'young').trace()).toHaveLength(4);
  });

  it('leaves no row of the session in any table that belongs to it, and every key of the others whole', async () => {
    const { engine, prune, pass, db } = await onNewYear(echo);
    const session = sessionOf(engine, 's1');
    await session.ask('One');
    await session.ask('/status');
    createStatementRunner(db)(namedPlans.create(SCOPE, { plan_id: 'trip', title: 'A trip', steps: ['Pack'] }, START));
    // An ended task keeps no snapshot; one that was left behind must go all the same.
    db.exec("INSERT INTO snapshots (task, seq, machine, body) SELECT id, first_seq, 1, '{}' FROM tasks");
    db.exec("INSERT INTO approvals (task, approver, self) SELECT id, 'role:finance', 1 FROM tasks");
    db.exec(
      `INSERT INTO model_calls (task, owner, effect, at, contract, model, duration_ms, outcome, prompt_chars, answer_chars, structured_output, body)
       SELECT id, owner, 1, 0, 'plan', 'm', 0, 'aborted', 0, 0, 0, x'00' FROM tasks`,
    );
    db.exec(
      "INSERT INTO outbox (id, reader, owner, session, event, state, created_at) SELECT 'c', owner, owner, id, 'turn.finished', 'delivered', 0 FROM sessions",
    );
    db.exec("INSERT INTO session_tools (session, tool) SELECT id, 'todo' FROM sessions");
    db.exec("INSERT INTO session_costs (session, currency, cost) SELECT id, 'USD', '0.01' FROM sessions");
    // A session with a goal to come is kept.
    const { goals, ...rows } = rowsOfSessions(db);
    expect(goals).toBe(0);
    expect(Object.values(rows)).not.toContain(0);
    pass(91);
    await prune();
    expect(Object.values(rowsOfSessions(db)).filter((count) => count !== 0)).toEqual([]);
    expect(db.pragma('foreign_key_check')).toEqual([]);
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
  });

  it('counts what a task did after its input as use', async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    const { engine, prune, pass, names } = await onNewYear({ ...echo, plan: [promise as Promise<never>] });
    const session = sessionOf(engine);
    const turn = await session.send('Think long');
    pass(60);
    resolve(plans('Think'));
    await session.reply(turn);
    pass(60);
    expect(await prune()).toEqual([]);
    expect(await names()).toEqual(['s1']);
  });

  it('keeps a session whose task runs, and those whose inputs wait for it', async () => {
    const { engine, prune, pass } = await onNewYear({ plan: [new Promise(() => {})] });
    const session = sessionOf(engine);
    await session.send('Think for ever');
    await session.send('And then this');
    pass(400);
    expect(await prune({ includeWaiting: true })).toEqual([]);
  });

  it('keeps tasks that wait or are paused, unless those are asked for too', async () => {
    const limits = { max_steps: 1 };
    const { engine, prune, pass } = await onNewYear([...asking('Where?'), plans('Look'), asks('What?')], { limits });
    await sessionOf(engine, 'waits').ask('Go');
    await sessionOf(engine, 'pauses').ask('Look');
    expect(await sessionOf(engine, 'pauses').ask('That')).toMatchObject({ status: 'paused' });
    pass(91);
    expect(await prune()).toEqual([]);
    expect(await prune({ includeWaiting: true })).toEqual(['local/waits', 'local/pauses']);
  });

  it('keeps a session that a reminder will still come to, and its todos always', async () => {
    const { engine, prune, pass, db } = await onNewYear(echo);
    await sessionOf(engine).ask('One');
    const todo = answered(todoTool, db);
    const call = { ...SCOPE, now: START, timezone: 'UTC', language: 'en', metadata: {} } as const;
    expect(todo.run('add Pay taxes --remind "2026-06-01 09:00"', call)).toMatchObject({ ok: true });
    pass(91);
    expect(await prune()).toEqual([]);
    db.exec('UPDATE reminders SET due_at = NULL');
    expect(await prune()).toEqual(['local/s1']);
    expect(todo.run('list', call).result).toContain('Pay taxes');
  });

  it('keeps a session whose events somebody follows', async () => {
    const { engine, prune, pass } = await onNewYear(echo);
    await sessionOf(engine).ask('One');
    const leaving = new AbortController();
    const events = engine.follow('local', 's1', 0, leaving.signal)[Symbol.asyncIterator]();
    for (let i = 0; i < 4; i += 1) await events.next();
    const next = events.next();
    pass(91);
    expect(await prune()).toEqual([]);
    leaving.abort();
    await next;
    expect(await prune()).toEqual(['local/s1']);
  });

  it('removes a session whose follower has broken off', async () => {
    const { engine, prune, pass } = await onNewYear(echo);
    await sessionOf(engine).ask('One');
    for await (const _ of engine.follow('local', 's1', 0, never)) break;
    pass(91);
    expect(await prune()).toEqual(['local/s1']);
  });
});
