import { plainLine } from '../../contracts/plain-line.ts';

/** Widest text of a cell, in characters: an id and a question are recognized by that much. */
const CELL_CHARS_MAX = 80;

/** Spaces between two columns. */
const GAP = '  ';

/** Rows as columns for a terminal, under their titles; texts of whatever source are made plain, on one line, and cut. */
export const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string => {
  const cells = [titles, ...rows].map((row) => row.map((text) => plainLine(text, CELL_CHARS_MAX)));
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
};
