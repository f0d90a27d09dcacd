import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { longText, withLongTexts } from '../../src/store/sqlite/long-texts.ts';
import { asks, plans } from '../support/engine/model-answers.ts';
import { openSqliteEngine } from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';
import { MEASURED_AGAIN } from '../support/longest-block.ts';

const CHINESE = '事项须办理完毕并且归档，不得延误。'.repeat(30_000);

const storeOf = (texts: (string | null)[]): Database.Database => {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT) STRICT');
  const add = db.prepare('INSERT INTO texts (text) VALUES (?)');
  for (const text of texts) add.run(text);
  return db;
};

it('a text reads the same however long it is', () => {
  const texts = [null, '', 'a', 'é', '事', '😀'.repeat(5_000), '\u0000x'.repeat(9_000), CHINESE];
  const db = storeOf(texts);
  const read = withLongTexts(db.prepare<[], { text: string | null }>(`SELECT ${longText('text', 'text')} FROM texts`));
  expect(read.all().map(({ text }) => text)).toEqual(texts);
  expect([...read.iterate()].map(({ text }) => text)).toEqual(texts);
  expect(read.get()).toEqual({ text: null });
  db.close();
});

it('a long Chinese text is read several times as fast as the driver reads it', MEASURED_AGAIN, () => {
  const db = storeOf([CHINESE]);
  const plain = db.prepare<[], { text: string }>('SELECT text FROM texts');
  const long = withLongTexts(db.prepare<[], { text: string }>(`SELECT ${longText('text', 'text')} FROM texts`));
  const fastest = (work: () => unknown): number =>
    Math.min(
      ...Array.from({ length: 5 }, () => {
        const before = performance.now();
        work();
        return performance.now() - before;
      }),
    );
  expect(fastest(() => long.get())).toBeLessThan(fastest(() => plain.get()) / 2);
  db.close();
});

it('a trace is read without the view of its task, which may be as long', async () => {
  const { engine, store } = openSqliteEngine({
    model: createScriptedModel({ plan: plans('One'), thought: asks('What?') }),
  });
  const session = sessionOf(engine);
  const { task_id } = await session.ask('Go');
  const trace = await session.trace();
  store.db.prepare("UPDATE tasks SET view = '{'").run();
  expect(await session.trace()).toEqual(trace);
  expect(await Array.fromAsync(engine.taskTrace('local', task_id!))).toHaveLength(trace.length);
  await engine.cancel('local', task_id!);
  expect((await session.trace()).at(-1)?.event.type).toBe('task.cancelled');
});
