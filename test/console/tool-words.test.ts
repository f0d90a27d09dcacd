import { afterEach, expect, it } from 'vitest';
import { BUILT_IN_TOOLS } from '../../src/config/settings.ts';
import { doingOf, toldArgument } from '../../src/console/chat/tool-doings.ts';
import { consoleLanguage } from './console-language.ts';

const speak = await consoleLanguage();
const { doingText } = await import('../../src/console/chat/tool-words.ts');

afterEach(() => speak('en'));

/** A call as its line shows it. */
const told = (tool: string, input: string | object, isDone = true): string => {
  const call = { tool, input: typeof input === 'string' ? input : JSON.stringify(input) };
  const doing = doingOf(call);
  return `${doing === null ? '' : doingText(doing, isDone)} | ${toldArgument(call)}`;
};

it.each([
  ['files', { command: 'write', path: 'policies.md', text: '# We' }, 'Wrote | policies.md'],
  ['files', 'write notes.md Hello', 'Wrote | notes.md'],
  ['files', '/files list', 'Listed the files | '],
  ['todo', 'add oat milk', 'Added a todo | oat milk'],
  ['todo', '/todo done 3', 'Completed a todo | 3'],
  ['planning', { command: 'mark_step', plan_id: 'move', step_index: 0 }, 'Marked a step | move'],
  ['planning', '/plan activate move', 'Chose a named plan | move'],
  ['remember', 'Anna drinks oat milk', 'Remembered | Anna drinks oat milk'],
  ['remember', 'Delete nothing without asking', 'Remembered | Delete nothing without asking'],
  ['remember', '/memory delete 2', 'Forgot | 2'],
  ['internet_search', 'refund policies', 'Searched the web for | refund policies'],
  ['order_get', { order: '1043' }, ' | 1043'],
  ['todo', 'dance', ' | dance'],
])('says what %s does with %j', (tool, input, words) => {
  expect(told(tool, input)).toBe(words);
});

it('tells what is done from what is not, in both languages', () => {
  const writes = { command: 'write', path: '政策.md', text: '# 我们' };
  expect(told('files', writes, false)).toBe('Writing | 政策.md');
  speak('zh');
  expect(told('files', writes)).toBe('已写入 | 政策.md');
  expect(told('files', writes, false)).toBe('正在写入 | 政策.md');
});

it('has words for each built-in tool', () => {
  const commands = ['', 'list'];
  const wordless = [...BUILT_IN_TOOLS].filter((tool) => commands.every((input) => doingOf({ tool, input }) === null));
  expect(wordless).toEqual([]);
});
