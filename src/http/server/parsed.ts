import { z } from 'zod';
import { ServiceError } from '../../lib/errors.ts';

/** Most faults that a refusal lists, and its longest text in characters. */
const FAULTS_LISTED_MAX = 5;
const DETAIL_CHARS_MAX = 1_000;

/** The caller's names for the fields of a value. */
export type FieldNames = Readonly<Record<string, string>>;

/**
 * Where and why a value does not match its schema. Of a union's alternatives, reports the one that matches furthest.
 */
const faultIn = (issue: z.core.$ZodIssue, before: PropertyKey[] = []): { path: PropertyKey[]; message: string } => {
  const path = [...before, ...issue.path];
  const inner = issue.code === 'invalid_union' ? issue.errors.flat().map((each) => faultIn(each, path)) : [];
  const said = issue.message.replace(/^Invalid (?:input|discriminator value)(?:[:.] |$)/, '');
  const message = said === '' ? 'this value is not supported' : said.charAt(0).toLowerCase() + said.slice(1);
  return inner.reduce(
    (best, each) => (each.path.length > best.path.length ? each : best),
    inner[0] ?? { path, message },
  );
};

const isMissing = (value: unknown, path: readonly PropertyKey[]): boolean =>
  path.length > 0 &&
  path.reduce<unknown>((found, key) => (found as Record<PropertyKey, unknown> | null | undefined)?.[key], value) ===
    undefined;

/** A fault of a value in one sentence, and its path. */
const faultOf = (issue: z.core.$ZodIssue, value: unknown, names: FieldNames): { path: string; message: string } => {
  const { path, message } = faultIn(issue);
  const name = z.core.toDotPath(path).replace(/^\w+/, (field) => names[field] ?? field);
  if (isMissing(value, path)) return { path: name, message: `'${name}' is missing` };
  return { path: name, message: `${name === '' ? 'The body' : `'${name}'`} is invalid: ${message}` };
};

/**
 * Parses a front end's input by a schema. Throws `INVALID_REQUEST` with a sentence that says where and why it does not
 * match.
 */
export const parsed = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  names: FieldNames = {},
): z.output<Schema> => {
  const { success, data, error } = (schema as z.ZodType<z.output<Schema>>).safeParse(value);
  if (success) return data;
  const errors = error.issues.slice(0, FAULTS_LISTED_MAX).map((issue) => faultOf(issue, value, names));
  const detail = (errors[0]?.message ?? 'The body is invalid').slice(0, DETAIL_CHARS_MAX);
  throw new ServiceError('INVALID_REQUEST', detail, { errors });
};
