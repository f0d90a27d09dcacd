const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** True if two JSON values are equal, whatever the order of fields. Recursion is as deep as both values. */
export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (!isObject(one) || !isObject(other)) return Object.is(one, other);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key], other[key]))
  );
};
