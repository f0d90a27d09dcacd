import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, Output } from 'ai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answersByGoal } from '../support/anthropic/answers-by-goal.ts';
import { clientOf, errorOf, said } from '../support/front-ends/openai-service.ts';
import { ask, plan, type Service, startService } from '../support/service/service.ts';

const Trip = z.object({ city: z.string(), days: z.int().min(1) });
const trip = { city: 'Oslo', days: 3 };
const nothing = { status: 'done', current_step: 'working', response: null };
const done = { status: 'done', plan: [], response: 'Three days in Oslo', answer: trip };

const start = (): Promise<Service> =>
  startService(
    answersByGoal({
      trip: Array.from({ length: 3 }, () => [plan(), nothing, done]).flat(),
      asks: [plan('Ask'), ask('Where to?'), done],
    }),
  );

describe("OpenAI's response_format", () => {
  it('gives the answer in its shape as content, whole and streamed', async () => {
    const service = await start();
    const { chat } = clientOf(service);
    const asked = { model: 'm', messages: said('trip'), response_format: zodResponseFormat(Trip, 'trip') };
    const parsed = await chat.completions.parse(asked);
    expect(parsed.choices[0]?.message.parsed).toEqual(trip);
    const streamed = await chat.completions.stream(asked).finalChatCompletion();
    expect(streamed.choices[0]?.message.parsed).toEqual(trip);
    const any = await chat.completions.create({ ...asked, response_format: { type: 'json_object' } });
    expect(JSON.parse(any.choices[0]?.message.content ?? '')).toEqual(trip);
  });

  it('gives a question as a refusal, and goes on with the answer to it', async () => {
    const service = await start();
    const { chat } = clientOf(service);
    const asked = { model: 'm', response_format: zodResponseFormat(Trip, 'trip') };
    const question = (await chat.completions.parse({ ...asked, messages: said('asks') })).choices[0]!.message;
    expect(question).toMatchObject({ parsed: null, refusal: expect.stringContaining('Where to?') });
    const { role, content, refusal } = question;
    const messages = [...said('asks'), { role, content, refusal }, { role: 'user' as const, content: 'Norway' }];
    const answered = await chat.completions.parse({ ...asked, messages });
    expect(answered.choices[0]?.message.parsed).toEqual(trip);
  });

  it('is refused where it cannot be met', async () => {
    const { chat, responses } = clientOf(await start());
    const pattern = { type: 'object', properties: { a: { type: 'string', pattern: '^a' } } };
    const shape = { type: 'json_schema' as const, name: 's', schema: pattern };
    const response_format = { type: 'json_schema' as const, json_schema: shape };
    const asked = { model: 'm', messages: said('trip') };
    expect(await errorOf(chat.completions.create({ ...asked, response_format }))).toMatchObject({ status: 400 });
    const grammar = { type: 'grammar' } as never;
    expect(await errorOf(chat.completions.create({ ...asked, response_format: grammar }))).toMatchObject({
      status: 400,
    });
    expect(await errorOf(responses.create({ input: 'trip', text: { format: shape } }))).toMatchObject({ status: 400 });
  });
});

describe("Responses' text.format", () => {
  it('gives the answer in its shape, or a refusal', async () => {
    const { responses } = clientOf(await start());
    const text = { format: zodTextFormat(Trip, 'trip') };
    const parsed = await responses.parse({ model: 'm', input: 'trip', text });
    expect(parsed.output_parsed).toEqual(trip);
    expect((await responses.retrieve(parsed.id)).output_text).toBe(JSON.stringify(trip));
    const streamed = await responses.stream({ model: 'm', input: 'trip', text }).finalResponse();
    expect(streamed.output_parsed).toEqual(trip);
    const refused = await responses.stream({ model: 'm', input: 'asks', text }).finalResponse();
    expect(refused.output.at(-1)).toMatchObject({
      content: [{ type: 'refusal', refusal: expect.stringContaining('Where') }],
    });
  });
});

describe("The AI SDK's output", () => {
  it('is met, and its page gets the answer as data', async () => {
    const service = await start();
    const provider = createOpenAICompatible({
      name: 'tripact',
      baseURL: `${service.url}/v1`,
      supportsStructuredOutputs: true,
    });
    const { output } = await generateText({
      model: provider('tripact'),
      prompt: 'trip',
      output: Output.object({ schema: jsonSchema(z.toJSONSchema(Trip) as object) }),
    });
    expect(output).toEqual(trip);
    const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'trip' }] }];
    const answer_schema = z.toJSONSchema(Trip);
    const page = await service.post('/api/chat', { id: 'c1', messages, answer_schema });
    expect(await page.text()).toContain(JSON.stringify({ type: 'data-answer' }).slice(1, -1));
  });
});

describe('Other protocols', () => {
  const answer_schema = z.toJSONSchema(Trip);
  const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });

  it('take a plan beside the goal', async () => {
    const service = await start();
    const plan = ['Look at the map', 'Choose a town'];
    const opened = async (session: string) => (await service.trace(session))[0]?.event;
    const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'trip' }] }];
    await (await service.post('/api/chat', { id: 'c1', messages, plan })).text();
    expect(await opened('c1')).toMatchObject({ goal: 'trip', plan });
    const message = {
      messageId: 'm1',
      contextId: 'c2',
      role: 'ROLE_USER',
      parts: [{ text: 'trip' }, { data: { plan } }],
    };
    await service.post('/a2a', rpc('SendMessage', { message }), { 'a2a-version': '1.0' });
    expect(await opened('c2')).toMatchObject({ plan });
    const run = { threadId: 'c3', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'trip' }] };
    await (await service.post('/agui', { ...run, forwardedProps: { plan } })).text();
    expect(await opened('c3')).toMatchObject({ plan });
    const call = rpc('tools/call', { name: 'run', arguments: { goal: 'trip', session: 'c4', plan } });
    await (await service.post('/mcp', call, { accept: 'application/json, text/event-stream' })).text();
    expect(await opened('c4')).toMatchObject({ plan });
  });

  it('give the answer as data', async () => {
    const service = await start();
    const parts = [{ text: 'trip' }, { data: { answer_schema } }];
    const message = { messageId: 'm1', role: 'ROLE_USER', parts };
    const a2a = await service.post('/a2a', rpc('SendMessage', { message }), { 'a2a-version': '1.0' });
    expect(await a2a.json()).toMatchObject({ result: { task: { artifacts: [{ parts: [{}, { data: trip }] }] } } });
    const run = { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'trip' }] };
    const agui = await service.post('/agui', { ...run, forwardedProps: { answer_schema } });
    expect(await agui.text()).toContain(`"result":${JSON.stringify(trip)}`);
    const call = rpc('tools/call', { name: 'run', arguments: { goal: 'trip', answer_schema } });
    const mcp = await service.post('/mcp', call, { accept: 'application/json, text/event-stream' });
    expect(await mcp.text()).toContain(`"answer":${JSON.stringify(trip)}`);
  });
});
