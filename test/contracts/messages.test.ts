import { describe, expect, it } from 'vitest';
import { messages } from '../../contracts/messages/messages.ts';
import { offlineMessages } from '../../src/models/offline/messages.ts';
import { codingAgentMessages } from '../../src/tools/coding-agent/messages.ts';
import { filesMessages } from '../../src/tools/files/messages.ts';
import { searchMessages } from '../../src/tools/internet-search/messages.ts';
import { planningMessages } from '../../src/tools/planning/messages.ts';
import { scheduleMessages } from '../../src/tools/schedule/messages.ts';
import { todoMessages } from '../../src/tools/todo/messages.ts';

/** Every entry of a catalogue by its path, such as `replies.paused.deadlock`. */
const entriesOf = (texts: object, path = ''): [path: string, text: unknown][] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'object' && text !== null ? entriesOf(text, `${path}${key}.`) : [[`${path}${key}`, text]],
  );

const HAN = /\p{Script=Han}/u;

/** The catalogue, and the texts beside tools and models. */
const CATALOGUES = [
  ['the catalogue', messages],
  ['todos', todoMessages],
  ['the schedule', scheduleMessages],
  ['files', filesMessages],
  ['named plans', planningMessages],
  ['the search', searchMessages],
  ['the coding agent', codingAgentMessages],
  ['the offline model', offlineMessages],
] as const;

describe.each(CATALOGUES)('the texts of %s', (_name, textsIn) => {
  const [english, chinese] = [textsIn('en'), textsIn('zh')];

  it('have the same entries, of the same kinds, in both languages', () => {
    const kinds = (texts: object) => entriesOf(texts).map(([path, text]) => `${path}: ${typeof text}`);
    expect(kinds(chinese).toSorted()).toEqual(kinds(english).toSorted());
  });

  it('have each fixed text in its own language', () => {
    const fixed = (texts: object) =>
      entriesOf(texts).flatMap(([path, text]) => (typeof text === 'string' ? [[path, text] as const] : []));
    expect(fixed(english).filter(([, text]) => !/[a-z]/i.test(text))).toEqual([]);
    expect(fixed(chinese).filter(([, text]) => !HAN.test(text) && !text.startsWith('/'))).toEqual([]);
  });
});
