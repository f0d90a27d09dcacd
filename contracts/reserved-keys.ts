/** Keys that could reach a prototype: no outside text may have one. */
export const RESERVED_KEYS: readonly string[] = ['__proto__', 'constructor'];

/** The first own key anywhere in a parsed value that could reach a prototype, or null (SPEC 5). The value's depth must be bounded. */
export function reservedKey(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const own = RESERVED_KEYS.find((key) => Object.hasOwn(value, key));
  if (own !== undefined) return own;
  for (const inner of Object.values(value)) {
    const found = reservedKey(inner);
    if (found !== null) return found;
  }
  return null;
}
