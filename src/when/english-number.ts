const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const TENS = new Map([
  ['fifteen', 15],
  ['twenty', 20],
  ['thirty', 30],
  ['forty', 40],
  ['forty-five', 45],
  ['forty five', 45],
  ['fifty', 50],
  ['sixty', 60],
  ['ninety', 90],
]);

/** What may be a number in an English time, for use inside an expression: figures, words up to twelve and a few above, `a`, `half an`. */
export const ENGLISH_NUMBER = `(?:\\d{1,5}(?:\\.\\d{1,2})?|half an?|an?|${[...WORDS.slice(1), ...[...TENS.keys()].sort((a, b) => b.length - a.length)].join('|')})`;

/** Reads `15`, `2.5`, `three`, `a` or `half an`; NaN when it is no number. */
export const readEnglishNumber = (words: string): number => {
  const text = words.toLowerCase();
  if (text === 'a' || text === 'an') return 1;
  if (/^half(?: an?)?$/.test(text)) return 0.5;
  const named = WORDS.indexOf(text);
  return TENS.get(text) ?? (named > 0 ? named : Number(text));
};
