import { expect, test } from 'vitest';
import { rememberTool } from '../../src/tools/memory/memory.ts';
import { answered, openOwnerDatabase, refused, tell } from './owner-database.ts';

test('facts are added, listed and deleted, in both languages, by command line or as they stand', () => {
  const remember = answered(rememberTool, openOwnerDatabase());
  expect(tell(remember, 'list of allergies:\nnuts')).toBe('Remembered #1 list of allergies: nuts');
  expect(tell(remember, '/memory add 住在京都', { language: 'zh' })).toBe('已记住 #2 住在京都');
  expect(tell(remember, '/memory add 住在京都')).toBe('Already known: #2 住在京都');
  expect(tell(remember, '/memory list')).toBe('Memory (2)\n#1 list of allergies: nuts\n#2 住在京都');
  expect(tell(remember, '/memory list', { owner: 'bob' })).toBe('Nothing is remembered.');
  expect(refused(remember, '/memory delete 1', { owner: 'bob' })).toBe('There is no fact #1.');
  expect(refused(remember, '/memory delete 1 3', { language: 'zh' })).toBe('没有事实 #3。');
  expect(tell(remember, '/memory delete 1 2')).toBe('Forgot #1 list of allergies: nuts\nForgot #2 住在京都');
  expect(tell(remember, 'Drinks tea')).toBe('Remembered #3 Drinks tea');
});

test('an owner has 100 facts of 500 characters', () => {
  const remember = answered(rememberTool, openOwnerDatabase());
  expect(refused(remember, 'x'.repeat(501))).toBe('A fact has at most 500 characters.');
  expect(refused(remember, ' ')).toBe('The fact is missing.');
  for (let i = 1; i <= 100; i += 1) tell(remember, `${i} ${'x'.repeat(490)}`);
  expect(refused(remember, 'one more')).toBe('There are 100 facts already: delete some first, with /memory delete.');
  expect(tell(remember, '/memory add "one more"', { owner: 'bob' })).toBe('Remembered #1 one more');
});
