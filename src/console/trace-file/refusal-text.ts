import { defineTexts } from '../text/define-texts.ts';

/** The trace code's message for a refused line, and its words in the chosen language. */
const texts = defineTexts(
  {
    notJson: 'it is not one whole JSON value',
    version: (found: string, read: string) => `it has version ${found}; this console reads version ${read}`,
    shape: (why: string) => `it has not the form of an entry: ${why}`,
  },
  {
    notJson: '它不是一个完整的 JSON 值',
    version: (found: string, read: string) => `它的版本是 ${found}；此控制台读取版本 ${read}`,
    shape: (why: string) => `它不是轨迹记录的格式：${why}`,
  },
);

type Part = string | undefined;

const known: readonly [RegExp, (found: readonly Part[]) => string][] = [
  [/: it is not one whole JSON value$/, () => texts.value.notJson],
  [
    /: it has version (\S+); this service reads version (\d+)$/,
    ([, found = '', read = '']) => texts.value.version(found, read),
  ],
  [/is not readable: ([\s\S]+)$/, ([, why = '']) => texts.value.shape(why)],
];

/** Why a line of a trace is refused, in the chosen language; `message` is what the trace's own code says. */
export const refusalText = (message: string): string => {
  for (const [pattern, write] of known) {
    const found = pattern.exec(message);
    if (found !== null) return write(found);
  }
  return message;
};
