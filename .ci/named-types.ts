import { dirname, relative } from 'node:path';

/** A constant as the compiler declares it, with its type written out. */
const CONSTANT = /^export declare const (\w+): ([\s\S]*?);$(?=\n(?:export|\/\*\*|import|declare|\s*$))/gm;

/** A shorter type is read more easily where it stands than by its name, in characters: in its own file, and as a schema of another one. */
const NAMED_CHARS_MIN = { own: 50, imported: 120 };

/** An object's schema that drops unknown keys, as schemas do by default. */
const STRIPS = /, z\.core\.\$strip>/g;

/** How one file of declarations imports another. */
const specifier = (from: string, to: string): string => {
  const path = relative(dirname(from), to).replace(/\.d\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
};

/**
 * Declarations by their files, in which a type that a constant has is named by it: the compiler writes each schema out again wherever
 * another one holds it. The longest are looked for first. Changes no type.
 */
export const withNamedTypes = (declarations: ReadonlyMap<string, string>): Map<string, string> => {
  const constants = [...declarations]
    .flatMap(([declaredIn, text]) =>
      [...text.matchAll(CONSTANT)].map(([, name = '', type = '']) => ({ declaredIn, name, type })),
    )
    // Of two that have the same type one is named by the other, and not each by each.
    .filter(({ type }, at, all) => all.findIndex((other) => other.type === type) === at)
    .sort((one, other) => other.type.length - one.type.length)
    .map((constant) => {
      const lines = constant.type
        .split(/\s*\n\s*/)
        .map((line) => line.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
      return { ...constant, written: new RegExp(lines.join(String.raw`\s*\n\s*`), 'g') };
    });
  const named = (
    file: string,
    text: string,
    { declaredIn, name, type, written }: (typeof constants)[number],
  ): string => {
    const isOwn = declaredIn === file;
    if (type.length <= NAMED_CHARS_MIN[isOwn ? 'own' : 'imported'] || !(isOwn || type.startsWith('z.'))) return text;
    const reference = isOwn ? `typeof ${name}` : `typeof import('${specifier(file, declaredIn)}').${name}`;
    return text.replaceAll(written, (found, at: number, whole: string) =>
      isOwn && whole.slice(0, at).endsWith(`const ${name}: `) ? found : reference,
    );
  };
  return new Map(
    [...declarations].map(([file, text]) => [
      file,
      constants.reduce((done, each) => named(file, done, each), text).replaceAll(STRIPS, '>'),
    ]),
  );
};
