/** Longest hostile text, in characters: no reader takes more of an outside text at once. */
export const HOSTILE_CHARS = 1_000_000;

/** What is repeated to fill a text: the runs and alternations that make a backtracking matcher try again and again. */
const REPEATED: Record<string, string> = {
  spaces: ' ',
  'wide spaces': '\u3000',
  newlines: '\n',
  'line ends of Windows': '\r\n',
  tabs: '\t',
  letters: 'a',
  'CJK letters': '看',
  digits: '1',
  'CJK digits': '一',
  dots: '.',
  commas: ', ',
  'CJK commas': '、',
  quotes: '"',
  'curly quotes': '“',
  apostrophes: "'",
  backslashes: '\\',
  slashes: '/',
  dashes: '-',
  braces: '{',
  brackets: '[',
  'angle brackets': '<',
  'angle brackets with spaces': '<  ',
  ampersands: '&#1',
  emoji: '😀',
  'lone surrogates': '\ud800',
  'zero-width characters': '\u200b',
  'combining marks': 'e\u0301',
  'marks in the wrong order': '\u0301\u0316\u0327\u0334',
  NUL: '\u0000',
  'escape sequences that begin': '\u001b[',
  'escape strings that never end': '\u001b]',
  words: 'a ',
  'small words': 'the to my of ',
  prepositions: ' by at on',
  'a list': 'a, and ',
  'numbers in a list': '1, 2 and ',
  'CJK words': '今天的',
  'CJK dates': '1月11',
  'a question': '什么? ',
  pairs: '[step] ',
  tags: '</goal ',
  'front matter': 'a: b\n',
  options: '--tag a ',
};

/** Each hostile text by its name: a run of one shape, and the same with a last character that no run proceeds to. */
export const hostileTexts = (chars: number): [name: string, text: string][] =>
  Object.entries(REPEATED).flatMap(([name, unit]) => {
    const run = unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars - 1);
    return [
      [name, `${run}${unit.at(-1)}`],
      [`${name}, then x`, `${run}x`],
    ];
  });
