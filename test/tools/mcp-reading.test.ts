import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { serveSample } from '../support/mcp/http-server.ts';
import { connectSamples } from '../support/mcp/setup.ts';

const createLibrary = (): McpServer => {
  const server = new McpServer({ name: 'library', version: '1.0.0' });
  server.registerTool('get_prompt', { description: "The server's own." }, () => ({
    content: [{ type: 'text', text: 'own' }],
  }));
  server.registerResource(
    'motto',
    'lib://motto',
    { description: 'What we say', mimeType: 'text/plain' },
    ({ href }) => ({
      contents: [{ uri: href, mimeType: 'text/plain', text: 'Read more.' }],
    }),
  );
  server.registerResource('book', new ResourceTemplate('lib://books/{id}', { list: undefined }), {}, ({ href }) => ({
    contents: [{ uri: href, text: `The book at ${href}` }],
  }));
  server.registerPrompt(
    'review',
    { description: 'Reviews a book', argsSchema: z.object({ book: z.string() }) },
    ({ book }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Review ${book}.` } }],
    }),
  );
  return server;
};

it("a server's resources and prompts are listed, read and got by tools that only read, from outside", async () => {
  const sample = await serveSample({}, createLibrary);
  const mcp = await connectSamples({ lib: { url: sample.url } });
  expect(mcp.names()).toEqual(['lib_get_prompt', 'lib_list_resources', 'lib_read_resource', 'lib_list_prompts']);
  expect(mcp.tool('lib_read_resource')).toMatchObject({ effect: 'idempotent', writes: false, source: 'untrusted' });
  expect((await mcp.run('lib_list_resources')).result).toBe(
    'lib://motto · motto · text/plain · What we say\nlib://books/{id} · book',
  );
  expect((await mcp.run('lib_read_resource', '{"uri": "lib://motto"}')).result).toContain('Read more.');
  expect((await mcp.run('lib_read_resource', 'lib://books/7')).result).toContain('The book at lib://books/7');
  expect((await mcp.run('lib_read_resource', 'lib://nothing')).ok).toBe(false);
  expect((await mcp.run('lib_list_prompts')).result).toBe('review(book) · Reviews a book');
  expect(await mcp.run('lib_get_prompt')).toEqual({ ok: true, result: 'own' });
});

it('a prompt is got with its arguments, and only the tools that are listed are taken', async () => {
  const sample = await serveSample({}, () => {
    const server = new McpServer({ name: 'library', version: '1.0.0' });
    server.registerPrompt('review', { argsSchema: z.object({ book: z.string() }) }, ({ book }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Review ${book}.` } }],
    }));
    return server;
  });
  const mcp = await connectSamples({ lib: { url: sample.url, tools: ['get_prompt'] } });
  expect(mcp.names()).toEqual(['lib_get_prompt']);
  const asked = '{"name": "review", "arguments": {"book": "Emma"}}';
  expect(await mcp.run('lib_get_prompt', asked)).toEqual({ ok: true, result: 'Review Emma.' });
});
