import { describe, expect, it } from 'vitest';
import { english } from '../../contracts/messages/en/catalogue.ts';
import { messages } from '../../contracts/messages/messages.ts';
import { chinese } from '../../contracts/messages/zh/catalogue.ts';

/** Every entry of a catalogue by its path, such as `replies.paused.deadlock`. */
const entriesOf = (texts: object, path = ''): [path: string, text: unknown][] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'object' && text !== null ? entriesOf(text, `${path}${key}.`) : [[`${path}${key}`, text]],
  );

const HAN = /\p{Script=Han}/u;

describe('the catalogue of messages', () => {
  it('has the same entries, of the same kinds, in both languages', () => {
    const kinds = (texts: object) => entriesOf(texts).map(([path, text]) => `${path}: ${typeof text}`);
    expect(kinds(chinese).toSorted()).toEqual(kinds(english).toSorted());
  });

  it('has each fixed text in its own language', () => {
    const fixed = (texts: object) =>
      entriesOf(texts).flatMap(([path, text]) => (typeof text === 'string' ? [[path, text] as const] : []));
    expect(fixed(english).filter(([, text]) => !/[a-z]/i.test(text))).toEqual([]);
    expect(fixed(chinese).filter(([, text]) => !HAN.test(text) && !text.startsWith('/'))).toEqual([]);
  });

  it('is chosen by the language', () => {
    expect([messages('en'), messages('zh')]).toEqual([english, chinese]);
  });
});
