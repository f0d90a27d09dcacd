import { OBSERVATION_CHARS_MAX } from '../../../contracts/limits.ts';

/** Values and characters of a result that are written: more than an observation keeps, and few enough for one piece of work. */
const WRITTEN_MAX = 2 * OBSERVATION_CHARS_MAX;

const CUT = '… [cut]';

/** A value as `JSON.stringify` writes it; of one with more than `WRITTEN_MAX` values and characters the beginning, marked as cut: longer than an observation, for secrets are masked before that is cut. */
export const resultJson = (value: unknown): string | undefined => {
  let left = WRITTEN_MAX;
  const begun = value instanceof Uint8Array ? value.subarray(0, WRITTEN_MAX + 1) : value;
  const json = JSON.stringify(begun, (_key, inner: unknown) => {
    const most = Math.max(0, left);
    left -= typeof inner === 'string' ? inner.length + 1 : 1;
    if (most === 0) return undefined;
    return typeof inner === 'string' || Array.isArray(inner) ? inner.slice(0, most) : inner;
  });
  return left >= 0 ? json : json.slice(0, WRITTEN_MAX).toWellFormed() + CUT;
};
