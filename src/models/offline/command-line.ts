import { zonedAt } from '../../when/temporal.ts';

/** In quotes, so that a command line takes it as one word; a backslash at the end would swallow the closing quote. */
export const quoted = (text: string): string => `"${text.replace(/"/g, '\\"').replace(/\\$/, '\\ ')}"`;

/** Words to search for: each is quoted only where it could be taken for an option or a quote. */
export const searchWords = (words: string): string =>
  words
    .split(/\s+/)
    .map((word) => (/^[\p{L}\p{N}]/u.test(word) ? word : quoted(word)))
    .join(' ');

/** An instant in epoch milliseconds as the tools read it, `YYYY-MM-DD HH:MM` in a zone. */
export const figures = (at: number, timezone: string): string =>
  zonedAt(at, timezone).toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ');
