import Database from 'better-sqlite3';
import { beforeEach, expect, it } from 'vitest';
import { type Asking, ask, askNothing } from '../../src/store/questions.ts';
import { answerQuestions } from '../../src/store/sqlite/answer-questions.ts';

let db: Database.Database;
beforeEach(() => {
  db = new Database(':memory:');
  db.exec('CREATE TABLE notes (owner TEXT, text TEXT UNIQUE) STRICT');
  return () => db.close();
});

function* note(owner: string, text: string): Asking<void> {
  yield* ask('INSERT INTO notes (owner, text) VALUES (@owner, @text)', { owner, text });
}

function* count(owner: string): Asking<number> {
  const [row] = yield* ask<{ n: number }>('SELECT count(*) AS n FROM notes WHERE owner = @owner', { owner });
  return row!.n;
}

it('answers each question with its rows, and gives what the work returns', () => {
  const answer = answerQuestions(db);
  const work = function* (): Asking<number> {
    yield* note('ann', 'one');
    yield* note('ann', 'two');
    yield* note('bob', 'three');
    return yield* count('ann');
  };
  expect(answer(work())).toBe(2);
  expect(answer(ask('SELECT text FROM notes ORDER BY text', {}))).toEqual([
    { text: 'one' },
    { text: 'three' },
    { text: 'two' },
  ]);
});

it('gives work that asks nothing its result', () => {
  expect(answerQuestions(db)(askNothing(() => 'done'))).toBe('done');
});

it('throws what the work throws, and what the database says; the transaction around it decides what stays', () => {
  const answer = answerQuestions(db);
  const refused = function* (): Asking<void> {
    yield* note('ann', 'one');
    throw new RangeError('too many');
  };
  expect(() => db.transaction(() => answer(refused()))()).toThrow(RangeError);
  expect(answer(count('ann'))).toBe(0);
  answer(note('ann', 'one'));
  expect(() => answer(note('bob', 'one'))).toThrow(/UNIQUE/);
  expect(() => answer(ask('SELECT @owner', {}))).toThrow(RangeError);
});

it('lets work ask in the middle of other work', () => {
  const answer = answerQuestions(db);
  const outer = function* (): Asking<number[]> {
    const counts: number[] = [];
    for (const text of ['a', 'b']) {
      yield* note('ann', text);
      counts.push(yield* count('ann'));
    }
    return counts;
  };
  expect(answer(outer())).toEqual([1, 2]);
});
