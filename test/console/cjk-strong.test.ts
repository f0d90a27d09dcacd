import { Marked, type Token } from 'marked';
import { expect, it } from 'vitest';
import { cjkStrong } from '../../src/console/design/cjk-strong.ts';

const marked = new Marked({ extensions: [cjkStrong] });
const plain = new Marked();

/** A text's words, bold ones in brackets. */
const shown = (token: Token): string => {
  if (token.type === 'strong') return `[${token.text}]`;
  return 'tokens' in token && token.tokens !== undefined ? token.tokens.map(shown).join('') : token.raw;
};

const bold = (text: string, by = marked): string => by.lexer(text).map(shown).join('');

it('bold text beside Chinese, Japanese and Korean punctuation needs no space', () => {
  expect(bold('三个里**“Loft 12”最合适**：有厨房')).toBe('三个里[“Loft 12”最合适]：有厨房');
  expect(bold('**注意：**请提前预订')).toBe('[注意：]请提前预订');
  expect(bold('改用**React（框架）**component')).toBe('改用[React（框架）]component');
  expect(bold('これは**「太字」**です。')).toBe('これは[「太字」]です。');
  expect(bold('**마크다운(Markdown)**은')).toBe('[마크다운(Markdown)]은');
  expect(bold('**甲：**一**乙：**二')).toBe('[甲：]一[乙：]二');
});

it('all else is as CommonMark has it', () => {
  for (const text of [
    'a **b** c, **“d” e** f',
    'a**“b”**c',
    '2**3**4 and 2 ** 3 ** 4',
    '**一**、**二** 与 **三**',
    '三**。 **四',
    '一`**“二”**`三',
    '一\\**“二”**三',
    '**未完：请看',
    '***粗斜：***后',
  ])
    expect(bold(text), text).toBe(bold(text, plain));
});
