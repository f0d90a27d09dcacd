/** A cursor: where the next page starts. Opaque to all but the store. */
export type Cursor = string;

/** A page of a list, and the cursor of the next one; null at the end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: Cursor | null;
}
