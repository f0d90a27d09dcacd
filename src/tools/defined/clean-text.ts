import { withoutEscapes } from '../../../contracts/plain-line.ts';

/** A text without what a terminal or a reader would act on unseen: control and format characters, lone surrogates. Keeps line ends and tabs. */
export const visibleText = (text: string): string =>
  withoutEscapes(text)
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, '');
