/** A name in braces. In double braces it is no placeholder, and stands for itself in single ones. */
const NAME = '[\\p{L}_][\\p{L}\\p{N}_-]{0,63}';
const PLACEHOLDER = new RegExp(`\\{\\{(?<literal>${NAME})\\}\\}|\\{(?<name>${NAME})\\}`, 'gu');

/** Names of the placeholders in texts, each once, in the order in which they are read. Any other brace is a brace. */
export const placeholdersIn = (...texts: string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)].flatMap(({ groups }) => groups?.['name'] ?? []))),
];

/** A text with values for its placeholders. Values are data: braces in them are never read. */
export const filled = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(PLACEHOLDER, (_, literal: string | undefined, name: string) =>
    literal === undefined ? (values.get(name) ?? '') : `{${literal}}`,
  );
