import type { z } from 'zod';
import { REASON_CHARS_MAX, REASON_ISSUES_MAX } from '../../contracts/limits.ts';

type Issue = z.core.$ZodIssue;

/** Why a value fails its contract, as `field: what it must be`, for people and for the model. Never quotes a value. */
export function contractReason(error: z.ZodError): string {
  const lines = error.issues.flatMap((issue) => explain(issue, []));
  const named = lines.slice(0, REASON_ISSUES_MAX).join('; ');
  const more = lines.length - REASON_ISSUES_MAX;
  return (more > 0 ? `${named}; and ${more} more` : named).slice(0, REASON_CHARS_MAX);
}

function explain(issue: Issue, above: PropertyKey[]): string[] {
  const path = [...above, ...issue.path];
  const field = path.length === 0 ? '' : `${path.map(String).join('.')}: `;
  if (issue.code !== 'invalid_union') return [field + issue.message.replace(/^Invalid \w+: /, '')];
  const meant = issue.errors.find((branch) => !branch.some(isOtherType));
  if (meant !== undefined) return meant.flatMap((inner) => explain(inner, path));
  const types = issue.errors.flat().flatMap((inner) => (inner.code === 'invalid_type' ? [inner.expected] : []));
  return [`${field}expected ${types.join(' or ')}`];
}

/** The union's branch is for values of another type altogether, so its other issues tell nothing. */
const isOtherType = (issue: Issue): boolean => issue.code === 'invalid_type' && issue.path.length === 0;
