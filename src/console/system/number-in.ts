/** The whole number that a field holds; null where it is empty. */
export const numberIn = (text: string): number | null => (text.trim() === '' ? null : Math.trunc(Number(text)));
