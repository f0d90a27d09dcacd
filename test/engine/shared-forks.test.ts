import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/engine/replay/replay.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { backUp } from '../../src/store/sqlite/backup.ts';
import { openStore } from '../../src/store/sqlite/database.ts';
import { countOwners } from '../../src/store/sqlite/owner-counts.ts';
import { pruneSessions } from '../../src/store/sqlite/prune.ts';
import { openReadOnly } from '../../src/store/sqlite/read-only.ts';
import { restore } from '../../src/store/sqlite/restore.ts';
import { quickTool } from '../support/engine/controlled-tools.ts';
import { acts, asks, concludes, plans } from '../support/engine/model-answers.ts';
import {
  freshDataDir,
  openSqliteEngine,
  type SqliteTestEngine,
  startSqliteEngine,
} from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** Far more than all rows of a small history take without their texts. */
const TEXT = '计划 "quoted" \\ text '.repeat(500);

/** A model that calls a tool so often, asks, and ends the task with any answer. */
const scripted = (times = 3, text = TEXT) => {
  const tools = [quickTool('search', (input) => ({ ok: true, result: `found ${input}` }))];
  const model = createScriptedModel({
    plan: plans('Look'),
    thought: ({ task }) => {
      const calls = task.observations.length;
      return calls < times ? acts('search', `${calls} ${text}`) : asks('What now?');
    },
    replan: concludes('Done'),
  });
  return { model, tools };
};

/** An engine in which the task of `s1` waits for an answer. */
const waiting = async () => {
  const opened = openSqliteEngine(scripted());
  const { task_id } = await sessionOf(opened.engine).ask('Look around');
  return { ...opened, taskId: task_id ?? 'none' };
};

const traceOf = async ({ engine }: Pick<SqliteTestEngine, 'engine'>, session: string): Promise<string> =>
  JSON.stringify(await sessionOf(engine, session).trace());

const taskOf = async ({ engine }: Pick<SqliteTestEngine, 'engine'>, session: string): Promise<string> =>
  (await sessionOf(engine, session).tasks())[0]!.id;

const textBytes = ({ store }: SqliteTestEngine): number =>
  Number(
    store.db.prepare('SELECT sum(octet_length(event) + coalesce(octet_length(effects), 0)) FROM entries').pluck().get(),
  );

/** What is charged in memory is what is stored, no row points nowhere, and all traces replay. */
const expectSound = async (opened: SqliteTestEngine): Promise<void> => {
  const { engine, store } = opened;
  expect(store.db.pragma('foreign_key_check')).toEqual([]);
  expect(
    store.db
      .prepare(
        'SELECT count(*) FROM snapshot_bodies WHERE id NOT IN (SELECT shared FROM snapshots WHERE shared IS NOT NULL)',
      )
      .pluck()
      .get(),
  ).toBe(0);
  expect((await engine.usage('local')).stored_bytes).toBe(countOwners(store.db).get('local')?.stored_bytes ?? 0);
};

describe('A fork', () => {
  it('stores no text of its history again, nor does a fork of it, and says the same as if it did', async () => {
    const opened = await waiting();
    const before = textBytes(opened);
    const original = await sessionOf(opened.engine).trace();
    await opened.engine.fork('local', opened.taskId, { session_id: 's2' });
    const second = await taskOf(opened, 's2');
    await opened.engine.fork('local', second, { session_id: 's3' });
    expect(textBytes(opened) - before).toBeLessThan(2_000);
    const copied = (await sessionOf(opened.engine, 's3').trace()).slice(1);
    const ids = (text: string, task: string, session: string): string =>
      text.replaceAll(task, 'TASK').replaceAll(`"session_id":"${session}"`, 'SESSION');
    const asIn = (entries: typeof copied, task: string, session: string): string[] =>
      entries.map(({ event, effects, state }) => ids(JSON.stringify([event, effects, state]), task, session));
    expect(asIn(copied, await taskOf(opened, 's3'), 's3')).toEqual(asIn(original, opened.taskId, 's1'));
    await expectSound(opened);
  });

  it('is charged its rows and what it knows, and its text from when the original is removed', async () => {
    const opened = await waiting();
    const { engine } = opened;
    const stored = async (): Promise<number> => (await engine.usage('local')).stored_bytes;
    const alone = await stored();
    await engine.fork('local', opened.taskId, { session_id: 's2' });
    expect((await stored()) - alone).toBeLessThan(alone * 0.7);
    await engine.remove('local', 's1');
    expect(await stored()).toBeGreaterThan(TEXT.length * 6);
    await expectSound(opened);
    await engine.remove('local', 's2');
    expect(await stored()).toBe(0);
  });

  it('is not told apart by a removal that comes between the reading of the history and the commit', async () => {
    const opened = await waiting();
    const { engine, store } = opened;
    const forked = engine.fork('local', opened.taskId, { session_id: 's2' });
    await engine.remove('local', 's1');
    await forked;
    expect(store.db.prepare('SELECT count(*) FROM entries WHERE text_of <> id').pluck().get()).toBe(0);
    expect(await replay(await sessionOf(engine, 's2').trace())).toMatchObject({ ok: true });
    await expectSound(opened);
  });

  it('goes on when the original and other forks are removed and the service was started anew', async () => {
    const opened = await waiting();
    for (const session_id of ['s2', 's3']) await opened.engine.fork('local', opened.taskId, { session_id });
    const before = await traceOf(opened, 's2');
    await opened.engine.remove('local', 's1');
    await opened.engine.remove('local', 's3');
    await opened.engine.close();
    const next = opened.reopen(scripted());
    expect(await traceOf(next, 's2')).toBe(before);
    expect(await sessionOf(next.engine, 's2').ask('Enough')).toMatchObject({ output: 'Done' });
    await next.engine.remove('local', 's2');
    expect(next.store.db.prepare('SELECT count(*) FROM entries').pluck().get()).toBe(0);
  });
});

describe('A fork whose original is removed', () => {
  /** An engine with a history of several slices in `s1`, and two forks of it. */
  const forked = async () => {
    const opened = openSqliteEngine(scripted(12, TEXT.repeat(2)));
    const { task_id } = await sessionOf(opened.engine).ask('Look around');
    for (const session_id of ['s2', 's3']) await opened.engine.fork('local', task_id ?? '', { session_id });
    const traces = await Promise.all(['s1', 's2', 's3'].map((name) => traceOf(opened, name)));
    await opened.engine.close();
    return { ...opened, traces };
  };

  it('stays readable whenever the process dies, and the original is cleared away by the next ones', async () => {
    const { dataDir, traces } = await forked();
    const left = (opened: SqliteTestEngine): unknown =>
      opened.store.db.prepare('SELECT count(*) FROM entries WHERE session = 1').pluck().get();
    const dies = async (start: (opened: SqliteTestEngine) => Promise<unknown>): Promise<void> => {
      const died = Promise.withResolvers<void>();
      const crashAt = (seam: string): boolean => {
        if (seam === 'after commit') died.resolve();
        return seam === 'after commit';
      };
      const dying = openSqliteEngine({ ...scripted(), dataDir, crashAt });
      start(dying).catch(() => {});
      await died.promise;
    };
    await dies(({ engine }) => engine.remove('local', 's1'));
    let crashes = 1;
    for (;;) {
      const store = openReadOnly(dataDir);
      for (const [i, name] of ['s2', 's3'].entries())
        expect(JSON.stringify([...store.traces(name)[0]!.entries(0)])).toBe(traces[i + 1]);
      expect(store.traces('s1')).toEqual([]);
      store.close();
      const db = new Database(join(dataDir, 'tripact.db'), { readonly: true });
      const isSwept = db.prepare('SELECT count(*) FROM removed_sessions').pluck().get() === 0;
      db.close();
      if (isSwept) break;
      await dies(() => Promise.resolve());
      crashes += 1;
    }
    expect(crashes).toBeGreaterThan(2);
    const next = openSqliteEngine({ ...scripted(), dataDir });
    expect(await traceOf(next, 's2')).toBe(traces[1]);
    expect(left(next)).toBe(0);
    await expectSound(next);
  });

  it('is the same in a backup, in a folder without a service, and after old sessions were pruned there', async () => {
    const { dataDir, traces } = await forked();
    const inFolder = (folder: string, session: string): string => {
      const store = openReadOnly(folder);
      const text = JSON.stringify([...store.traces(session)[0]!.entries(0)]);
      store.close();
      return text;
    };
    const file = join(freshDataDir(), 'backup.db');
    await backUp(dataDir, file);
    const restored = freshDataDir();
    await restore(restored, file, { force: false, now: 1 });
    for (const [i, name] of ['s1', 's2', 's3'].entries())
      for (const folder of [dataDir, restored]) expect(inFolder(folder, name)).toBe(traces[i]);

    const db = new Database(join(restored, 'tripact.db'));
    db.exec(
      "UPDATE sessions SET updated_at = 1 WHERE session_id <> 's2'; UPDATE entries SET at = 1 WHERE session <> 2",
    );
    db.close();
    const store = openStore({ dataDir: restored });
    const gone = await Array.fromAsync(pruneSessions(store.db, { before: 2, includeWaiting: true }, false));
    expect(store.db.prepare('SELECT count(*) FROM entries WHERE session <> 2').pluck().get()).toBe(0);
    expect(gone.flat().map(({ session_id }) => session_id)).toEqual(['s1', 's3']);
    store.close();
    expect(inFolder(restored, 's2')).toBe(traces[1]);
  });
});

type Move = { kind: 'fork'; of: number; at: number } | { kind: 'remove'; which: number } | { kind: 'restart' };

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('fork' as const), of: fc.nat(9), at: fc.integer({ min: 2, max: 12 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

it('whatever is forked and removed, in any order, the traces of the others stay as they are', async () => {
  const law = fc.asyncProperty(fc.array(move, { maxLength: 14 }), async (moves) => {
    const dataDir = freshDataDir();
    let opened = startSqliteEngine({ ...scripted(), dataDir });
    await sessionOf(opened.engine, 's0').ask('Look around');
    const traces = new Map([['s0', await traceOf(opened, 's0')]]);
    let made = 0;
    const pick = (nth: number): string | undefined => [...traces.keys()][nth % Math.max(1, traces.size)];
    const play = async (next: Move): Promise<void> => {
      if (next.kind === 'restart') {
        await opened.engine.close();
        opened = startSqliteEngine({ ...scripted(), dataDir });
        return;
      }
      const name = pick(next.kind === 'fork' ? next.of : next.which);
      if (name === undefined) return;
      if (next.kind === 'remove') {
        await opened.engine.remove('local', name);
        traces.delete(name);
        return;
      }
      const entries = await sessionOf(opened.engine, name).trace();
      const first = entries.findIndex(({ event }) => event.type === 'task.opened');
      const { seq } = entries[Math.min(first + next.at, entries.length - 1)]!;
      const session_id = `s${++made}`;
      const turn = await opened.engine.fork('local', await taskOf(opened, name), { at: seq, session_id });
      await sessionOf(opened.engine, session_id).reply(turn);
      traces.set(session_id, await traceOf(opened, session_id));
    };
    try {
      for (const next of moves) {
        await play(next);
        for (const [name, text] of traces) expect(await traceOf(opened, name)).toBe(text);
        await expectSound(opened);
      }
      for (const text of traces.values()) expect(await replay(JSON.parse(text))).toMatchObject({ ok: true });
    } finally {
      await opened.engine.close();
    }
  });
  await fc.assert(law, { numRuns: 12 });
});

it('a text that is damaged breaks the forks that share it alone, and as storage that is at fault', async () => {
  const opened = await waiting();
  await opened.engine.fork('local', opened.taskId, { session_id: 's2' });
  await sessionOf(opened.engine, 's3').ask('Look around');
  opened.store.db.exec("UPDATE entries SET event = '{' WHERE session = 1 AND seq = 3");
  await expect(traceOf(opened, 's2')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  expect(JSON.parse(await traceOf(opened, 's3'))).toHaveLength(9);
});
