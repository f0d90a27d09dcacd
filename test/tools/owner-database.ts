import Database from 'better-sqlite3';
import { Temporal } from 'temporal-polyfill';
import type { ToolResult } from '../../contracts/task.ts';
import { prepareSchema } from '../../src/store/sqlite/open.ts';
import { createStatementRunner } from '../../src/store/sqlite/run-statements.ts';
import type { ToolCall, TransactionalTool } from '../../src/tools/port.ts';
import { databaseInMemory } from '../support/engine/empty-store.ts';

/** An empty database, in memory where no path is given. */
export function openOwnerDatabase(path?: string): Database.Database {
  if (path === undefined) return databaseInMemory();
  const db = new Database(path);
  db.pragma('foreign_keys = ON');
  prepareSchema(db, path);
  return db;
}

/** An instant, by the clock of a zone. */
export const clock = (wall: string, timezone = 'Europe/Berlin'): number =>
  Temporal.PlainDateTime.from(wall).toZonedDateTime(timezone).epochMilliseconds;

/** Who asks when nothing else is said: the local owner in Berlin, in English, on Saturday 2026-11-21 at 10:30. */
export const someone: ToolCall = {
  owner: 'local',
  session_id: 's1',
  now: clock('2026-11-21T10:30'),
  timezone: 'Europe/Berlin',
  language: 'en',
  metadata: {},
};

/** A tool whose questions a database answers, as an engine does. */
export interface AnsweredTool {
  run(input: string, call: ToolCall): ToolResult;
}

/** Gives a tool a database that answers it. */
export function answered(tool: TransactionalTool, db: Database.Database): AnsweredTool {
  const answer = createStatementRunner(db);
  return { run: (input, call) => answer(tool.run(input, call)) };
}

/** Runs a command that must succeed, and gives what it says. */
export function tell(tool: AnsweredTool, input: string, call: Partial<ToolCall> = {}): string {
  const { ok, result } = tool.run(input, { ...someone, ...call });
  if (!ok) throw new Error(`"${input}" failed: ${result}`);
  return result;
}

/** Runs a command that must fail, and gives its first line; that the usage is under it is checked here. */
export function refused(tool: AnsweredTool, input: string, call: Partial<ToolCall> = {}): string {
  const { ok, result } = tool.run(input, { ...someone, ...call });
  const [first, ...rest] = result.split('\n');
  const usage = call.language === 'zh' ? '用法： /' : 'Usage: /';
  if (ok || !rest.some((line) => line.startsWith(usage))) throw new Error(`"${input}" was not refused: ${result}`);
  return first!;
}
