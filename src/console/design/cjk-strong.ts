import type { TokenizerExtension, Tokens } from 'marked';
import { WIDE } from '../text/wide.ts';

/** A text between two pairs of asterisks, and the character behind it. */
const BOLD = /^\*\*(?=[^\s*])([^*`\\]*[^\s*`\\])\*\*(?!\*)(.?)/su;

const LETTER = /[\p{L}\p{N}]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/** True where CommonMark takes two asterisks between these for text, because no space is beside them. */
const isTight = (punctuation: string, letter: string): boolean =>
  PUNCTUATION.test(punctuation) && LETTER.test(letter) && (WIDE.test(punctuation) || WIDE.test(letter));

/**
 * Bold text as Chinese, Japanese and Korean have it: `请**“看”**这里` and `**注意：**请看`. CommonMark wants a space
 * between such punctuation and the letter on the other side of the asterisks, which these languages don't write. All
 * else is left to CommonMark.
 */
export const cjkStrong: TokenizerExtension = {
  name: 'strong',
  level: 'inline',
  start: (text) => text.indexOf('**'),
  tokenizer(text, before): Tokens.Strong | undefined {
    const [all, inside = '', next = ''] = BOLD.exec(text) ?? [];
    if (all === undefined) return undefined;
    const [first = '', last = ''] = [[...inside][0], [...inside].at(-1)];
    const previous = [...(before.at(-1)?.raw ?? '')].at(-1) ?? '';
    if (!isTight(first, previous) && !isTight(last, next)) return undefined;
    const raw = all.slice(0, all.length - next.length);
    return { type: 'strong', raw, text: inside, tokens: this.lexer.inlineTokens(inside) };
  },
};
