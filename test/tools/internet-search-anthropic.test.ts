import { describe, expect, it } from 'vitest';
import { createAnthropicClient } from '../../src/models/anthropic/anthropic.ts';
import { createAnthropicSearch } from '../../src/tools/internet-search/anthropic.ts';
import { createInternetSearchTool } from '../../src/tools/internet-search/internet-search.ts';
import { sendJson, serve } from '../support/http/local-server.ts';
import { taskCall } from '../support/tools/task-call.ts';

const KEY = 'sk-ant-test-0123456789';

const toolAt = (baseURL: string) => {
  const search = createAnthropicSearch(createAnthropicClient({ apiKey: KEY, baseURL }), 'claude-x');
  return createInternetSearchTool([{ name: 'Anthropic web search', timeoutMs: 10_000, search }]);
};

const message = (content: unknown[], stop_reason = 'end_turn') => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-x',
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});

const searched = (content: unknown) => ({ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content });
const hit = (n: number, page_age: string | null = null) => ({
  type: 'web_search_result',
  title: `Title ${n}`,
  url: `https://example.com/${n}`,
  encrypted_content: 'x',
  page_age,
});
const cited = (n: number, cited_text: string) => ({
  type: 'text',
  text: 'A sentence.',
  citations: [
    {
      type: 'web_search_result_location',
      url: `https://example.com/${n}`,
      title: 't',
      cited_text,
      encrypted_index: 'x',
    },
  ],
});

describe('internet_search with Anthropic', () => {
  it('asks the model to search once, and shows cited pages first with the words that were cited', async () => {
    const server = await serve((_, response) =>
      sendJson(
        response,
        message([
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'green tea' } },
          searched([hit(1, '2 days ago'), hit(2), hit(3), hit(4)]),
          { type: 'text', text: 'Here: ' },
          cited(4, 'Tea is green.'),
          cited(4, 'It is old.'),
        ]),
      ),
    );
    expect(await toolAt(server.origin).run('green tea', taskCall())).toEqual({
      ok: true,
      result: [
        '1. Title 4\n   Tea is green. … It is old.\n   https://example.com/4',
        '2. Title 1\n   2 days ago\n   https://example.com/1',
        '3. Title 2\n   (no summary)\n   https://example.com/2',
      ].join('\n\n'),
    });
    expect(server.seen).toHaveLength(1);
    expect(JSON.parse(server.seen[0]?.body ?? '')).toMatchObject({
      model: 'claude-x',
      messages: [{ role: 'user', content: '<query>green tea</query>' }],
      tools: [{ type: 'web_search_20260318', name: 'web_search', max_uses: 1 }],
    });
  });

  it.each(['too_many_requests', 'unavailable'])(
    'turns the search error %s into a failed observation',
    async (error_code) => {
      const error = searched({ type: 'web_search_tool_result_error', error_code });
      const server = await serve((_, response) => sendJson(response, message([error])));
      const answer = await toolAt(server.origin).run('tea', taskCall());
      expect(answer).toMatchObject({ ok: false, result: expect.stringContaining(error_code) });
    },
  );

  it.each(['end_turn', 'refusal'])('fails when the model did not search (%s)', async (reason) => {
    const server = await serve((_, response) => sendJson(response, message([{ type: 'text', text: 'No.' }], reason)));
    expect(await toolAt(server.origin).run('tea', taskCall())).toMatchObject({
      ok: false,
      result: expect.stringContaining(`did not search (stop reason ${reason})`),
    });
  });

  it.each([
    { status: 401, says: /Check ANTHROPIC_API_KEY/ },
    { status: 400, says: /no web search.*TRIPACT_SEARXNG_URL/ },
    { status: 404, says: /no web search.*TRIPACT_SEARXNG_URL/ },
    { status: 529, says: /Try again later/ },
  ])('says what to do at status $status, at once and without the key', async ({ status, says }) => {
    const server = await serve((_, response) =>
      sendJson(response, { type: 'error', error: { type: 'some_error', message: 'told so' } }, status),
    );
    const answer = await toolAt(server.origin).run('tea', taskCall());
    expect(answer).toMatchObject({ ok: false, result: expect.stringMatching(says) });
    expect(answer.result).not.toContain(KEY);
    expect(server.seen).toHaveLength(1);
  });

  it('stops when the task is cancelled', async () => {
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const server = await serve(() => controller.abort(reason));
    await expect(toolAt(server.origin).run('tea', taskCall({ signal: controller.signal }))).rejects.toBe(reason);
  });
});
