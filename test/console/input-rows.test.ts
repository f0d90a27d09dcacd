import { describe, expect, it } from 'vitest';
import { readForm } from '../../machines/form.ts';
import { answerToForm } from '../../src/console/card/form-answer.ts';
import { fieldText, type ObjectSchema, objectOf, readRows, rowsOf } from '../../src/console/card/input-rows.ts';

const refund: ObjectSchema = {
  properties: {
    order: { type: 'string', title: 'Order number' },
    amount: { type: 'number', minimum: 0, maximum: 100 },
    count: { type: 'integer' },
    reply_to: { type: 'string', format: 'email' },
    way: { type: ['string', 'null'], enum: ['card', 'credit'] },
    notify: { type: 'boolean' },
  },
  required: ['order', 'amount'],
};

const shown = (input: Record<string, unknown>, schema: ObjectSchema = refund) =>
  rowsOf(input, schema).map(({ label, kind }) => `${label}: ${kind}`);

describe('an input as rows', () => {
  it('has labels from the schema or from its names, in the order of the schema, and what the schema does not name', () => {
    const input = { notify: true, order: '1043', extraField: { deep: 1 }, reply_to: 'a@b.example', way: 'card' };
    expect(shown(input)).toEqual([
      'Order number: text',
      'Reply to: text',
      'Way: choice',
      'Notify: boolean',
      'Extra field: json',
    ]);
    expect(shown({ order: 'a'.repeat(200) })).toEqual(['Order number: long']);
    // A Chinese character is twice as wide as a letter.
    expect(shown({ order: 'a'.repeat(50) })).toEqual(['Order number: text']);
    expect(shown({ order: '订'.repeat(50) })).toEqual(['Order number: long']);
    // Without a schema, and where a value is not of its type, it is shown as it is.
    expect(shown({ count: 2, note: 'x', list: [1] }, {})).toEqual(['Count: number', 'Note: text', 'List: json']);
    expect(shown({ order: 7 })).toEqual(['Order number: json']);
  });

  it('does not exist for a command line or a list', () => {
    expect([objectOf('add milk'), objectOf('[1]'), objectOf('null')]).toEqual([null, null, null]);
  });
});

describe('an edited input', () => {
  const rows = rowsOf({ order: '1043', amount: 19.9, extra: { deep: [1, 2] } }, refund, true);

  it('keeps what nobody touched as it is, and leaves out what is empty', () => {
    expect(readRows(rows, { amount: '9.95', count: '' })).toEqual({
      value: { order: '1043', amount: 9.95, extra: { deep: [1, 2] } },
      faults: new Map(),
    });
    expect(readRows(rowsOf(JSON.parse('{"__proto__": 1}'), {}, true), {}).value).toEqual(
      JSON.parse('{"__proto__": 1}'),
    );
  });

  it.each([
    ['amount', 'nineteen', 'number'],
    ['amount', '', 'missing'],
    ['amount', '101', 'most'],
    ['amount', '-1', 'least'],
    ['count', '1.5', 'integer'],
    ['count', '9007199254740993', 'integer'],
    ['reply_to', 'nobody', 'form'],
    ['extra', '{', 'json'],
  ])('says what is wrong with %s as “%s”', (name, text, kind) => {
    expect(readRows(rows, { [name]: text }).faults.get(name)?.kind).toBe(kind);
  });

  it('has the text of each value to begin with', () => {
    expect(rows.slice(0, 2).map(fieldText)).toEqual(['1043', '19.9']);
  });
});

describe('an answer to a form', () => {
  const properties = {
    day: { type: 'string' as const, title: 'Day' },
    seats: { type: 'integer' as const },
    extras: { type: 'array' as const, items: { anyOf: [{ const: 'a' }, { const: 'b, c' }] } },
  };
  const schema = { type: 'object' as const, properties, required: [] };

  it('is lines that a person reads, where the service reads them back as the same values', () => {
    const read = (content: Record<string, unknown>): string => {
      const text = answerToForm(schema, content);
      expect(readForm(schema, text, 'en')).toEqual({ content });
      return text;
    };
    expect(read({ day: 'Friday', seats: 2, extras: ['a'] })).toBe('day: Friday\nseats: 2\nextras: a');
    expect(read({ day: 'Friday\nor so' })).toBe('{"day":"Friday\\nor so"}');
    expect(read({ extras: ['b, c'] })).toBe('{"extras":["b, c"]}');
    expect(answerToForm({ ...schema, properties: {} }, {})).toBe('yes');
  });
});
