import { describe, expect, it } from 'vitest';
import { createResponseReader } from '../../src/models/reply/response-reader.ts';

/** The parts of a response that are given while its text comes in pieces of that many characters. */
const given = (text: string, size: number): string[] => {
  const pieces: string[] = [];
  const read = createResponseReader((piece) => pieces.push(piece));
  for (let at = 0; at < text.length; at += size) read(text.slice(at, at + size));
  return pieces;
};

const response = 'He said "go"\n\\ 牛奶 😀 \t end';
const done = JSON.stringify({ status: 'done', plan: [{ response: 'no', status: 'replanned' }], response });

describe('the reader of an answer that comes in pieces', () => {
  it.each([1, 2, 3, 7, 1_000])('gives the response as it comes, in pieces of %d', (size) => {
    const pieces = given(done, size);
    expect(pieces.join('')).toBe(response);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    expect(pieces.length > 1).toBe(size < 20);
  });

  it.each([
    ['in a fence', `\`\`\`json\n${done}\n\`\`\``],
    ['behind reasoning', `<think>a {"status":"done","response":"no"} b</think>\n${done}`],
    ['escaped', done.replaceAll(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)],
    ['with its status behind it', JSON.stringify({ response, status: 'done' })],
  ])('gives it %s', (_, text) => {
    expect(given(text, 3).join('')).toBe(response);
  });

  it.each([
    ['work that is left', JSON.stringify({ status: 'replanned', plan: ['a'], response })],
    ['prose around it', `Sure: ${done}`],
    ['no response', JSON.stringify({ status: 'done', plan: [], response: null })],
    ['an escape that JSON does not know', '{"status":"done","response":"\\d"}'],
    ['a response inside another value', JSON.stringify({ status: 'done', answer: { response } })],
  ])('gives nothing of %s', (_, text) => {
    expect(given(text, 3)).toEqual([]);
  });

  it('gives the beginning of what is cut off', () => {
    expect(given('{"status":"done","response":"half of i', 4).join('')).toBe('half of i');
  });
});
