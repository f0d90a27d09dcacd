import { describe, expect, it } from 'vitest';
import type { ToolResult } from '../../contracts/task.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import { calls, delayed } from '../support/anthropic/answers.ts';
import { controlledTool, quickTool } from '../support/engine/controlled-tools.ts';
import { readMetrics } from '../support/service/read-metrics.ts';
import { done, plan, type Service, startService } from '../support/service/service.ts';

/** The types of a session's events, with what tools were asked for. */
const story = (trace: TraceEntry[]): string[] =>
  trace.map(({ event }) =>
    event.type === 'observation.recorded' ? `${event.tool} ${event.input} ${event.ok ? 'ok' : 'failed'}` : event.type,
  );

const prompt = (service: Service, index: number): string =>
  service.model.requests[index]?.body.messages[0]?.content ?? '';

const replays = async (service: Service, session: string): Promise<unknown> => {
  const trace = await (await fetch(`${service.url}/v1/sessions/${session}/trace`)).text();
  const headers = { 'content-type': 'application/x-ndjson' };
  return (await fetch(`${service.url}/v1/replay`, { method: 'POST', headers, body: trace })).json();
};

const add = (text: string): [string, Record<string, unknown>] => ['todo', { input: `add ${text}` }];

describe('A model that answers by calls', () => {
  it('greets with one call, which is three events and two steps', async () => {
    const service = await startService([calls([['finish', { response: 'Hello!' }]])]);
    const turn = await service.say('s1', 'hello');
    expect(turn).toMatchObject({ status: 'answered', output: 'Hello!', task: { step_count: 2 } });
    const trace = await service.trace('s1');
    expect(story(trace)).toEqual(['task.opened', 'plan.made', 'thought.made', 'replan.made']);
    expect(trace.map(({ event }) => ('usage' in event ? event.usage?.input_tokens : undefined))).toEqual([
      undefined,
      10,
      undefined,
      undefined,
    ]);
    expect(await replays(service, 's1')).toEqual({ ok: true, entries: 4 });
  });

  it('uses one tool with two calls', async () => {
    const service = await startService([calls([add('milk')]), calls([['finish', { response: 'Milk is on it.' }]])]);
    expect(await service.say('s1', 'Add milk')).toMatchObject({ status: 'answered', output: 'Milk is on it.' });
    expect(story(await service.trace('s1'))).toEqual([
      ...['task.opened', 'plan.made', 'thought.made', 'todo add milk ok'],
      ...['thought.made', 'replan.made'],
    ]);
    expect(prompt(service, 1)).toContain('Action 3 was taken: todo add milk');
  });

  it('works through a plan of two items with three calls, each of which sees what the items before found', async () => {
    const service = await startService([
      calls([['plan', { items: ['Milk', 'Bread'] }], add('milk')], 'Two things to note.'),
      calls([['item_done', { result: 'milk is todo 1', plan: 'unchanged' }], add('bread')]),
      calls([
        ['item_done', { result: 'bread is todo 2' }],
        ['finish', { response: 'Both are noted.' }],
      ]),
    ]);
    const turn = await service.say('s1', 'Note milk and bread');
    expect(turn).toMatchObject({ status: 'answered', output: 'Both are noted.' });
    expect(turn.task.plan.map(({ status, result }) => [status, result])).toEqual([
      ['completed', 'milk is todo 1'],
      ['completed', 'bread is todo 2'],
    ]);
    expect(prompt(service, 1)).toContain('You noted:\n<note>\nTwo things to note.\n</note>');
    expect(prompt(service, 2)).toContain('<item id="1">\nmilk is todo 1\n</item>');
    expect(await replays(service, 's1')).toMatchObject({ ok: true });
  });

  it('has three tools called that it asked for at once, and nothing that it wrote before it saw their results', async () => {
    const service = await startService([
      calls([add('a'), add('b'), add('c'), ['finish', { response: 'invented' }]]),
      calls([['finish', { response: 'Three todos.' }]]),
    ]);
    expect(await service.say('s1', 'Add a, b and c')).toMatchObject({ output: 'Three todos.' });
    expect(story(await service.trace('s1')).filter((line) => line.startsWith('todo'))).toEqual([
      'todo add a ok',
      'todo add b ok',
      'todo add c ok',
    ]);
    expect(prompt(service, 1)).toContain(
      'not taken, because something else came first or they were not allowed:\n- finish',
    );
  });

  it('stops a chain at a call that fails, and says which were not taken', async () => {
    const service = await startService([
      calls([['todo', { input: 'done 99' }], add('b')]),
      calls([['finish', { response: 'There is no todo 99.', outcome: 'failed' }]]),
    ]);
    expect(await service.say('s1', 'Do 99')).toMatchObject({ output: expect.stringContaining('no todo 99') });
    expect(story(await service.trace('s1'))).not.toContain('todo add b ok');
    expect(prompt(service, 1)).toContain('- todo {"input":"add b"}');
  });

  it('waits for a yes in the middle of a chain, and gives up the rest', async () => {
    const service = await startService(
      [calls([add('a'), add('b')]), calls([['finish', { response: 'One is noted.' }]])],
      { TRIPACT_APPROVE: 'todo' },
    );
    expect(await service.say('s1', 'Add a and b')).toMatchObject({ status: 'asking' });
    expect(await service.say('s1', 'yes')).toMatchObject({ status: 'answered', output: 'One is noted.' });
    expect(story(await service.trace('s1')).filter((line) => line.startsWith('todo'))).toEqual(['todo add a ok']);
    expect(prompt(service, 1)).toContain('- todo {"input":"add b"}');
  });

  it('reports no call for an action that its message had already, and that a person is asked about', async () => {
    const service = await startService([calls([add('a')]), calls([['finish', { response: 'One is noted.' }]])], {
      TRIPACT_APPROVE: 'todo',
      TRIPACT_MODEL: 'anthropic:m',
    });
    await service.say('s1', 'Add a');
    await service.say('s1', 'yes');
    const samples = await readMetrics(service.url);
    expect(samples.get('tripact_model_call_duration_seconds_count{model="anthropic:m"}')).toBe(2);
    const { days } = await service.get<{ days: { calls: number }[] }>('/v1/usage');
    expect(days[0]?.calls).toBe(2);
  });

  it('takes the first call alone where its turn says so', async () => {
    const service = await startService([calls([add('a'), add('b')]), calls([['finish', { response: 'One.' }]])]);
    expect(await service.say('s1', 'Add a and b', { chain: false })).toMatchObject({ output: 'One.' });
    expect(story(await service.trace('s1')).filter((line) => line.startsWith('todo'))).toEqual(['todo add a ok']);
    expect(prompt(service, 0)).toContain('Make one call in your message: any other is not taken.');
  });

  it('stops at a spent budget within a chain', async () => {
    const service = await startService([calls([add('a'), add('b'), add('c')])], { TRIPACT_MAX_STEPS: '3' });
    const turn = await service.say('s1', 'Add three');
    expect(turn).toMatchObject({ status: 'paused', task: { step_count: 4 } });
    expect(story(await service.trace('s1')).filter((line) => line.startsWith('todo'))).toHaveLength(2);
  });

  it.each([
    ['the plan', [], [add('a'), add('b')], [], '- todo {"input":"add b"}'],
    ['an action', [add('a')], [add('b'), add('c')], ['todo add a ok', 'todo add b ok'], '- todo {"input":"add c"}'],
    [
      'the end of an item',
      [add('a')],
      [['finish', { response: 'No' }]],
      ['todo add a ok'],
      '- finish {"response":"No"}',
    ],
  ] as [string, [string, Record<string, unknown>][], [string, Record<string, unknown>][], string[], string][])(
    'takes nothing behind %s where the user spoke while it wrote',
    async (_, first, written, done, given) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const begun = first.length === 0 ? [] : [calls(first)];
      const service = await startService([
        ...begun,
        delayed(promise, calls(written)),
        calls([['finish', { response: 'As you wish.' }]]),
      ]);
      const turn = service.say('s1', 'Add a and b');
      await service.model.asked(begun.length + 1);
      const steer = { input: 'Not b', on_busy: 'steer' };
      await service.post('/v1/sessions/s1/turns', steer, { prefer: 'respond-async' });
      resolve();
      expect(await turn).toMatchObject({ status: 'answered', output: 'As you wish.' });
      expect(story(await service.trace('s1')).filter((line) => line.startsWith('todo'))).toEqual(done);
      const last = prompt(service, begun.length + 1);
      expect(last).toContain('Due: replan');
      expect(last).toContain('The user said meanwhile:\n<said>\nNot b');
      expect(last).toContain(given);
      expect(await replays(service, 's1')).toMatchObject({ ok: true });
    },
  );

  it.each([
    ['finish', [['finish', { response: 'Enough.' }]], ['completed', 'dropped', 'dropped']],
    [
      'item_done and finish',
      [
        ['item_done', { result: 'a' }],
        ['finish', { response: 'Enough.' }],
      ],
      ['completed', 'dropped', 'dropped'],
    ],
    [
      'item_done and plan',
      [
        ['item_done', { result: 'a' }],
        ['plan', { items: ['Z'] }],
      ],
      ['completed', 'completed'],
    ],
  ] as [string, [string, Record<string, unknown>][], string[]][])(
    'ends or changes its plan by %s as well where it replans when needed',
    async (_, written, statuses) => {
      const service = await startService([
        calls([['plan', { items: ['A', 'B', 'C'] }], add('a')]),
        calls(written),
        calls([
          ['item_done', { result: 'z' }],
          ['finish', { response: 'Enough.' }],
        ]),
      ]);
      const turn = await service.say('s1', 'Do A, B and C', { replan: 'when_needed' });
      expect(turn).toMatchObject({ status: 'answered', output: 'Enough.' });
      expect(turn.task.plan.map(({ status }) => status)).toEqual(statuses);
      expect(await replays(service, 's1')).toMatchObject({ ok: true });
    },
  );

  it('asks its question at once, and goes on with the answer', async () => {
    const service = await startService([
      calls([['ask_user', { question: 'Which day?', options: ['Monday', 'Friday'] }]]),
      calls([add('book Friday')]),
      calls([['finish', { response: 'Booked for Friday.' }]]),
    ]);
    expect(await service.say('s1', 'Book the room')).toMatchObject({ status: 'asking', options: ['Monday', 'Friday'] });
    expect(await service.say('s1', '2')).toMatchObject({ status: 'answered', output: 'Booked for Friday.' });
    expect(prompt(service, 1)).toContain('The user was asked: Which day?');
    expect(await replays(service, 's1')).toMatchObject({ ok: true });
  });
});

describe('Calls of one message that only read', () => {
  const CITIES = ['Oslo', 'Rome', 'Bern', 'Lima', 'Cairo'];
  const look = (city: string): [string, Record<string, unknown>] => ['weather', { input: city }];

  /** A tool that gives nothing before so many calls of it are under way. */
  const meeting = (count: number) => {
    const all = Promise.withResolvers<void>();
    let under = 0;
    return quickTool('weather', async (city): Promise<ToolResult> => {
      under += 1;
      if (under === count) all.resolve();
      await all.promise;
      return { ok: true, result: `mild in ${city}` };
    });
  };

  it('run at once: five cities in one item are two calls of the model, and a step each', async () => {
    const service = await startService(
      [calls(CITIES.map(look)), calls([['finish', { response: 'All mild.' }]])],
      {},
      { file: { tools: [meeting(5)] } },
    );
    const turn = await service.say('s1', 'Weather in five cities');
    expect(turn).toMatchObject({ status: 'answered', output: 'All mild.', task: { step_count: 8 } });
    expect(service.contracts()).toHaveLength(2);
    const trace = await service.trace('s1');
    expect(story(trace)).toEqual([
      ...['task.opened', 'plan.made', 'thought.made', 'observations.recorded', 'thought.made', 'replan.made'],
    ]);
    expect(trace[3]?.event).toMatchObject({ observations: CITIES.map((input) => ({ input, ok: true })) });
    for (const [at, city] of CITIES.entries())
      expect(prompt(service, 1)).toContain(`Action 3.${at} was taken: weather ${city}\n<result`);
    expect(prompt(service, 1)).not.toContain('not taken');
    expect(await replays(service, 's1')).toEqual({ ok: true, entries: 6 });
    expect((await readMetrics(service.url)).get('tripact_tool_calls_total{tool="weather",outcome="ok"}')).toBe(5);
  });

  it('stand beside no call that writes, which comes in its turn', async () => {
    const weather = controlledTool('weather');
    const noted: string[] = [];
    const note = quickTool(
      'note',
      (input) => {
        noted.push(input);
        return { ok: true, result: 'noted' };
      },
      { writes: true },
    );
    const service = await startService(
      [
        calls([look('Oslo'), look('Rome'), ['note', { input: 'umbrella' }], look('Bern')]),
        calls([['finish', { response: 'Done.' }]]),
      ],
      {},
      { file: { tools: [weather.tool, note] } },
    );
    const turn = service.say('s1', 'Weather, and note an umbrella');
    const [oslo, rome] = await Promise.all([weather.called(1), weather.called(2)]);
    expect(noted).toEqual([]);
    for (const call of [oslo, rome]) call.gives('rain');
    (await weather.called(3)).gives('dry');
    expect(await turn).toMatchObject({ output: 'Done.' });
    expect(story(await service.trace('s1')).filter((line) => !line.startsWith('thought'))).toEqual([
      ...['task.opened', 'plan.made', 'observations.recorded', 'note umbrella ok', 'weather Bern ok', 'replan.made'],
    ]);
  });

  it('of which one fails give up what is left of the message, and keep the other results', async () => {
    const tool = quickTool('weather', (city) => ({ ok: city !== 'Atlantis', result: `weather of ${city}` }));
    const service = await startService(
      [
        calls([look('Atlantis'), look('Rome'), look(''), look('Bern')]),
        calls([['finish', { response: 'Rome only.' }]]),
      ],
      {},
      { file: { tools: [tool] } },
    );
    expect(await service.say('s1', 'Weather')).toMatchObject({ output: 'Rome only.', task: { failed_steps: 1 } });
    expect(prompt(service, 1)).toContain('weather of Rome');
    expect(prompt(service, 1)).toContain('- weather {"input":""}\n- weather {"input":"Bern"}');
  });

  it('run only as far as the budget goes, and the log says which were not taken', async () => {
    const service = await startService(
      [calls(CITIES.map(look)), calls([['finish', { response: 'Two mild.' }]])],
      { TRIPACT_MAX_STEPS: '2' },
      { file: { tools: [meeting(2)] } },
    );
    expect(await service.say('s1', 'Weather')).toMatchObject({ status: 'paused', task: { step_count: 3 } });
    expect(await service.say('s1', 'continue')).toMatchObject({ output: 'Two mild.' });
    expect(prompt(service, 1)).toContain('- weather {"input":"Bern"}\n- weather {"input":"Lima"}');
  });

  it('run one by one, and the first alone, where the turn says so', async () => {
    const service = await startService(
      [calls(CITIES.map(look)), calls([['finish', { response: 'One.' }]])],
      {},
      { file: { tools: [meeting(1)] } },
    );
    await service.say('s1', 'Weather', { chain: false });
    expect(story(await service.trace('s1'))).toContain('weather Oslo ok');
    expect(story(await service.trace('s1'))).not.toContain('observations.recorded');
  });

  it('are asked for by the key more_actions in the text voice, which its prompt explains', async () => {
    const thought = {
      status: 'continue',
      current_step: 'look',
      next_action: { tool: 'weather', input: 'Oslo' },
      more_actions: [{ tool: 'weather', input: 'Rome' }],
    };
    const service = await startService(
      [plan('Weather'), thought, done('mild'), { status: 'done', response: 'Both mild.' }],
      { TRIPACT_MODEL_VOICE: 'text' },
      { file: { tools: [meeting(2)] } },
    );
    expect(await service.say('s1', 'Weather')).toMatchObject({ output: 'Both mild.', task: { step_count: 5 } });
    expect(prompt(service, 1)).toMatch(/"more_actions".*which only\s+read: .*weather/s);
    expect(await replays(service, 's1')).toMatchObject({ ok: true });
  });
});

describe('A message that cannot be taken as it is', () => {
  it.each([
    ['a call that is not due', calls([['item_done', { result: 'x' }]]), 'item_done is not due now'],
    ['a tool that there is not', calls([['rm', { input: '-rf' }]]), '"rm" is not allowed here'],
    ['a plan without items', calls([['plan', { items: 'x' }]]), 'plan: '],
    ['a question that is no text', calls([['ask_user', { question: { toString: 1 } }]]), 'question: expected string'],
    ['options that are none', calls([['ask_user', { question: 'Which?', options: [''] }]]), 'options.0: '],
    ['an input that is too long', calls([add('x'.repeat(40_000))]), 'next_action.input: '],
    [
      'calls that are too long together',
      calls([1, 2, 3, 4].map(() => add('x'.repeat(30_000)))),
      'is longer than 100000',
    ],
  ])('is rejected with its reason, and counts: %s', async (_, answer, reason) => {
    const service = await startService([answer, calls([['finish', { response: 'Hello!' }]])]);
    expect(await service.say('s1', 'hello')).toMatchObject({ status: 'answered', output: 'Hello!' });
    expect(story(await service.trace('s1'))[1]).toBe('plan.rejected');
    expect(prompt(service, 1)).toContain('Your answer was rejected for this reason; correct it:');
    expect(prompt(service, 1)).toContain(reason);
  });

  it('as plain text is asked to be finished, and need not be written twice', async () => {
    const service = await startService(['Hello, how can I help?', calls([['finish', {}]])]);
    expect(await service.say('s1', 'hello')).toMatchObject({ status: 'answered', output: 'Hello, how can I help?' });
    expect(prompt(service, 1)).toContain('call finish');
  });

  it('as a long plain text is finished with all of it, and a later prompt shows its beginning', async () => {
    const report = 'A line of the report.\n'.repeat(500).trim();
    const service = await startService([report, calls([add('a')]), report, calls([['finish', {}]])]);
    expect((await service.say('s1', 'Report')).output).toBe(report);
    expect(prompt(service, 2)).toContain(`[cut, ${report.length} characters in all]`);
  });

  it.each([
    ['a call', calls([['rm', { path: '/' }]])],
    ['a contract by text', '{"status":"planned","plan":5}'],
  ])('is no answer for the user if it was refused as %s', async (_, refused) => {
    const service = await startService([refused, calls([['finish', {}]]), calls([['finish', { response: 'Hello!' }]])]);
    expect(await service.say('s1', 'hello')).toMatchObject({ status: 'answered', output: 'Hello!' });
    expect(prompt(service, 2)).toContain('response: status "done" requires a response');
  });

  it('after the end of an item, drops a question that is not a text', async () => {
    const service = await startService([
      calls([['plan', { items: ['A', 'B'] }], add('a')]),
      calls([
        ['item_done', { result: 'a' }],
        ['ask_user', { question: { toString: 1 } }],
      ]),
      calls([['finish', { response: 'Done.' }]]),
    ]);
    expect(await service.say('s1', 'Do A and B')).toMatchObject({ status: 'answered', output: 'Done.' });
  });

  it('takes the text beside a finish without a response as the answer', async () => {
    const service = await startService([calls([['finish', {}]], 'Hello there!')]);
    expect(await service.say('s1', 'hello')).toMatchObject({ status: 'answered', output: 'Hello there!' });
  });

  it('takes the first of two plans, and tells of the other', async () => {
    const service = await startService([
      calls([
        ['plan', { items: ['Milk'] }],
        ['plan', { items: ['Bread'] }],
      ]),
      calls([add('milk')]),
      calls([['finish', { response: 'Done.' }]]),
    ]);
    expect((await service.say('s1', 'Note milk')).task.plan.map(({ step }) => step)).toEqual(['Milk']);
    expect(prompt(service, 1)).toContain('- plan {"items":["Bread"]}');
  });
});
