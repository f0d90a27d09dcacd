import { expect, it } from 'vitest';
import { withNamedTypes } from '../.ci/named-types.ts';

const fields = (names: readonly string[]): string => names.map((name) => `    ${name}: z.ZodString;\n`).join('');
const TYPE = `z.ZodObject<{\n${fields(['first_name', 'last_name'])}}>`;
const LONG_TYPE = `z.ZodObject<{\n${fields(['first_name', 'last_name', 'street', 'town', 'country', 'telephone'])}}>`;

it('of constants of one type the first has it written out, and whatever else holds it names that one', () => {
  const declared = ['One', 'Other'].map((name) => `export declare const ${name}: ${TYPE};\n`).join('');
  const holder = `export declare const Both: z.ZodArray<${TYPE}>;\n`;
  expect([...withNamedTypes(new Map([['a.d.ts', declared + holder]])).values()]).toEqual([
    `export declare const One: ${TYPE};\nexport declare const Other: typeof One;\nexport declare const Both: z.ZodArray<typeof One>;\n`,
  ]);
});

it('a long schema of another file is named with that file, a short one is written out', () => {
  const declared = `export declare const Short: ${TYPE};\nexport declare const Long: ${LONG_TYPE};\n`;
  const holder = `export declare const Holder: z.ZodTuple<[${TYPE}, ${LONG_TYPE}]>;\n`;
  const named = withNamedTypes(
    new Map([
      ['contracts/person.d.ts', declared],
      ['src/book/holder.d.ts', holder],
    ]),
  );
  expect(named.get('contracts/person.d.ts')).toBe(declared);
  expect(named.get('src/book/holder.d.ts')).toBe(
    `export declare const Holder: z.ZodTuple<[${TYPE}, typeof import('../../contracts/person.js').Long]>;\n`,
  );
});
