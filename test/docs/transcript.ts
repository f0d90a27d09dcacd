import { readFileSync } from 'node:fs';

/** One exchange of a page's transcript: what is put in, and what must come back, word for word. */
export interface Exchange {
  input: string;
  output: string;
}

/** The exchanges of all ```transcript blocks of a page, in order: a line that starts with `> ` is typed in, the lines below come back. */
export const readTranscript = (page: string): Exchange[] => {
  const text = readFileSync(page, 'utf8');
  const blocks = [...text.matchAll(/^```transcript\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split(/^> /m).slice(1))
    .map((exchange) => {
      const [input = '', ...output] = exchange.split('\n');
      return { input, output: output.join('\n').trim() };
    });
};
