import { z } from 'zod';
import { checked } from '../../../contracts/checked.ts';
import { ServiceError } from '../../lib/errors.ts';

/** Faults that a refusal names, and its longest text, in characters: a body may have thousands of them, and names of its own in each. */
const FAULTS_LISTED_MAX = 5;
const DETAIL_CHARS_MAX = 1_000;

/** What does not fit, in a few lines. */
export const faultsIn = ({ issues }: z.ZodError): string =>
  z.prettifyError({ issues: issues.slice(0, FAULTS_LISTED_MAX) }).slice(0, DETAIL_CHARS_MAX);

/** What a front end sent, by a schema. Throws `INVALID_REQUEST` with where and why it does not fit. */
export const parsed = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const { success, data, error } = checked(schema as z.ZodType<z.output<Schema>>, value);
  if (!success) throw new ServiceError('INVALID_REQUEST', faultsIn(error));
  return data;
};
