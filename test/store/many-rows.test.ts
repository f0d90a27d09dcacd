import { describe, expect, it } from 'vitest';
import { manyRows } from '../../src/store/postgres/many-rows.ts';

const manyOf = (sql: string) => {
  const many = manyRows(sql);
  return many && { keys: many.keys, text: many.text(many.names.map(() => 'text')) };
};

const ROWS = 'unnest($1::text[], $2::text[]) AS r(v0, v1)';

describe('A statement for many rows', () => {
  it('inserts a row for each of them', () => {
    expect(
      manyOf("INSERT INTO facts (owner, kind, n) VALUES (@owner, 'a, (b', (SELECT n FROM t WHERE id = @id))"),
    ).toEqual({
      keys: null,
      text: `INSERT INTO facts (owner, kind, n) SELECT r.v0, 'a, (b', (SELECT n FROM t WHERE id = r.v1) FROM ${ROWS}`,
    });
  });

  it('is of rows with different keys where it changes those that are there', () => {
    const sql = 'INSERT INTO facts (owner, n) VALUES (@owner, @n) ON CONFLICT (owner) DO UPDATE SET n = excluded.n';
    expect(manyOf(sql)).toEqual({
      keys: ['owner'],
      text: `INSERT INTO facts (owner, n) SELECT r.v0, r.v1 FROM ${ROWS} ON CONFLICT (owner) DO UPDATE SET n = excluded.n`,
    });
    expect(
      manyOf('UPDATE facts SET n = (SELECT max(n) FROM t WHERE true)\n  WHERE owner = @owner AND id = @id'),
    ).toEqual({
      keys: ['owner', 'id'],
      text: `UPDATE facts SET n = (SELECT max(n) FROM t WHERE true) FROM ${ROWS} WHERE owner = r.v0 AND id = r.v1`,
    });
  });

  it('deletes what any of them names', () => {
    expect(manyOf('DELETE FROM facts WHERE owner = @owner AND day < @day')).toEqual({
      keys: null,
      text: `DELETE FROM facts USING ${ROWS} WHERE owner = r.v0 AND day < r.v1`,
    });
  });

  it.each([
    'SELECT n FROM facts WHERE owner = @owner',
    'DELETE FROM facts',
    'DELETE FROM facts WHERE owner = @owner RETURNING id',
    'INSERT INTO facts (n) VALUES (@n) RETURNING id',
    'INSERT INTO facts (n) SELECT n FROM others WHERE owner = @owner',
    'INSERT INTO facts (n) VALUES (@n) ON CONFLICT (n) DO UPDATE SET n = @n',
    'UPDATE facts SET n = @n WHERE owner = @owner AND day < @day',
    'UPDATE facts SET n = @n WHERE owner = @owner RETURNING id',
  ])('is not made of %s', (sql) => {
    expect(manyRows(sql)).toBeNull();
  });
});
