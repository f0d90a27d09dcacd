import { describe, expect, it } from 'vitest';
import {
  createInternetSearchTool,
  readableResults,
  SearchFault,
  type SearchResult,
  SUMMARY_CHARS_MAX,
  TITLE_CHARS_MAX,
  URL_CHARS_MAX,
  type WebSearch,
} from '../../src/tools/internet-search/internet-search.ts';
import { taskCall } from '../support/tools/task-call.ts';

const page = (n: number, more: Partial<SearchResult> = {}): SearchResult => ({
  title: `Title ${n}`,
  summary: `Summary ${n}`,
  url: `https://example.com/${n}`,
  ...more,
});

/** A source that finds always the same, or fails for always the same reason, and keeps what it was asked. */
const answering = (outcome: SearchResult[] | string) => {
  const asked: string[] = [];
  const search: WebSearch['search'] = async (query) => {
    asked.push(query);
    if (typeof outcome === 'string') throw new SearchFault(outcome);
    return outcome;
  };
  return { source: { name: 'Engine', timeoutMs: 10_000, search }, asked };
};

describe('internet_search', () => {
  it('says which variables to set when no source is configured', async () => {
    const answer = await createInternetSearchTool([]).run('tea', taskCall());
    expect(answer.ok).toBe(false);
    expect(answer.result).toMatch(/TRIPACT_SEARXNG_URL.*ANTHROPIC_API_KEY/);
  });

  it('shows the top 3 as title, summary and url', async () => {
    const { source } = answering([1, 2, 3, 4].map((n) => page(n)));
    expect(await createInternetSearchTool([source]).run('tea', taskCall())).toEqual({
      ok: true,
      result: [
        '1. Title 1\n   Summary 1\n   https://example.com/1',
        '2. Title 2\n   Summary 2\n   https://example.com/2',
        '3. Title 3\n   Summary 3\n   https://example.com/3',
      ].join('\n\n'),
    });
  });

  it.each([
    ['green tea', 'green tea'],
    ['internet_search green tea', 'green tea'],
    ['Internet_Search: green tea', 'green tea'],
    ["'green tea'", 'green tea'],
    ['“绿茶”', '绿茶'],
    ['"green" or "black"', '"green" or "black"'],
  ])('reads %s as the query %s', async (input, query) => {
    const { source, asked } = answering([]);
    await createInternetSearchTool([source]).run(input, taskCall());
    expect(asked).toEqual([query]);
  });

  it.each(['  ', '/internet_search', '""'])(
    'answers an unusable query with the usage and sends no request',
    async (input) => {
      const { source, asked } = answering([]);
      const answer = await createInternetSearchTool([source]).run(input, taskCall());
      expect(answer).toMatchObject({ ok: false, result: expect.stringContaining('Usage: internet_search') });
      expect(asked).toEqual([]);
    },
  );

  it('counts a search that finds nothing as a success that says so', async () => {
    const { source } = answering([]);
    expect(await createInternetSearchTool([source]).run('tea', taskCall())).toEqual({
      ok: true,
      result: 'Nothing was found for "tea".',
    });
  });

  it('asks the next source when one fails, and names every fault when all do', async () => {
    const broken = answering('it is down.');
    const working = answering([page(1)]);
    const both = createInternetSearchTool([broken.source, working.source]);
    expect(await both.run('tea', taskCall())).toMatchObject({ ok: true, result: expect.stringMatching(/Title 1/) });
    const none = createInternetSearchTool([broken.source, broken.source]);
    expect(await none.run('tea', taskCall())).toEqual({
      ok: false,
      result: 'Engine: it is down.\nEngine: it is down.',
    });
  });
});

describe('results from the web', () => {
  it.each([
    ['<b>Green</b> tea\u001b[31m & <i class="x">honey</i>\n', 'Green tea & honey'],
    ['if a < b and c > d', 'if a < b and c > d'],
    ['', 'https://example.com/1'],
  ])('are shown as one line of text: %j', (title, text) => {
    expect(readableResults('tea', [page(1, { title })], 'en')).toMatch(`1. ${text}\n`);
  });

  it('are bounded in title and summary, and never cut a character in two', () => {
    const text = readableResults('tea', [page(1, { title: '茶'.repeat(5_000), summary: '😀'.repeat(5_000) })], 'en');
    const [title = '', summary = ''] = text.split('\n').map((line) => line.replace(/^(1\.| {2}) /, ''));
    expect(title).toHaveLength(TITLE_CHARS_MAX);
    expect(summary.length).toBeLessThanOrEqual(SUMMARY_CHARS_MAX);
    expect(text.isWellFormed()).toBe(true);
    expect([title.at(-1), summary.at(-1)]).toEqual(['…', '…']);
  });

  it('need a web address of a sane length, and are shown once', () => {
    const urls = [
      'javascript:alert(1)',
      'no url',
      `https://example.com/${'x'.repeat(URL_CHARS_MAX)}`,
      'https://example.com/1',
      'https://example.com/1',
      'HTTPS://EXAMPLE.com:443/1',
      'http://example.com/2',
      'https://example.com/3',
    ];
    const text = readableResults(
      'tea',
      urls.map((url, n) => page(n, { url })),
      'en',
    );
    expect(text).toBe(
      [
        '1. Title 3\n   Summary 3\n   https://example.com/1',
        '2. Title 6\n   Summary 6\n   http://example.com/2',
        '3. Title 7\n   Summary 7\n   https://example.com/3',
      ].join('\n\n'),
    );
  });
});
