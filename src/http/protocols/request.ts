import { createHash } from 'node:crypto';
import { z } from 'zod';
import { checked } from '../../../contracts/checked.ts';
import { SessionId } from '../../../contracts/ids.ts';
import { ServiceError } from '../../lib/errors.ts';

/** Faults that a refusal names, and its longest text, in characters: a body may have thousands of them, and names of its own in each. */
const FAULTS_LISTED_MAX = 5;
const DETAIL_CHARS_MAX = 1_000;

/** The first faults of a value, in a few lines. */
export const faultsIn = ({ issues }: z.ZodError): string =>
  z.prettifyError({ issues: issues.slice(0, FAULTS_LISTED_MAX) }).slice(0, DETAIL_CHARS_MAX);

export const invalidRequest = (detail: string): ServiceError => new ServiceError('INVALID_REQUEST', detail);

/** Reads what a front end sent by a schema. Throws `INVALID_REQUEST` with where and why it does not fit. */
export const parsed = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const { success, data, error } = checked(schema as z.ZodType<z.output<Schema>>, value);
  if (!success) throw invalidRequest(faultsIn(error));
  return data;
};

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The session that a front end's own id stands for: the id itself where it can be a session's name, else a name made from it. */
export const sessionNamed = (id: string): string => (SessionId.safeParse(id).success ? id : `c-${hashOf(id)}`);

/** The idempotency key of what a front end sends: the same parts give the same turn, however often they are sent. The prefix names its protocol. */
export const requestKey = (prefix: string, parts: readonly unknown[]): string =>
  `${prefix}${hashOf(JSON.stringify(parts))}`;
