import { stringify } from 'yaml';
import { inOwnTurn } from '../event-loop/own-turn.ts';

/** Most that is written at once, in characters of JSON: writing 100,000 takes more than 100 ms the first time. */
const PIECE_CHARS = 8_000;

const isLong = (value: unknown): value is object =>
  typeof value === 'object' && !Array.isArray(value) && JSON.stringify(value).length > PIECE_CHARS;

/** Writes a record of JSON values as YAML, each of its values in a turn of the event loop of its own, and those of a long record in turn. Long arrays are written at once. */
export const writeYaml = async (record: object): Promise<string> => {
  let text = '';
  for (const [name, value] of Object.entries(record)) {
    text += isLong(value)
      ? `${stringify(name).trimEnd()}:\n${(await writeYaml(value)).replaceAll(/^(?=.)/gm, '  ')}`
      : await inOwnTurn(() => stringify({ [name]: value }));
  }
  return text;
};
