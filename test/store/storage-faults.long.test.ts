import type Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/history/replay.ts';
import { createScriptedModel, type ScriptedAnswer } from '../../src/models/scripted.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts';
import { type OpenDatabase, openDatabase } from '../../src/store/sqlite/open.ts';
import { concludes, echo, finishes, plans } from '../support/engine/model-answers.ts';
import { type OpenedEngine, type OpenedSetup, openEngine } from '../support/engine/open-engine.ts';
import { never, sessionOf, type TestSession } from '../support/engine/test-session.ts';

/** Pages that an engine's own tables take and a few turns more. */
const SMALL_DISK_PAGES = 80;

const PAGE_BYTES = 4_096;

/** Turns that fill a small disk for sure. */
const TURNS_MAX = 400;

const UNAVAILABLE = { code: 'STORAGE_UNAVAILABLE', status: 503 };

/** More text than fits into the free space of one page, and less than a step may have. */
const big = (name: string): string => `${name} ${'x'.repeat(3_900)}`;

/** An engine on a disk that can be filled. */
interface SmallDisk extends OpenedEngine {
  readonly disk: Database.Database;
}

const openOn = async (setup: OpenedSetup): Promise<SmallDisk> => {
  let database: OpenDatabase | undefined;
  const open: OpenedSetup['open'] = async ({ dataDir, maxBytes }) => {
    database = openDatabase({ dataDir, maxBytes });
    return createStore(createSqliteDatabase(database));
  };
  const opened = await openEngine({ ...setup, open });
  return { ...opened, disk: database!.db };
};

const makeRoom = ({ disk }: SmallDisk): void => void disk.pragma('max_page_count = 100000');
const fill = ({ disk }: SmallDisk): void =>
  void disk.pragma(`max_page_count = ${disk.pragma('page_count', { simple: true })}`);

const smallDisk = (more: Partial<OpenedSetup> = {}) =>
  openOn({ model: createScriptedModel(echo), maxBytes: SMALL_DISK_PAGES * PAGE_BYTES, ...more });

/** Sends turns until one is refused, and gives those that were acknowledged before. */
const fillWithTurns = async (session: TestSession): Promise<string[]> => {
  const acknowledged: string[] = [];
  for (let i = 0; i < TURNS_MAX; i += 1)
    try {
      acknowledged.push((await session.send(big(`Turn ${i}`))).id);
    } catch (error) {
      expect(error).toMatchObject(UNAVAILABLE);
      return acknowledged;
    }
  throw new Error('the disk never got full');
};

describe('When the disk is full', () => {
  it('a turn is refused with 503 and leaves nothing, and every turn acknowledged before is answered when there is space again', async () => {
    const opened = await smallDisk();
    const { engine } = opened;
    const session = sessionOf(engine);
    const acknowledged = await fillWithTurns(session);
    expect(acknowledged.length).toBeGreaterThan(0);
    const stored = opened.db.prepare('SELECT turn_id FROM turns ORDER BY id').pluck().all();
    expect(stored).toEqual(acknowledged);
    makeRoom(opened);
    expect(await session.ask('One more')).toMatchObject({ status: 'answered', output: 'did: One more' });
    for (const id of acknowledged) expect(await engine.wait('local', id, never)).toMatchObject({ status: 'answered' });
    expect(await replay(await session.trace(), { gapless: true })).toMatchObject({ ok: true });
  });

  it('the service is not ready, and is again when there is space', async () => {
    const opened = await smallDisk();
    expect(await opened.engine.isReady()).toBe(true);
    const session = sessionOf(opened.engine);
    await fillWithTurns(session);
    // Small changes of tasks that run may still fit.
    opened.disk.prepare("INSERT INTO meta (key, value) VALUES ('small', '1')").run();
    expect(await opened.engine.isReady()).toBe(false);
    makeRoom(opened);
    expect(await opened.engine.isReady()).toBe(true);
  });

  it('a caller that waits for a reply that cannot be stored gets an error after some seconds, and the turn continues when there is room', async () => {
    const answer = Promise.withResolvers<ScriptedAnswer>();
    const model = createScriptedModel([answer.promise, finishes(), concludes('Dug')]);
    const opened = await openOn({ model });
    const session = sessionOf(opened.engine);
    const first = await session.send('Dig a hole');
    await model.asked(1);
    fill(opened);
    const waiting = session.reply(first);
    answer.resolve(plans(...Array.from({ length: 12 }, (_, i) => `Hole ${i} ${'x'.repeat(900)}`)));
    await expect(waiting).rejects.toMatchObject(UNAVAILABLE);
    expect((await opened.engine.turn('local', first.id)).finished_at).toBeNull();
    makeRoom(opened);
    expect((await session.reply(first)).finished_at).not.toBeNull();
  });

  it('a session can be removed, all of it, and there is room again', async () => {
    const opened = await openOn({ model: createScriptedModel(echo) });
    const { engine } = opened;
    await sessionOf(engine).ask(big('Hello'));
    fill(opened);
    await fillWithTurns(sessionOf(engine, 's2'));
    await engine.remove('local', 's1');
    expect(await sessionOf(engine, 's3').ask(big('Hello'))).toMatchObject({ status: 'answered' });
  });
});
