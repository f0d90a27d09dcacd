// Tripact: the service's engine, composed as in the service, including the files in each session's folder. Its storage
// is always durable against power loss. Variants: full (SQLite), postgres. After an answer Tripact plans anew (SPEC 6),
// so its cold resume runs one effect more than the other peers.

import pino from 'pino';
import { MACHINE } from '../../machines/task-machine.ts';
import type { Engine } from '../../src/runtime/port.ts';
import { openPostgresDatabase } from '../../src/store/postgres/database.ts';
import type { SqlDatabase } from '../../src/store/sql/database.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts';
import { type OpenDatabase, openDatabase } from '../../src/store/sqlite/open.ts';
import { openEngine } from '../service.ts';
import { durabilityOf } from './event-log.ts';
import { type Peer, serve } from './harness.ts';
import { connectPostgres, type Postgres } from './postgres.ts';
import { folderBytes } from './process-figures.ts';
import { taskModel, taskTool } from './tripact-task.ts';
import { ASKING, CANONICAL, type Ended, type Shape } from './workload.ts';

const OWNER = 'local';

/** Sessions whose task is not the canonical one. */
const shapes = new Map<string, Shape>();
const shapeOf = (session: string): Shape => shapes.get(session) ?? CANONICAL;

let postgres: Postgres | null = null;
let sqlite: OpenDatabase;
let engine: Engine;

/**
 * Waits for a turn. `replans` of its effects answer the user and do not belong to the workload; the plan is not a
 * budget step.
 */
const ended = async (session: string, turnId: string, replans = 0): Promise<Ended> => {
  const { output, task } = await engine.wait(OWNER, turnId, new AbortController().signal);
  const next = task?.state === 'done' ? 'end' : 'ask';
  return { shape: shapeOf(session), effects: 1 + (task?.step_count ?? 0) - replans, answer: output, next };
};

const open = async (dir: string): Promise<SqlDatabase> => {
  if (postgres !== null)
    return openPostgresDatabase({ url: postgres.url, opening: {}, log: pino({ level: 'silent' }) });
  sqlite = openDatabase({ dataDir: dir });
  return createSqliteDatabase(sqlite);
};

const submit = async (session: string, input: string): Promise<string> =>
  (await engine.submit({ owner: OWNER, session_id: session, input })).turn.id;

const peer: Peer = {
  about: () => ({
    versions: postgres === null ? MACHINE : `${MACHINE} ${postgres.version}`,
    durability: postgres?.durability ?? durabilityOf('full'),
  }),
  async open(dir, variant) {
    postgres = await connectPostgres(variant);
    engine = openEngine(dir, { store: createStore(await open(dir)), model: taskModel(shapeOf), tool: taskTool });
  },
  async close() {
    await engine.close();
    await postgres?.close();
  },
  async task(session, _, goal, shape) {
    shapes.set(session, shape);
    return ended(session, await submit(session, goal));
  },
  async answer(session, text) {
    shapes.set(session, ASKING);
    return ended(session, await submit(session, text), 1);
  },
  async recover(session) {
    for await (const { event } of engine.sessionTrace(OWNER, session))
      if (event.type === 'task.opened') return ended(session, event.turn_id);
    throw new Error('the session has no task');
  },
  async bytes(dir) {
    if (postgres !== null) return (await postgres.bytes()) + folderBytes(dir);
    sqlite.db.pragma('wal_checkpoint(TRUNCATE)');
    return folderBytes(dir);
  },
};

await serve(import.meta, peer);
