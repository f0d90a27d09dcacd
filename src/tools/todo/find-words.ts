/** Values of a byte. */
const BYTES = 256;

/**
 * Makes what tells whether a text in UTF-8 has every one of some words in it; 31 words at most, of some hundred characters in all. It looks once at
 * each byte of a text, however many words there are and however alike they begin (Aho and Corasick).
 */
export const createWordFinder = (texts: readonly string[]): ((text: Uint8Array) => boolean) => {
  const words = texts.map((word) => Buffer.from(word));
  const most = words.reduce((sum, { length }) => sum + length, 1);
  /** The state after a byte: how much of which words was just read. */
  const next = new Int32Array(most * BYTES);
  /** The words that end in a state, one bit each. */
  const ends = new Int32Array(most);
  let states = 1;
  for (const [index, word] of words.entries()) {
    let state = 0;
    for (const byte of word) {
      const step = state * BYTES + byte;
      if (next[step] === 0) next[step] = states++;
      state = next[step]!;
    }
    ends[state]! |= 1 << index;
  }
  // Where no word goes on, the longest ending of what was read that begins a word does; the shorter ones are done first.
  const shorter = new Int32Array(most);
  const queue = [0];
  for (const state of queue)
    for (let byte = 0; byte < BYTES; byte++) {
      const step = state * BYTES + byte;
      const otherwise = state === 0 ? 0 : next[shorter[state]! * BYTES + byte]!;
      const longer = next[step]!;
      if (longer === 0) next[step] = otherwise;
      else {
        shorter[longer] = otherwise;
        ends[longer]! |= ends[otherwise]!;
        queue.push(longer);
      }
    }
  const all = (1 << words.length) - 1;
  // In place of each state the offset of its row, negated where words end in it: one look for a byte of which nothing comes.
  for (const [step, state] of next.entries()) next[step] = ends[state] === 0 ? state * BYTES : ~(state * BYTES);
  return (text) => {
    let row = 0;
    let found = 0;
    for (let at = 0; at < text.length; at++) {
      row = next[row + text[at]!]!;
      if (row >= 0) continue;
      row = ~row;
      found |= ends[row / BYTES]!;
      if (found === all) return true;
    }
    return false;
  };
};
