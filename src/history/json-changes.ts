/** One place where two JSON values differ. An absent value is `undefined`. */
export interface JsonChange {
  /** Names of fields, and indexes, from the root on. */
  path: readonly (string | number)[];
  before: unknown;
  after: unknown;
}

type Members = Record<string, unknown>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const inMembers = (before: Members, after: Members, path: JsonChange['path']): JsonChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    jsonChanges(before[name], after[name], [...path, name]),
  );

/** The number of equal elements at the start of both lists. */
const samePrefix = (before: readonly unknown[], after: readonly unknown[]): number => {
  const end = Math.min(before.length, after.length);
  let length = 0;
  while (length < end && jsonChanges(before[length], after[length]).length === 0) length += 1;
  return length;
};

/** Compares lists from both ends, so that only added and removed elements show, and not all that shifted. */
const inLists = (before: readonly unknown[], after: readonly unknown[], path: JsonChange['path']): JsonChange[] => {
  const isSameLength = before.length === after.length;
  const each = isSameLength ? before.flatMap((value, i) => jsonChanges(value, after[i], [...path, i])) : [];
  const isShifted = each.length > 0 && before.length > 1 && samePrefix(before.slice(1), after) === before.length - 1;
  if (isShifted)
    return [
      { path: [...path, 0], before: before[0], after: undefined },
      { path: [...path, after.length - 1], before: undefined, after: after.at(-1) },
    ];
  if (isSameLength) return each;
  const start = samePrefix(before, after);
  const end = samePrefix(before.slice(start).reverse(), after.slice(start).reverse());
  const [removed, added] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  return [
    ...removed.map((value, i) => ({ path: [...path, start + i], before: value, after: undefined })),
    ...added.map((value, i) => ({ path: [...path, start + i], before: undefined, after: value })),
  ];
};

/**
 * Where two JSON values differ, as few and as small places as possible. Identical objects are skipped: the machine
 * shares unchanged parts. For JSON only; recursion is as deep as both values.
 */
export const jsonChanges = (before: unknown, after: unknown, path: JsonChange['path'] = []): JsonChange[] => {
  if (Object.is(before, after)) return [];
  if (isMembers(before) && isMembers(after)) return inMembers(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return inLists(before, after, path);
  return [{ path, before, after }];
};
