import { firstChars } from '../../contracts/text.ts';

/** The encodings of text files: UTF-16 by its byte order mark, else UTF-8, else what Excel and editors write in China. */
type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030';

/** The first bytes of GB 18030's pairs for symbols, for common characters, and for the later half of these by their sound. */
const SYMBOLS = [0xa1, 0xa3] as const;
const COMMON = [0xb0, 0xd7] as const;
const LATER = [0xc9, 0xd7] as const;

/** From this byte on a byte is one of a pair, and in the standard's basic part both are from the second number on. */
const PAIR_FROM = 0x81;
const BASIC_FROM = 0xa1;

/** Different characters of which some are certain to be of the later half. */
const ENOUGH_CHARS = 10;

const isWithin = (byte: number, [from, to]: readonly [number, number]): boolean => byte >= from && byte <= to;

/**
 * Tells Chinese from bytes that only decode as if they were: of its different characters most are common ones, and these
 * are spread over their whole table. Texts in Western, Cyrillic, Japanese and Korean encodings are not like that.
 */
class ChineseTally {
  #first: number | null = null;
  readonly #pairs = new Set<number>();

  add(bytes: Buffer): void {
    for (const byte of bytes)
      if (this.#first !== null) {
        this.#pairs.add(this.#first * 256 + byte);
        this.#first = null;
      } else if (byte >= PAIR_FROM) this.#first = byte;
  }

  isPlausible(): boolean {
    let all = 0;
    let common = 0;
    let later = 0;
    for (const pair of this.#pairs) {
      const first = pair >> 8;
      const isBasic = pair % 256 >= BASIC_FROM;
      if (isBasic && isWithin(first, SYMBOLS)) continue;
      all += 1;
      if (!isBasic || !isWithin(first, COMMON)) continue;
      common += 1;
      if (isWithin(first, LATER)) later += 1;
    }
    if (common === 0 || common < all / 2) return false;
    return common < ENOUGH_CHARS || later >= common / 10;
  }
}

/** Opens bytes to be read from the beginning, piece by piece. */
type Open = () => AsyncIterable<Buffer>;

/** Which characters of a text are read. `isCut`: of the last one some bytes may be missing. */
export interface TextPart {
  readonly from: number;
  readonly chars: number;
  readonly isCut?: boolean;
}

/** Characters of a text, and whether more come behind them. */
export interface ReadText {
  readonly text: string;
  readonly hasMore: boolean;
}

/** The part in this encoding; null: the bytes up to its end are no such text. */
const readIn = async (
  encoding: TextEncoding,
  open: Open,
  { from, chars, isCut = false }: TextPart,
): Promise<ReadText | null> => {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const tally = encoding === 'gb18030' ? new ChineseTally() : null;
  const isText = (): boolean => tally?.isPlausible() ?? true;
  let text = '';
  let at = 0;
  /** False: not text. Keeps what of a piece belongs to the part, and one character behind it. */
  const take = (piece: string): boolean => {
    text += piece.slice(Math.max(0, from - at), Math.max(0, from + chars + 1 - at));
    at += piece.length;
    return !piece.includes('\0');
  };
  try {
    for await (const bytes of open()) {
      tally?.add(bytes);
      if (!take(decoder.decode(bytes, { stream: true }))) return null;
      if (at > from + chars) return isText() ? { text: firstChars(text, chars).toWellFormed(), hasMore: true } : null;
    }
    if (!isCut && !take(decoder.decode())) return null;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
  return isText() ? { text: text.toWellFormed(), hasMore: false } : null;
};

const startOf = async (open: Open): Promise<Buffer> => {
  for await (const bytes of open()) return bytes;
  return Buffer.alloc(0);
};

const encodingsFor = ([first, second]: Buffer): readonly TextEncoding[] => {
  if (first === 0xff && second === 0xfe) return ['utf-16le'];
  return first === 0xfe && second === 0xff ? ['utf-16be'] : ['utf-8', 'gb18030'];
};

/**
 * Reads a part of a text, without its byte order mark; null: the bytes up to the part's end are not text in UTF-8, GB 18030
 * or, by its mark, UTF-16, or have a NUL. Reads no further than that, and holds no more than a piece and the part.
 */
export const readText = async (open: Open, part: TextPart): Promise<ReadText | null> => {
  for (const encoding of encodingsFor(await startOf(open))) {
    const read = await readIn(encoding, open, part);
    if (read !== null) return read;
  }
  return null;
};

/** True for bytes that are text as a whole. */
export const isText = async (open: Open): Promise<boolean> =>
  (await readText(open, { from: Number.POSITIVE_INFINITY, chars: 0 })) !== null;
