/** Keys that could reach a prototype. Refused in all outside text. */
export const RESERVED_KEYS: readonly string[] = ['__proto__', 'constructor'];

/**
 * The first own key, anywhere in a parsed value, that could reach a prototype; null: none (SPEC 5). The caller must
 * bound the value's depth.
 */
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
