/** An amount for each owner, and that of all of them. */
export interface OwnerTotals {
  /** Adds to the owner's amount; a negative number takes from it. */
  add(owner: string, amount: number): void;
  of(owner: string): number;
  inAll(): number;
}

/** Makes the amounts, all 0. Owners come and go: one with nothing is not remembered. */
export const createOwnerTotals = (): OwnerTotals => {
  const byOwner = new Map<string, number>();
  let total = 0;
  const of = (owner: string): number => byOwner.get(owner) ?? 0;
  return {
    add: (owner, amount) => {
      const sum = of(owner) + amount;
      if (sum === 0) byOwner.delete(owner);
      else byOwner.set(owner, sum);
      total += amount;
    },
    of,
    inAll: () => total,
  };
};
