/** Characters of what is stored for one page of a list, beyond its first item: to read, check and write as much takes up to 25 ms. */
const PAGE_CHARS_MAX = 1_000_000;

/** The rows of a page that fit. */
export interface FittingRows<Row> {
  rows: Row[];
  /** Others follow, which did not fit. */
  isCut: boolean;
}

/** Takes the first rows of a page, as many as fit together, and at least one: a plan may be long, and a page has up to 500 of them. Looks at no more. */
export const fittingRows = <Row>(found: Iterable<Row>, charsOf: (row: Row) => number): FittingRows<Row> => {
  const rows: Row[] = [];
  let chars = 0;
  for (const row of found) {
    chars += charsOf(row);
    if (rows.length > 0 && chars > PAGE_CHARS_MAX) return { rows, isCut: true };
    rows.push(row);
  }
  return { rows, isCut: false };
};
