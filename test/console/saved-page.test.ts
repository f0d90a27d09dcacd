import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TaskView } from '../../contracts/turn-view.ts';
import { linesOfPage } from '../../src/history/saved-page.ts';
import { goldenLines } from '../support/golden/files.ts';
import { consoleLanguage } from './console-language.ts';

await consoleLanguage();
const { taskPage } = await import('../../src/console/export/task-page.ts');

const entries = goldenLines('two-items-with-tools') as unknown as TraceEntry[];
const usage = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 0, cache_written_tokens: 0 };
const goal = '<script type="application/json" id="trace">[\n{}\n]</script>';
const view = { id: 't', goal, state: 'done', outcome: null, usage, plan: [] } as unknown as TaskView;
const page = taskPage({ session: goal, view, entries, calls: [] });

/** The page in pieces of so many bytes. */
async function* piecesOf(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  const all = new TextEncoder().encode(text);
  for (let at = 0; at < all.length; at += bytes) yield all.slice(at, at + bytes);
}

const linesOf = (text: string, bytes: number): Promise<string[]> =>
  Array.fromAsync(linesOfPage(piecesOf(text, bytes), (why) => new Error(why)));

describe('the trace in a saved page', () => {
  it.each([1, 7, 1_000, 1_000_000])('is read entry by entry, in pieces of %i bytes', async (bytes) => {
    expect((await linesOf(page, bytes)).map((line) => JSON.parse(line))).toEqual(entries);
  });

  it('is absent from another page, and cut off in one that ends early', async () => {
    await expect(linesOf('<!doctype html><p>[</p>', 5)).rejects.toThrow('without_trace');
    await expect(linesOf(page.slice(0, -60), 1_000)).rejects.toThrow('cut');
  });
});
