import { OPTIONS_MAX } from '../contracts/limits.ts';
import { grammarOf, isLastingYes, isNo, isQuestion, isSameQuestion, isYes, readings } from './phrases.ts';

const ORDINALS = 'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth'.split('|');
const SHORT_ORDINALS = '1st|2nd|3rd|4th|5th|6th|7th|8th|9th|10th'.split('|');
const NUMBERS = 'one|two|three|four|five|six|seven|eight|nine|ten'.split('|');
const HAN_NUMBERS = [...'一二三四五六七八九十'];
const LETTERS = [...'abcdefghij'];

/** Words that name a position in a list, and may also occur in an option's text. */
const POINTERS = [...ORDINALS, ...SHORT_ORDINALS, 'last', 'former', 'latter', '第', '最后', '前者', '后者', '後者'];

const CHOOSING =
  "please|pls|thanks|thank you|i|i'd like|i would like|i want|i'll take|i take|i choose|i pick|i prefer|take|choose|pick|let's take|go with|let's go with|i'll go with|that is|it's|it is|我|我要|我选|我选择|我想要|要|选|选择|就|就要|那就|吧|谢谢|请|的";

/** The names of a place in a list: with a word before it as it is, or as an ordinal. */
const namesOf = (index: number): string[] => {
  const [number, han] = [String(index + 1), HAN_NUMBERS[index]!];
  const named = [number, NUMBERS[index]!, LETTERS[index]!];
  const ordinals = [ORDINALS[index]!, SHORT_ORDINALS[index]!];
  return [
    number,
    ...'option|number|choice|answer'.split('|').flatMap((word) => named.map((name) => `${word} ${name}`)),
    ...ordinals.flatMap((word) =>
      'one|option|choice|answer'
        .split('|')
        .flatMap((end) => [word, `the ${word}`, `${word} ${end}`, `the ${word} ${end}`]),
    ),
    ...[number, han].flatMap((name) => ['', '个', '项', '种', '条', '款'].map((end) => `第${name}${end}`)),
    ...[number, han, LETTERS[index]!].flatMap((name) => ['选', '选择', '选项', '方案'].map((word) => `${word}${name}`)),
    ...[number, han].map((name) => `${name}号`),
  ];
};

const LAST =
  'last|the last|last one|the last one|last option|the last option|最后一个|最后一项|最后一种|最后那个'.split('|');
const FORMER = 'the former|former|前者'.split('|');
const LATTER = 'the latter|latter|后者'.split('|');

const placeBit = (index: number): number => 1 << index;
const [LAST_BIT, FORMER_BIT, LATTER_BIT] = [1, 2, 4].map((each) => each << OPTIONS_MAX) as [number, number, number];

const GRAMMAR = grammarOf([
  ...LETTERS.slice(0, OPTIONS_MAX).flatMap((_, i) => namesOf(i).map((text) => ({ text, says: placeBit(i) }))),
  ...LAST.map((text) => ({ text, says: LAST_BIT })),
  ...FORMER.map((text) => ({ text, says: FORMER_BIT })),
  ...LATTER.map((text) => ({ text, says: LATTER_BIT })),
  ...CHOOSING.split('|').map((text) => ({ text, says: 0 })),
]);

/** The option whose place in the list a whole text names: its number, "the second one", 选2, "option b"; undefined where that is not certain. */
const optionAtPlace = (options: string[], said: string): string | undefined => {
  const [place, ...others] = [...readings(said.replace(/#(?=\d)/g, ' number '), GRAMMAR)].filter((mask) => mask !== 0);
  if (place === undefined || others.length > 0 || /[-−]\d/.test(said)) return undefined;
  const lower = said.toLowerCase();
  // "The second" of "second class" and "first class" is not certain.
  const pointers = POINTERS.filter((word) => lower.includes(word));
  if (options.some((option) => pointers.some((word) => option.toLowerCase().includes(word)))) return undefined;
  if (place === LAST_BIT) return options.at(-1);
  if (place === FORMER_BIT || place === LATTER_BIT)
    return options.length === 2 ? options[place === FORMER_BIT ? 0 : 1] : undefined;
  return options.find((_, i) => placeBit(i) === place);
};

/** The letter that an option gives itself: `b` of "B) Friday". */
const ownLetter = (option: string): string | undefined =>
  /^\(?([a-j])[.):、：]/i.exec(option.normalize('NFKC'))?.[1]?.toLowerCase();

/** The letter that an answer names: `b` of "b", "B." or "option b". */
const namedLetter = (said: string): string | undefined =>
  /^\(?(?:option |choice |选项?|方案)?([a-j])[.)]?$/i.exec(said.normalize('NFKC'))?.[1]?.toLowerCase();

const only = <T>(found: T[]): T | undefined => (found.length === 1 ? found[0] : undefined);

/** The option that says yes, or no, as the answer does: where there is one of each, for "fine" may answer "good or bad?", too. */
const yesOrNoOf = (options: string[], said: string): string | undefined => {
  const meant = [isYes, isNo, isLastingYes].find((means) => means(said));
  if (meant === undefined || !options.some(isYes) || !options.some(isNo)) return undefined;
  return only(options.filter(meant));
};

/** The meaning of an answer where a question has options (SPEC 5): the option of its text, its letter or its place in the list, or the only yes or no among them; else the answer. */
export const chosenOption = (options: string[], answer: string): string => {
  if (options.length === 0) return answer;
  const said = answer.trim();
  if (options.includes(said)) return said;
  const alike = only(
    options.filter((option) => isSameQuestion(option, said) && isQuestion(option) === isQuestion(said)),
  );
  const letter = namedLetter(said);
  const lettered = options.some((option) => ownLetter(option) !== undefined);
  if (lettered && letter !== undefined) return only(options.filter((option) => ownLetter(option) === letter)) ?? answer;
  return alike ?? optionAtPlace(options, said) ?? yesOrNoOf(options, said) ?? answer;
};
