import { describe, expect, it } from 'vitest';
import { streamedMessage } from '../support/anthropic/streams.ts';
import { clientOf, said, sessionsOf } from '../support/front-ends/openai-service.ts';
import { shutGate } from '../support/service/gate.ts';
import { done, plan, startService } from '../support/service/service.ts';

/** A service whose first closing answer is cut off and whose second holds; each piece waits until the one before was shown. */
const start = async () => {
  let shown = Promise.withResolvers<void>();
  const between = () => shown.promise;
  const whole = JSON.stringify({ status: 'done', plan: [], response: 'It is sunny' });
  const service = await startService({
    plan: plan('Look'),
    thought: done('Looked'),
    replan: [
      streamedMessage(['{"status":"done","response":"It is ', 'rain'], 'max_tokens', between),
      streamedMessage([whole.slice(0, -8), whole.slice(-8)], 'whole', between),
      whole,
    ],
  });
  /** Takes a stream's text as it comes, and lets the model go on once it has shown what stands there. */
  const read = async (response: Response): Promise<string> => {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (/It is |sunn/.test(chunk)) {
        shown.resolve();
        shown = Promise.withResolvers();
        shown.resolve();
      }
    }
    return text;
  };
  return { service, read };
};

const NOTE = '(This answer is withdrawn: it no longer applies.)';
const data = (text: string): Record<string, unknown>[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!) as Record<string, unknown>);
const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });

describe('an answer that is shown while it is written, and one that is void', () => {
  it('are content of Chat Completions, and the conversation is found by them', async () => {
    const { service, read } = await start();
    const body = { model: 'm', stream: true, messages: said('Weather?') };
    const chunks = data(await read(await service.post('/v1/chat/completions', body)));
    const contents = chunks.flatMap(
      ({ choices }) => (choices as { delta: { content?: string } }[])[0]?.delta.content || [],
    );
    expect(contents.length).toBeGreaterThan(3);
    expect(contents.join('')).toMatch(/^It is [\s\S]*sunny$/);
    expect(contents.join('')).toContain(NOTE);
    await clientOf(service).chat.completions.create({
      model: 'm',
      messages: said('Weather?', contents.join(''), '/help'),
    });
    expect(await sessionsOf(service)).toHaveLength(1);
  });

  it('are items of Responses, whose numbers are those of a later read', async () => {
    const { service, read } = await start();
    const live = data(await read(await service.post('/v1/responses', { stream: true, input: 'Weather?' })));
    const { response } = live.at(-1) as { response: { id: string } };
    const later = data(await (await fetch(`${service.url}/v1/responses/${response.id}?stream=true`)).text());
    expect(live.at(-1)).toEqual({ ...later.at(-1), response: { ...(later.at(-1)!.response as object), ...response } });
    const items = live.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    expect(items).toMatchObject([{ status: 'incomplete' }, { type: 'reasoning' }, { status: 'completed' }]);
    const deltas = live.filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas.map(({ delta }) => delta).join('')).toMatch(/^It is .*It is sunny$/);
  });

  it('have numbers of their own, and a stream that is resumed behind any of them shows the rest and nothing twice', async () => {
    const { service, read } = await start();
    const live = data(await read(await service.post('/v1/responses', { stream: true, input: 'Weather?' })));
    expect(live.map(({ sequence_number }) => sequence_number)).toEqual(live.map((_, i) => i));
    expect(live.filter(({ type }) => type === 'response.output_text.delta').length).toBeGreaterThan(3);
    const { id } = live.at(-1)!['response'] as { id: string };
    const seen = (events: Record<string, unknown>[]) => events.map(({ response: _, ...event }) => event);
    for (const [n] of live.slice(0, -1).entries()) {
      const stream = await clientOf(service).responses.retrieve(id, { stream: true, starting_after: n });
      const rest = (await Array.fromAsync(stream)) as unknown as Record<string, unknown>[];
      expect([n, seen(rest)]).toEqual([n, seen(live.slice(n + 1))]);
    }
    const helper = clientOf(service).responses.stream({ response_id: id, starting_after: live.length - 5 });
    expect((await Array.fromAsync(helper)).map(({ sequence_number }) => sequence_number)).toEqual(
      [4, 3, 2, 1].map((n) => live.length - n),
    );
    expect((await helper.finalResponse()).output_text).toBe('It is sunny');
  });

  it('go on where a reader of Responses left in the middle of a word, or sends its request again', async () => {
    const gate = shutGate();
    const whole = JSON.stringify({ status: 'done', plan: [], response: 'It is sunny' });
    const service = await startService({
      plan: plan('Look'),
      thought: done('Looked'),
      replan: streamedMessage([whole.slice(0, -4), whole.slice(-4)], 'whole', () => gate.opened),
    });
    const { responses } = clientOf(service);
    const asked = { input: 'Weather?', stream: true } as const;
    const first = await responses.create(asked, { headers: { 'x-stainless-retry-count': '0' } });
    let [id, text, at] = ['', '', -1];
    for await (const event of first) {
      at = event.sequence_number;
      if (event.type === 'response.created') id = event.response.id;
      if (event.type === 'response.output_text.delta') text += event.delta;
      if (text.endsWith('sun')) break;
    }
    const resumed = await responses.retrieve(id, { stream: true, starting_after: at });
    gate.open();
    const rest = await Array.fromAsync(resumed);
    expect(rest.map(({ sequence_number }) => sequence_number)).toEqual(rest.map((_, i) => at + 1 + i));
    expect(rest.at(-1)?.type).toBe('response.completed');
    for (const event of rest) if (event.type === 'response.output_text.delta') text += event.delta;
    expect(text).toBe('It is sunny');
    const again = await Array.fromAsync(await responses.create(asked, { headers: { 'x-stainless-retry-count': '1' } }));
    const deltas = again.flatMap((event) => (event.type === 'response.output_text.delta' ? event.delta : []));
    expect(deltas.join('')).toBe('It is sunny');
    expect(again.slice(at + 1).map(({ type }) => type)).toEqual(rest.map(({ type }) => type));
  });

  it('are whole after a restart, and the end of the stream comes whatever number its reader had', async () => {
    const { service, read } = await start();
    const live = data(await read(await service.post('/v1/responses', { stream: true, input: 'Weather?' })));
    const { id } = live.at(-1)!['response'] as { id: string };
    await service.restart();
    const { responses } = clientOf(service);
    const after = live.length - 2;
    const rest = await Array.fromAsync(await responses.retrieve(id, { stream: true, starting_after: after }));
    expect(rest).toMatchObject([{ type: 'response.completed', sequence_number: after + 1 }]);
    const all = await Array.fromAsync(await responses.retrieve(id, { stream: true }));
    const deltas = all.flatMap((event) => (event.type === 'response.output_text.delta' ? event.delta : []));
    expect(deltas).toEqual(['It is sunny']);
  });

  it('are texts of the AI SDK', async () => {
    const { service, read } = await start();
    const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Weather?' }] }];
    const chunks = data(await read(await service.post('/api/chat', { id: 'c1', messages })));
    const starts = chunks.filter(({ type }) => type === 'text-start').map(({ id }) => id);
    expect(new Set(starts).size).toBe(2);
    expect(chunks.filter(({ type }) => type === 'text-end').map(({ id }) => id)).toEqual(starts);
    const texts = starts.map((id) =>
      chunks.flatMap((chunk) => (chunk.type === 'text-delta' && chunk.id === id ? chunk.delta : [])).join(''),
    );
    expect(texts).toEqual([expect.stringContaining(NOTE), 'It is sunny']);
  });

  it('are messages of AG-UI', async () => {
    const { service, read } = await start();
    const run = { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'Weather?' }] };
    const events = data(await read(await service.post('/agui', run)));
    const ends = events.filter(({ type }) => type === 'TEXT_MESSAGE_END').map(({ messageId }) => messageId);
    expect(ends).toHaveLength(2);
    const last = events.flatMap((event) =>
      event.type === 'TEXT_MESSAGE_CONTENT' && event.messageId === ends[1] ? event.delta : [],
    );
    expect(last.join('')).toBe('It is sunny');
    const ids = events.flatMap(({ type, messageId }) => (/_START$/.test(type as string) ? [messageId] : []));
    expect(ids.filter((id) => id === ends[1])).toHaveLength(1);
  });

  it("are pieces of an artifact of A2A, which take each other's place, and are not repeated", async () => {
    const { service, read } = await start();
    const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'Weather?' }] };
    const body = rpc('SendStreamingMessage', { message });
    const events = data(await read(await service.post('/a2a', body, { 'a2a-version': '1.0' })));
    let text = '';
    const appended: boolean[] = [];
    for (const { result } of events as {
      result: { artifactUpdate?: { append?: boolean; artifact: { parts: { text?: string }[] } } };
    }[]) {
      const update = result.artifactUpdate;
      if (update === undefined) continue;
      appended.push(update.append === true);
      text = (update.append ? text : '') + (update.artifact.parts[0]?.text ?? '');
    }
    expect(text).toBe('It is sunny');
    expect(appended.at(-1)).toBe(true);
    expect(events.filter((event) => JSON.stringify(event).includes('artifactUpdate')).length).toBeGreaterThan(3);
  });
});
