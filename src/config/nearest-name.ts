/** The number of letters to change, add or remove to turn one name into the other. */
const distance = (one: string, other: string): number => {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...one].entries()) {
    const row = [i + 1];
    for (const [j, at] of [...other].entries())
      row.push(Math.min(above[j + 1]! + 1, row[j]! + 1, above[j]! + Number(at !== letter)));
    above = row;
  }
  return above[other.length]!;
};

/** The known name of which a name is most likely a typo; undefined: none is close. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const [best] = known
    .map((other) => ({ other, far: distance(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ other, far }) => far <= Math.max(1, Math.floor(other.length / 3)))
    .toSorted((a, b) => a.far - b.far);
  return best?.other;
};
