import { expect, it } from 'vitest';
import { withNamedTypes } from '../.ci/named-types.ts';

const TYPE = 'z.ZodObject<{\n    first_name: z.ZodString;\n    last_name: z.ZodString;\n}>';

it('of constants of one type the first has it written out, and whatever else holds it names that one', () => {
  const declared = ['One', 'Other'].map((name) => `export declare const ${name}: ${TYPE};\n`).join('');
  const holder = `export declare const Both: z.ZodArray<${TYPE}>;\n`;
  expect(withNamedTypes(declared + holder)).toBe(
    `export declare const One: ${TYPE};\nexport declare const Other: typeof One;\nexport declare const Both: z.ZodArray<typeof One>;\n`,
  );
});
