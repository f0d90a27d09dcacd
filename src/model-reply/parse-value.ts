import { jsonrepair } from 'jsonrepair';
import { REPAIR_CHARS_MAX } from './limits.ts';
import { plainSpelling } from './plain-spelling.ts';

export type ParsedValue = { value: unknown; repaired: boolean } | { fault: string };

/** Parses the text of one scanned value, through jsonrepair where it is no JSON but its slips have one meaning. */
export function parseValue(text: string, repairable: boolean): ParsedValue {
  const plain = tryParse(text);
  if (plain !== null) return { ...plain, repaired: false };
  if (!repairable) return { fault: 'it is no valid JSON, and to repair it would be a guess' };
  if (text.length > REPAIR_CHARS_MAX) return { fault: 'it is no valid JSON, and too long to repair' };
  try {
    return { value: JSON.parse(jsonrepair(plainSpelling(text))), repaired: true };
  } catch {
    return { fault: 'it is no valid JSON, and could not be repaired' };
  }
}

/** The value that the text is as JSON, in an object of its own since it may be null; null when it is none. */
export function tryParse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}
