import { plainLine } from '../../contracts/text.ts';

/** Widest text of a cell, in characters: enough to recognize an id or a question. */
const CELL_CHARS_MAX = 80;

/** Rows as columns under their titles. Texts from any source are made plain, put on one line and cut. */
export const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string => {
  const cells = [titles, ...rows].map((row) => row.map((text) => plainLine(text, CELL_CHARS_MAX)));
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: string[]): string => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ');
  return cells.map((row) => lineOf(row).trimEnd()).join('\n');
};
