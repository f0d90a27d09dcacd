/** A page of a list, and the cursor of the next one; null at the end. A cursor is opaque to all but the store. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** The form of a list's cursor. The first number may be a time, also one that was written by hand. */
export const CURSOR = /^-?\d{1,19}(\.\d{1,16})?$/;

export interface PageRequest {
  readonly limit: number;
  readonly after?: string | undefined;
}
