/** Rows that go in one transaction, at most. */
export const SLICE_ROWS = 300;

/** Bytes of text that go in one transaction, and then the rest of one row: it takes a few milliseconds. */
const SLICE_BYTES = 512 * 1024;

/** What one transaction may still remove. */
export interface SliceBudget {
  isLeft(): boolean;
  /** So many rows with so many bytes in all went. */
  use(bytes: number, rows?: number): void;
}

/** Makes the budget of one transaction. */
export const createSliceBudget = (): SliceBudget => {
  let rowsLeft = SLICE_ROWS;
  let bytesLeft = SLICE_BYTES;
  return {
    isLeft: () => rowsLeft > 0 && bytesLeft > 0,
    use: (bytes, rows = 1) => {
      bytesLeft -= bytes;
      rowsLeft -= rows;
    },
  };
};
