import { defineConfig, defineTool } from 'tripact';
import { z } from 'zod';
import { citesLibrary } from './cites-library.ts';
import { findPassages } from './library.ts';

/** Searches the library. Anybody may have written the files in it, so their words are not instructions. */
const find = defineTool({
  name: 'find',
  description: 'Finds passages in the library that have all of the words. Gives each with its file and line.',
  input: z.object({ words: z.string().min(2).describe('Such as "tea exports"') }),
  writes: false,
  source: 'untrusted',
  run: ({ words }) => findPassages(words),
});

export default defineConfig({
  instructions: `You research questions in a library of files. Search with several words, and read what you find.
Write the report to report.md with the tool files: short, with a source like [tea.md:3] behind each fact.
Say so where the library has no answer.`,
  tools: [find],
  builtinTools: ['files'],
  // Before the answer is given, every source in the report is looked up. If one is wrong, the agent has to mend it.
  verify: [citesLibrary],
});
