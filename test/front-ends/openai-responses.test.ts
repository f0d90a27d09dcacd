import { describe, expect, it } from 'vitest';
import { clientOf, start } from '../support/front-ends/openai-service.ts';
import { startService } from '../support/service/service.ts';

/** Fields that OpenAI's own service sends with each response, whatever was asked. */
const ALWAYS = [
  ...['id', 'object', 'created_at', 'completed_at', 'status', 'background', 'error', 'incomplete_details', 'usage'],
  ...['instructions', 'metadata', 'model', 'output', 'parallel_tool_calls', 'previous_response_id', 'prompt_cache_key'],
  ...['max_output_tokens', 'max_tool_calls', 'reasoning', 'safety_identifier', 'service_tier', 'store', 'temperature'],
  ...['text', 'tool_choice', 'tools', 'top_logprobs', 'top_p', 'truncation'],
];

describe('a response has the fields that OpenAI always sends', () => {
  it('when it is finished, asked for again, and in the events of its stream', async () => {
    const { responses } = clientOf(await start({ a: 'A' }));
    const one = await responses.create({ input: 'a', temperature: 0.2, store: false });
    const events = await Array.fromAsync(await responses.retrieve(one.id, { stream: true }));
    const shown = [
      one,
      await responses.retrieve(one.id),
      ...events.flatMap((e) => ('response' in e ? e.response : [])),
    ];
    expect(shown).toHaveLength(5);
    for (const response of shown) expect(Object.keys(response)).toEqual(expect.arrayContaining(ALWAYS));
    expect(one).toMatchObject({
      text: { format: { type: 'text' } },
      truncation: 'disabled',
      store: true,
      service_tier: 'default',
      temperature: 1,
      top_p: 1,
      reasoning: { effort: null, summary: null },
      max_output_tokens: null,
    });
    expect(one.completed_at).toBeGreaterThanOrEqual(one.created_at);
  });

  it('while it runs, with null for its usage and its end', async () => {
    const service = await startService({ plan: () => new Promise(() => {}) });
    const { responses } = clientOf(service);
    const { id } = await responses.create({ input: 'a', background: true });
    await service.model.asked(1);
    const running = await responses.retrieve(id);
    expect(Object.keys(running)).toEqual(expect.arrayContaining(ALWAYS));
    expect(running).toMatchObject({ status: 'in_progress', usage: null, completed_at: null });
    expect(await responses.cancel(id)).toMatchObject({ status: 'cancelled', completed_at: null });
  });
});
