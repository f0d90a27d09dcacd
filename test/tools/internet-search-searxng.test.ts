import { describe, expect, it } from 'vitest';
import { createInternetSearchTool } from '../../src/tools/internet-search/internet-search.ts';
import { createSearxngSearch, SEARXNG_BYTES_MAX } from '../../src/tools/internet-search/searxng.ts';
import { sendJson, serve } from '../support/http/local-server.ts';
import { taskCall } from '../support/tools/task-call.ts';

const search = (baseUrl: string, more = {}) =>
  createInternetSearchTool([{ ...createSearxngSearch(baseUrl), ...more }]).run('green tea', taskCall());

describe('internet_search with SearXNG', () => {
  it('asks /search for JSON and shows what it finds', async () => {
    const server = await serve((_, response) =>
      sendJson(response, {
        query: 'green tea',
        results: [
          { title: 'Green tea', content: 'A <b>tea</b>.', url: 'https://example.com/tea', engine: 'one', score: 2 },
          { title: 'Untold', url: 'https://example.com/untold', content: null },
        ],
        unresponsive_engines: [['two', 'timeout']],
      }),
    );
    expect(await search(server.origin)).toEqual({
      ok: true,
      result:
        '1. Green tea\n   A tea.\n   https://example.com/tea\n\n2. Untold\n   (no summary)\n   https://example.com/untold',
    });
    expect(server.seen[0]?.url).toBe('/search?q=green+tea&format=json');
  });

  it('works under a path, and follows redirects on its own host', async () => {
    const server = await serve((request, response) => {
      if (request.url.startsWith('/searxng/search/')) sendJson(response, { results: [] });
      else response.writeHead(308, { location: request.url.replace('/search?', '/search/?') }).end();
    });
    expect(await search(`${server.origin}/searxng`)).toMatchObject({ ok: true });
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/searxng/search?q=green+tea&format=json',
      '/searxng/search/?q=green+tea&format=json',
    ]);
  });

  it.each([
    { status: 403, says: /"json" in search\.formats \(403\)/ },
    { status: 429, says: /server\.limiter off \(429\)/ },
    { status: 500, says: /status 500.*TRIPACT_SEARXNG_URL/ },
  ])('turns status $status into a failed observation that says what to do', async ({ status, says }) => {
    const server = await serve((_, response) => response.writeHead(status).end('<h1>No</h1>'));
    expect(await search(server.origin)).toMatchObject({ ok: false, result: expect.stringMatching(says) });
  });

  it.each(['<html>', '', '{}', '{"results":{}}', '{"results":[{"title":7}]}'])(
    'turns the answer %j into a failed observation',
    async (body) => {
      const server = await serve((_, response) => response.end(body));
      expect(await search(server.origin)).toMatchObject({
        ok: false,
        result: expect.stringMatching(/is not the search JSON/),
      });
    },
  );

  it('says that its engines failed, rather than that the web has nothing', async () => {
    const server = await serve((_, response) =>
      sendJson(response, {
        results: [],
        unresponsive_engines: [
          ['one', 'CAPTCHA'],
          ['two', 'timeout'],
        ],
      }),
    );
    expect(await search(server.origin)).toMatchObject({
      ok: false,
      result: expect.stringMatching(/one: CAPTCHA; two: timeout/),
    });
  });

  it('reads no endless answer', async () => {
    const server = await serve((_, response) => response.end(`{"results":[],"x":"${'x'.repeat(SEARXNG_BYTES_MAX)}"}`));
    expect(await search(server.origin)).toMatchObject({
      ok: false,
      result: expect.stringMatching(/is not the search JSON/),
    });
  });

  it.each(['/before', '/within'])('gives up at its deadline (%s the answer)', async (path) => {
    const server = await serve((request, response) => {
      if (request.url.startsWith('/within')) response.write('{');
    });
    expect(await search(`${server.origin}${path}`, { timeoutMs: 200 })).toMatchObject({
      ok: false,
      result: expect.stringMatching(/no answer within 0\.2 s/),
    });
  });
});
