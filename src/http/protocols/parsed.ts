import { z } from 'zod';
import { ServiceError } from '../../errors.ts';

/** What a front end sent, by a schema. Throws `INVALID_REQUEST` with where and why it does not fit. */
export const parsed = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw new ServiceError('INVALID_REQUEST', z.prettifyError(error));
  return data;
};
