import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelUnavailable } from '../../src/models/port.ts';
import * as answers from '../support/anthropic/answers.ts';
import { modelAgainst, modelRequest, SECRET_KEY } from '../support/anthropic/model.ts';
import { type MessagesServer, type Respond, startMessagesServer } from '../support/anthropic/server.ts';

const { apiError, eventStream, htmlPage, rawBody } = answers;
const contracts = ['plan', 'thought', 'replan'] as const;
const never = new AbortController().signal;

/** Short enough that a test doesn't wait long for a stall, long enough that a busy machine makes none. */
const IDLE_MS = 250;

let server: MessagesServer;
beforeEach(async () => {
  server = await startMessagesServer();
});
afterEach(() => server.close());

/** What is thrown when the task has to pause. */
async function unavailable(answer: Promise<unknown>): Promise<ModelUnavailable> {
  const error = await answer.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelUnavailable);
  return error as ModelUnavailable;
}

const passing: [string, Respond, number | null][] = [
  ['429 without retry-after', apiError(429, { type: 'rate_limit_error' }), 429],
  ['500', apiError(500), 500],
  ['503', apiError(503), 503],
  ['529, overloaded', apiError(529, { type: 'overloaded_error' }), 529],
  ['408', apiError(408), 408],
  ['an HTML 502', htmlPage(502), 502],
  ['a stall in the body of an error', answers.stallInBody(500), 500],
  ['a reset before the headers', answers.resetBeforeHeaders(), null],
  ['a reset in the body', answers.resetInBody(), null],
  ['a stall in the body', answers.stallInBody(), null],
  ['200 with HTML', htmlPage(200), null],
  ['200 with an empty body', rawBody(''), null],
  ['200 with broken JSON', rawBody('{"type":"message","content":[{"type":"te'), null],
  ['200 with JSON that is no message', rawBody('{"type":"error","error":{"type":"api_error"}}'), null],
  ['200 with JSON null', rawBody('null'), null],
  ['an endless body', answers.endlessBody(), null],
  ['a stream without message_stop', eventStream({ status: 'planned' }, { stopEarly: true }), null],
  ['a stream with a broken event', rawBody('event: message_start\ndata: {"type":\n\n', 'text/event-stream'), null],
  ['a stream with an error event', rawBody('event: error\ndata: {"error":{}}\n\n', 'text/event-stream'), null],
];

describe.each(passing)('%s', (_name, fault, status) => {
  test.each(contracts)('is tried again for a %s, and the answer after it counts', async (contract) => {
    server.answer([fault, 'the answer']);
    const { model, logged, waits } = modelAgainst(server.url, { idleMs: IDLE_MS });
    expect((await model.answer(modelRequest(contract), never)).text).toBe('the answer');
    expect(waits).toEqual([500]);
    expect(logged).toEqual([
      {
        message: 'model call failed, retrying',
        attempt: 1,
        status,
        wait_ms: 500,
        reason: expect.any(String),
        contract,
        effect_id: 'task_1.1',
      },
    ]);
  });

  test('pauses the task after four tries, each pause longer', async () => {
    server.answer({ plan: fault });
    const { model, logged, waits } = modelAgainst(server.url, { idleMs: IDLE_MS });
    const error = await unavailable(model.answer(modelRequest('plan'), never));
    expect(server.requests).toHaveLength(4);
    expect(waits).toEqual([500, 1_000, 2_000]);
    expect(logged.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(error.message).toContain('gave up after 4 tries');
    expect(error.message).not.toMatch(/<|Bad gateway/);
  });
});

test('a server that is not there is tried four times, and the reply names the setting', async () => {
  const closedServer = await startMessagesServer();
  await closedServer.close();
  const { model, waits } = modelAgainst(closedServer.url);
  const error = await unavailable(model.answer(modelRequest('plan'), never));
  expect(waits).toHaveLength(3);
  expect(error.message).toContain('ECONNREFUSED');
  expect(error.message).toContain('ANTHROPIC_BASE_URL');
});

describe('what no further try can change pauses the task at once, and the reply says what to do', () => {
  const lasting: [number, string, string][] = [
    [400, 'invalid_request_error', 'TRIPACT_MODEL'],
    [401, 'authentication_error', 'ANTHROPIC_API_KEY'],
    [402, 'billing_error', 'billing'],
    [403, 'permission_error', 'ANTHROPIC_API_KEY'],
    [404, 'not_found_error', 'TRIPACT_MODEL'],
    [413, 'request_too_large', 'too large'],
  ];
  const cases = lasting.flatMap((fault) => contracts.map((contract) => [...fault, contract] as const));

  test.each(cases)('%i %s: names %s, for a %s', async (status, type, remedy, contract) => {
    server.answer({ [contract]: apiError(status, { type, text: 'the server says no' }) });
    const { model, waits } = modelAgainst(server.url);
    const error = await unavailable(model.answer(modelRequest(contract), never));
    expect(server.requests).toHaveLength(1);
    expect(waits).toEqual([]);
    expect(error.message).toContain(`${status}: the server says no`);
    expect(error.message).toContain(remedy);
  });

  test('a spend limit that is reached', async () => {
    const details = { error_code: 'enforced_spend_limit_reached' };
    server.answer({ plan: apiError(429, { type: 'rate_limit_error', headers: { 'retry-after': '1' }, details }) });
    const { model, waits } = modelAgainst(server.url);
    const error = await unavailable(model.answer(modelRequest('plan'), never));
    expect(server.requests).toHaveLength(1);
    expect(waits).toEqual([]);
    expect(error.message).toContain('Raise the spend limit');
  });

  test('a base URL that is none', async () => {
    const error = await unavailable(modelAgainst('nowhere').model.answer(modelRequest('plan'), never));
    expect(error.message).toContain('ANTHROPIC_BASE_URL');
  });
});

describe('an error', () => {
  test('is in the language of the task, and logged in English', async () => {
    server.answer([answers.stallInBody(), apiError(401, { text: 'no' })]);
    const { model, logged } = modelAgainst(server.url, { idleMs: IDLE_MS });
    const request = modelRequest('plan');
    const error = await unavailable(model.answer({ ...request, task: { ...request.task, language: 'zh' } }, never));
    expect(error.message).toBe('服务器返回 401：no。请检查 ANTHROPIC_API_KEY。');
    expect(logged.map(({ reason }) => reason)).toEqual([`the answer stopped coming for ${IDLE_MS} ms`]);
  });

  test('shows at most 200 characters of what the server said, on one line', async () => {
    server.answer([apiError(401, { text: `no\n${'x'.repeat(1_000)}` })]);
    const error = await unavailable(modelAgainst(server.url).model.answer(modelRequest('plan'), never));
    expect(/x+/.exec(error.message)?.[0].length).toBeLessThan(200);
    expect(error.message).not.toContain('\n');
  });

  test.each([401, 500])('never contains the key, though the server repeats it (%i)', async (status) => {
    server.answer({ plan: apiError(status, { text: `the key ${SECRET_KEY} is wrong, as is sk-ant-other` }) });
    const { model, logged } = modelAgainst(server.url);
    const error = await unavailable(model.answer(modelRequest('plan'), never));
    expect(error.message).toContain('the key [key] is wrong, as is [key]');
    expect(JSON.stringify([logged, error.message, error.stack, error.cause])).not.toContain('very-secret');
  });
});

describe('an answer that came, but is no candidate for a contract', () => {
  const rejected: [string, Respond, { fault: string; text: string }][] = [
    ['max_tokens', answers.maxTokens('{"status":"contin'), { fault: 'truncated', text: '{"status":"contin' }],
    ['a refusal', answers.refusal(), { fault: 'refused', text: '' }],
    ['empty content', answers.emptyContent(), { fault: 'empty', text: '' }],
    ['blank text', answers.message(' \n'), { fault: 'empty', text: ' \n' }],
    ['a tool_use block', answers.toolUse('{"status":"done"}'), { fault: 'tool_use', text: '{"status":"done"}' }],
    [
      'a full context',
      answers.message('{"sta', { stop_reason: 'model_context_window_exceeded' }),
      { fault: 'truncated', text: '{"sta' },
    ],
    ['a streamed max_tokens', eventStream('{"st', { stop_reason: 'max_tokens' }), { fault: 'truncated', text: '{"st' }],
  ];
  const cases = rejected.flatMap(([name, fault, reply]) =>
    contracts.map((contract) => ({ name, fault, reply, contract })),
  );

  test.each(cases)('$name is handed on as such for a $contract, after one call', async ({ fault, reply, contract }) => {
    server.answer({ [contract]: fault });
    const { model, logged } = modelAgainst(server.url);
    expect(await model.answer(modelRequest(contract), never)).toMatchObject(reply);
    expect(server.requests).toHaveLength(1);
    expect(logged).toEqual([]);
  });
});
