/** A page of a list, and the cursor of the next one; null at the end. Only the store interprets a cursor. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** The format of a list's cursor. The first number may be a time, also one written by hand. */
export const CURSOR = /^-?\d{1,19}(\.\d{1,16})?$/;

/** Items of one page: the default fits what a person scrolls through; the maximum is what a client may ask for. */
export const ITEMS_DEFAULT = 50;
export const ITEMS_MAX = 500;

export interface PageRequest {
  readonly limit: number;
  readonly after?: string | undefined;
}
