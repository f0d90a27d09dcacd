import type { ErrorCode } from '../../contracts/error-code.ts';
import { ServiceError } from '../lib/errors.ts';

/** The result; null where it was refused for one of these reasons. Any other error stays one. */
export const unless = async <Result>(codes: readonly ErrorCode[], work: Promise<Result>): Promise<Result | null> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError && codes.includes(error.code)) return null;
    throw error;
  }
};
