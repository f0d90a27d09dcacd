import { stripVTControlCharacters } from 'node:util';

/** A text without what a terminal or a reader would act on unseen: control and format characters, lone surrogates. Keeps line ends and tabs. */
export const visibleText = (text: string): string =>
  stripVTControlCharacters(text)
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '');

/** The same on one line with single spaces, cut to `max` characters with an ellipsis. */
export const visibleLine = (text: string, max: number): string => {
  const line = visibleText(text).replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).toWellFormed()}…`;
};
