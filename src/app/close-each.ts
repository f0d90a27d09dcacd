/**
 * Closes all parts, one group after the other, regardless of failures in earlier ones. Throws the first failure at the
 * end.
 */
export const closeEach = async (groups: readonly (readonly (() => unknown)[])[]): Promise<void> => {
  const faults: unknown[] = [];
  for (const group of groups) {
    const closed = await Promise.allSettled(group.map(async (close) => close()));
    for (const each of closed) if (each.status === 'rejected') faults.push(each.reason);
  }
  if (faults.length > 0) throw faults[0];
};
