import type { PromptPart } from './prompt-text.ts';

/** System prompts that are remembered, the newest: a few for each executor and language of the tasks that run at once. */
const KEPT = 32;

interface Kept {
  of: readonly unknown[];
  system: readonly PromptPart[];
}

/** The newest first. */
const kept: Kept[] = [];

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

/**
 * The system prompt that is made of these values, the same array as the last time where each of them is the same: most calls share
 * theirs, and what is made of one (its whole text, its JSON) can be kept with it. Nobody changes it.
 */
export const keptSystem = (of: readonly unknown[], make: () => PromptPart[]): readonly PromptPart[] => {
  const at = kept.findIndex((known) => isSame(known.of, of));
  const [found = { of, system: make() }] = at === -1 ? [] : kept.splice(at, 1);
  kept.unshift(found);
  if (kept.length > KEPT) kept.pop();
  return found.system;
};
