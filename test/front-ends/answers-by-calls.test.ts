import { describe, expect, it } from 'vitest';
import { calls } from '../support/anthropic/answers.ts';
import { streamedCall } from '../support/anthropic/streams.ts';
import { aiSdkFrontEnd } from '../support/front-ends/ai-sdk-page.ts';
import { chat, clientOf, said } from '../support/front-ends/openai-service.ts';
import { act, ask, replanned, type Service, startService } from '../support/service/service.ts';

const add = (text: string): [string, Record<string, unknown>] => ['todo', { input: `add ${text}` }];

const replays = async ({ url }: Service, session: string): Promise<unknown> => {
  const body = await (await fetch(`${url}/v1/sessions/${session}/trace`)).text();
  const headers = { 'content-type': 'application/x-ndjson' };
  return (await fetch(`${url}/v1/replay`, { method: 'POST', headers, body })).json();
};

/** Streams a message with the SDK; `seen` gets each piece of content as it comes. */
const stream = async (service: Service, texts: string[], seen: (content: string) => void): Promise<string> => {
  const body = { model: 'm', messages: said(...texts), stream: true } as const;
  const headers = { 'x-session-id': 's1' };
  let text = '';
  for await (const { choices } of await clientOf(service).chat.completions.create(body, { headers })) {
    const content = choices[0]?.delta.content ?? '';
    text += content;
    if (content !== '') seen(content);
  }
  return text;
};

describe('A user of Chat Completions whose model answers by calls', () => {
  it('sees the answer while its arguments are written, and no part of a question before that is certain', async () => {
    const order: string[] = [];
    let shown = Promise.withResolvers<void>();
    const asked = '{"question":"How many eggs?","options":["6","12"]}';
    const service = await startService([
      calls([['plan', { items: ['Milk', 'Bread', 'Eggs'] }], add('milk')]),
      calls([['item_done', { result: 'milk is todo 1', plan: 'unchanged' }], add('bread')]),
      streamedCall('ask_user', [asked.slice(0, 25), asked.slice(25)], async () => void order.push('written')),
      calls([add('6 eggs')]),
      streamedCall('finish', ['{"response":"All three ', 'are on ', 'your list."}'], () => shown.promise),
    ]);
    const question = await stream(service, ['Note milk, bread and eggs'], () => order.push('shown'));
    expect(question).toContain('Please confirm: How many eggs?\n1. 6\n2. 12');
    expect(order[0]).toBe('written');

    const pieces: string[] = [];
    const answer = await stream(service, ['Note milk, bread and eggs', question, '1'], (content) => {
      pieces.push(content);
      // The model writes on only once this was shown.
      shown.resolve();
      shown = Promise.withResolvers();
      if (pieces.length > 1) shown.resolve();
    });
    expect(answer).toBe('All three are on your list.');
    expect(pieces.length).toBeGreaterThan(2);
    expect(service.model.requests).toHaveLength(5);
  });

  it.each([
    ['Bestell eine Pizza', 'Welche Größe?', ['klein', 'groß'], 'Welche Größe?\n1. klein\n2. groß'],
    ['予約を取って', '何時ですか？', ['18時', '19時'], '何時ですか？\n1. 18時\n2. 19時'],
    ['订一个披萨', '什么尺寸？', ['小', '大'], '请确认：什么尺寸？\n1. 小\n2. 大'],
    ['Order a pizza', 'Which size?', ['small', 'large'], 'Please confirm: Which size?\n1. small\n2. large'],
  ])('is asked in the language of the goal: %s', async (goal, question, options, output) => {
    const service = await startService([
      calls([['ask_user', { question, options }]]),
      calls([['finish', { response: options[1]! }]]),
    ]);
    const { text } = await chat(service, said(goal));
    expect(text).toBe(output);
    expect((await chat(service, said(goal, text, '2'))).text).toBe(options[1]);
  });
});

it('a user of the AI SDK has one tool called with two calls of the model', async () => {
  const service = await startService([
    calls([add('milk')]),
    calls([['finish', { response: 'Milk is on your list.' }]]),
  ]);
  const shown = await aiSdkFrontEnd(() => service.url)().say('Add milk');
  expect(shown).toMatchObject({ text: expect.stringContaining('Milk is on your list.'), error: null });
  expect(shown.progress.join('\n')).toContain('Action: todo -> add milk');
  expect(service.model.requests).toHaveLength(2);
});

it('a task whose question waits goes on where the voice is switched meanwhile, and where it is switched back', async () => {
  const service = await startService([
    calls([['plan', { items: ['Milk', 'Eggs'] }], add('milk')]),
    calls([
      ['item_done', { result: 'milk is todo 1', plan: 'unchanged' }],
      ['ask_user', { question: 'How many eggs?', options: ['6', '12'] }],
    ]),
  ]);
  const first = await service.say('s1', 'Note milk and eggs');
  expect(first).toMatchObject({ status: 'asking', question: 'How many eggs?' });

  await service.restart({ TRIPACT_MODEL_VOICE: 'text' });
  service.model.answer([
    replanned('Eggs'),
    act('todo', 'add 6 eggs'),
    { ...ask('Brown ones?'), options: ['yes', 'no'] },
  ]);
  const second = await service.say('s1', '1');
  expect(second).toMatchObject({ status: 'asking', question: 'Brown ones?', task_id: first.task_id });
  const byText = service.model.requests.at(-1)!.body;
  expect(byText.tools ?? []).toEqual([]);
  expect(byText.messages[0]?.content).toContain('milk is todo 1');

  await service.restart({ TRIPACT_MODEL_VOICE: 'native' });
  service.model.answer([calls([['finish', { response: 'Milk and six brown eggs.' }]])]);
  const third = await service.say('s1', 'yes');
  expect(third).toMatchObject({ status: 'answered', output: 'Milk and six brown eggs.', task_id: first.task_id });
  const byCalls = service.model.requests.at(-1)!.body;
  expect(byCalls.tools?.length).toBeGreaterThan(4);
  expect(byCalls.messages[0]?.content).toMatch(/milk is todo 1[\s\S]*add 6 eggs[\s\S]*Brown ones\?/);
  expect((await service.get<{ tasks: unknown[] }>('/v1/sessions/s1/tasks')).tasks).toHaveLength(1);
  expect(await replays(service, 's1')).toMatchObject({ ok: true });
});
