import { analyse } from 'scslre';
import { type FoundExpression, shippedExpressions } from './shipped-expressions.ts';

/** The expressions that a backtracking matcher takes more than linear time for, with the reason, one a line. */
export const superLinear = (found: readonly FoundExpression[]): string[] =>
  found.flatMap(({ where, expression: { source, flags } }) => {
    const kinds = analyse({ source, flags }).reports.map(({ type, exponential }) =>
      exponential ? `exponential ${type}` : type,
    );
    return kinds.length === 0 ? [] : [`${where} /${source}/${flags}: ${[...new Set(kinds)].join(', ')}`];
  });

if (import.meta.main) {
  const found = superLinear(await shippedExpressions());
  for (const line of found) console.error(line);
  if (found.length > 0)
    console.error('These expressions backtrack: see test/expressions/check.ts for what finds them.');
  process.exitCode = found.length > 0 ? 1 : 0;
}
