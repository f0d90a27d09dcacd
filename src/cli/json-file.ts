import { readFile } from 'node:fs/promises';
import { hasRoundedNumber } from '../lib/exact-json.ts';
import { wrongUsage } from './failure.ts';

/** The JSON in a file that an option names. Throws `CommandFailure` if the file cannot be read or is not JSON. */
export const jsonIn = async (option: string, path: string): Promise<unknown> => {
  try {
    const text = await readFile(path, 'utf8');
    const json: unknown = JSON.parse(text);
    if (hasRoundedNumber(text)) throw new RangeError('it has a number that JSON would round: write it as a string');
    return json;
  } catch (error) {
    throw wrongUsage(`${option} ${path} cannot be read as JSON: ${(error as Error).message}`);
  }
};
