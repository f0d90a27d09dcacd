import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createStore } from '../../src/store/sql/store.ts';
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { createStatementRunner } from '../../src/store/sqlite/run-statements.ts';
import { namedPlans } from '../../src/tools/planning/named-plans.ts';
import { planningTool } from '../../src/tools/planning/planning-tool.ts';
import type { ToolCall } from '../../src/tools/port.ts';

/** Who calls, where nothing else is said. */
export const call: ToolCall = {
  owner: 'local',
  session_id: 's1',
  now: Date.UTC(2026, 10, 21, 12),
  timezone: 'UTC',
  language: 'en',
  metadata: {},
};

/** A real store with the sessions `s1` and `s2` of two owners, and the planning tool on it; removed with the test. */
export const openPlanning = () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tripact-planning-'));
  const store = openDatabase({ dataDir });
  onTestFinished(() => {
    store.close();
    rmSync(dataDir, { recursive: true });
  });
  const addSession = store.db.prepare(
    "INSERT INTO sessions (owner, session_id, timezone, created_at, updated_at) VALUES (?, ?, 'UTC', 0, 0)",
  );
  for (const owner of ['local', 'anna']) for (const session of ['s1', 's2']) addSession.run(owner, session);
  const answer = createStatementRunner(store.db);
  const run = (input: string, around: Partial<ToolCall> = {}) =>
    answer(planningTool.run(input, { ...call, ...around }));
  const planOf = (planId: string) => answer(namedPlans.get(call, planId));
  const { ownerData, isStored } = createStore(createSqliteDatabase(store));
  return {
    db: store.db,
    ownerData,
    isStored,
    answer,
    run,
    planOf,
  };
};
