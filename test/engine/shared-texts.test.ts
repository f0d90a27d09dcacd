import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/store/sqlite/migrate.ts';

/** A database in which the task `task_b` of session `s2` may read texts of `task_a` of `s1`. */
const twoTasks = () => {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  db.pragma('foreign_keys = ON');
  migrate(db);
  db.exec(`
    INSERT INTO sessions (id, owner, session_id, timezone, created_at, updated_at) VALUES (1, 'o', 's1', 'UTC', 1, 1), (2, 'o', 's2', 'UTC', 1, 1);
    INSERT INTO tasks (id, task_id, session, owner, state, first_seq, touched_at_seq) VALUES
      (1, 'task_a', 1, 'o', 'done', 1, 1), (2, 'task_b', 2, 'o', 'done', 1, 1)`);
  const add = db.prepare(
    `INSERT INTO entries (id, session, seq, task, at, machine, event, effects, text_of)
     VALUES (@id, @id, 1, @id, 1, 1, @event, @effects, @text_of)`,
  );
  const read = db.prepare<[], { event: string; effects: string | null }>(
    'SELECT event, effects FROM trace_entries WHERE id = 2',
  );
  return {
    db,
    /** The text of the one task's entry, as the other's entry has it. */
    shared: (event: object, effects: object[] | null) => {
      db.exec('DELETE FROM entries WHERE id = 2; DELETE FROM entries');
      const texts = { event: JSON.stringify(event), effects: effects === null ? null : JSON.stringify(effects) };
      add.run({ id: 1, ...texts, text_of: null });
      add.run({ id: 2, event: '', effects: null, text_of: 1 });
      return read.get();
    },
  };
};

const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('\ud800', '\udc00', '"', '\\', '/', '\u2028', '\u0000', '\u007f', 'é', '计', '𝒳'),
  }),
  fc.constantFrom('"effect_id":"task_a.1"', 'task_a', '{"task_id":"task_a"}', 's1'),
);
const oddValue = fc.jsonValue({ maxDepth: 40, stringUnit: 'binary' });
const oddNumber = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(1e21, 1e-7, 2 ** 53));

describe('A text that two tasks share', () => {
  it('is read by the other with its own ids, and is the same to the byte otherwise', () => {
    const { shared } = twoTasks();
    const law = fc.property(
      fc.dictionary(
        fc.constantFrom('result', 'input', 'a', 'x"effect_id', 'type'),
        fc.oneof(oddText, oddValue, oddNumber),
      ),
      fc.nat(),
      fc.nat(2),
      (fields, number, place) => {
        const at = (id: string) => {
          const all = Object.entries(fields);
          return Object.fromEntries([...all.slice(0, place), ['effect_id', `${id}.${number}`], ...all.slice(place)]);
        };
        const effects = (id: string) => [{ ...at(id), params: fields }];
        expect(shared(at('task_a'), effects('task_a'))).toEqual({
          event: JSON.stringify(at('task_b')),
          effects: JSON.stringify(effects('task_b')),
        });
      },
    );
    fc.assert(law, { numRuns: 300 });
  });

  it('is read without an effect, too, and where it opens the task', () => {
    const { shared } = twoTasks();
    const opened = { type: 'task.opened', task_id: 'task_a', session_id: 's1', goal: 'task_a of s1', n: 1e21 };
    expect(shared(opened, null)).toEqual({
      event: JSON.stringify({ ...opened, task_id: 'task_b', session_id: 's2' }),
      effects: null,
    });
    const said = { type: 'answer.received', turn_id: 'turn_1', text: 'task_a' };
    expect(shared(said, null)).toEqual({ event: JSON.stringify(said), effects: null });
  });

  it('keeps its row from being removed while it is read', () => {
    const { db, shared } = twoTasks();
    shared({ type: 'task.resumed', turn_id: 'turn_1' }, null);
    expect(() => db.exec('DELETE FROM entries WHERE id = 1')).toThrow('FOREIGN KEY');
  });
});
