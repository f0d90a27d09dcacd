import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { KEYS, startHttpOn } from '../support/http/http-app.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

it('a program finds the pages of the package by /llms.txt, without a key and below a prefix', async () => {
  const { http } = await startHttpOn(stubEngine({}), { apiKeys: KEYS, prefix: '/agent' });
  const get = (url: string) => http.inject({ url, headers: { host: 'tripact.example' } });
  const list = await get('/agent/llms.txt');
  expect(list.headers['content-type']).toBe('text/plain; charset=utf-8');
  const links = [...list.body.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, link = '']) => link);
  expect(links).toEqual(expect.arrayContaining(['/agent/README.md', '/agent/docs/tools.md']));
  for (const link of links) expect((await get(link)).statusCode, link).toBe(200);
  const page = await get('/docs/tools.md');
  expect(page.headers['content-type']).toBe('text/markdown; charset=utf-8');
  expect(page.body).toBe(readFileSync('docs/tools.md', 'utf8'));
  // Only pages are public: the page of the API needs a key, and no other file is served.
  expect((await get('/docs')).statusCode).toBe(401);
  for (const path of ['/docs/../package.json', '/docs/none.md', '/package.json'])
    expect([401, 404]).toContain((await get(path)).statusCode);
});
