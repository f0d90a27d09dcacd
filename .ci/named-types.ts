/** A constant as the compiler declares it, with its type written out. */
const CONSTANT = /^export declare const (\w+): ([\s\S]*?);$(?=\n(?:export|\/\*\*|import|declare|\s*$))/gm;

/** A shorter type is read more easily where it stands than by its name, in characters. */
const NAMED_CHARS_MIN = 50;

/**
 * Declarations in which a type that a constant of the same file has is named by it: the compiler writes each schema out again wherever another one
 * holds it. The longest are looked for first. Changes no type.
 */
export const withNamedTypes = (declarations: string): string => {
  const constants = [...declarations.matchAll(CONSTANT)]
    .map(([, name = '', type = '']) => ({ name, type }))
    .filter(({ type }) => type.length > NAMED_CHARS_MIN)
    // Of two that have the same type one is named by the other, and not each by each.
    .filter(({ type }, at, all) => all.findIndex((other) => other.type === type) === at)
    .sort((one, other) => other.type.length - one.type.length);
  let text = declarations;
  for (const { name, type } of constants) {
    const declared = `const ${name}: `;
    const lines = type.split(/\s*\n\s*/).map((line) => line.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    text = text.replaceAll(new RegExp(lines.join(String.raw`\s*\n\s*`), 'g'), (found, at: number, whole: string) =>
      whole.slice(0, at).endsWith(declared) ? found : `typeof ${name}`,
    );
  }
  return text;
};
