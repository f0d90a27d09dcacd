import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelUnavailable } from '../../src/models/port.ts';
import * as answers from '../support/anthropic/answers.ts';
import type { Respond } from '../support/anthropic/messages.ts';
import { type ModelUnderTest, modelRequest, SECRET_KEY } from '../support/anthropic/model.ts';
import type { MessagesServer } from '../support/anthropic/server.ts';

const { apiError, htmlPage, rawBody } = answers;
const never = new AbortController().signal;

/** Short enough that a test doesn't wait long for a stall, long enough that a busy machine makes none. */
const IDLE_MS = 250;

/** One API whose adapter must treat every fault as all the others do. */
export interface FaultyApi {
  start(): Promise<MessagesServer>;
  modelAgainst(url: string, options?: { idleMs?: number }): ModelUnderTest;
  /** Variables that a reply names. */
  key: string;
  url: string;
  /** Cases of this API alone: faults to be tried again, errors that say what was spent, answers that are none. */
  passing: [string, Respond, number | null][];
  spent: Respond;
  rejected: [string, Respond, { fault: string; text: string }][];
}

/** The error with which the task has to pause. */
const unavailable = async (answer: Promise<unknown>): Promise<ModelUnavailable> => {
  const error = await answer.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelUnavailable);
  return error as ModelUnavailable;
};

const passing: FaultyApi['passing'] = [
  ['429 without retry-after', apiError(429, { type: 'rate_limit_error' }), 429],
  ['500', apiError(500), 500],
  ['529, overloaded', apiError(529, { type: 'overloaded_error' }), 529],
  ['an HTML 502', htmlPage(502), 502],
  ['a reset before the headers', answers.resetBeforeHeaders(), null],
  ['a reset in the body', answers.resetInBody(), null],
  ['a stall in the body', answers.stallInBody(), null],
  ['200 with HTML', htmlPage(200), null],
  ['200 with an empty body', rawBody(''), null],
  ['200 with broken JSON', rawBody('{"type":"message","content":[{"type":"te'), null],
  ['200 with JSON that is no message', rawBody('{"type":"error","error":{"type":"api_error"}}'), null],
  ['an endless body', answers.endlessBody(), null],
];

const lasting = (api: FaultyApi): [number, string, string][] => [
  [400, 'invalid_request_error', 'TRIPACT_MODEL'],
  [401, 'authentication_error', api.key],
  [402, 'billing_error', 'billing'],
  [403, 'permission_error', api.key],
  [404, 'not_found_error', 'TRIPACT_MODEL'],
  [413, 'request_too_large', 'too large'],
];

/** Every fault of an API, and what must come of it, for each contract. */
export const testFaults = (api: FaultyApi): void => {
  let server: MessagesServer;
  beforeEach(async () => {
    server = await api.start();
  });
  afterEach(() => server.close());

  describe.each([...passing, ...api.passing])('%s', (_name, fault, status) => {
    test('is tried again, and the answer after it counts', async () => {
      server.answer([fault, 'the answer']);
      const { model, logged, waits } = api.modelAgainst(server.url, { idleMs: IDLE_MS });
      expect((await model.answer(modelRequest('thought'), never)).text).toBe('the answer');
      expect(waits).toEqual([500]);
      expect(logged).toEqual([
        {
          message: 'model call failed, retrying',
          attempt: 1,
          status,
          wait_ms: 500,
          reason: expect.any(String),
          contract: 'thought',
          effect_id: 'task_1.1',
        },
      ]);
    });

    test('pauses the task after four tries, each pause longer', async () => {
      server.answer({ plan: fault });
      const { model, logged, waits } = api.modelAgainst(server.url, { idleMs: IDLE_MS });
      const error = await unavailable(model.answer(modelRequest('plan'), never));
      expect(server.requests).toHaveLength(4);
      expect(waits).toEqual([500, 1_000, 2_000]);
      expect(logged.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
      expect(error.message).toContain('gave up after 4 tries');
      expect(error.message).not.toMatch(/<|Bad gateway/);
    });
  });

  test('a server that is not there is tried four times, and the reply names the setting', async () => {
    const closedServer = await api.start();
    await closedServer.close();
    const { model, waits } = api.modelAgainst(closedServer.url);
    const error = await unavailable(model.answer(modelRequest('plan'), never));
    expect(waits).toHaveLength(3);
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.message).toContain(api.url);
  });

  describe('what no further try can change pauses the task at once, and the reply says what to do', () => {
    test.each(lasting(api))('%i %s: names %s', async (status, type, remedy) => {
      server.answer({ replan: apiError(status, { type, text: 'the server says no' }) });
      const { model, waits } = api.modelAgainst(server.url);
      const error = await unavailable(model.answer(modelRequest('replan'), never));
      expect(server.requests).toHaveLength(1);
      expect(waits).toEqual([]);
      expect(error.message).toContain(`${status}: the server says no`);
      expect(error.message).toContain(remedy);
    });

    test('a spend limit that is reached', async () => {
      server.answer({ plan: api.spent });
      const { model, waits } = api.modelAgainst(server.url);
      const error = await unavailable(model.answer(modelRequest('plan'), never));
      expect(server.requests).toHaveLength(1);
      expect(waits).toEqual([]);
      expect(error.message).toContain('Raise the spend limit');
    });

    test('an invalid base URL', async () => {
      const error = await unavailable(api.modelAgainst('nowhere').model.answer(modelRequest('plan'), never));
      expect(error.message).toContain(api.url);
    });

    test('a wait of more than a minute that the server asks for', async () => {
      server.answer({ plan: apiError(429, { headers: { 'retry-after': '61' } }) });
      const { model, waits } = api.modelAgainst(server.url);
      const error = await unavailable(model.answer(modelRequest('plan'), never));
      expect(error.message).toContain('asks to wait 61 s');
      expect(waits).toEqual([]);
    });
  });

  test('a rate limit is waited for as long as the server asks, up to 60 s', async () => {
    server.answer([apiError(429, { headers: { 'retry-after': '60' } }), 'the answer']);
    const { model, waits } = api.modelAgainst(server.url);
    expect((await model.answer(modelRequest('plan'), never)).text).toBe('the answer');
    expect(waits).toEqual([60_000]);
  });

  describe('an error', () => {
    test('shows at most 200 characters of what the server said, on one line', async () => {
      server.answer([apiError(401, { text: `no\n${'x'.repeat(1_000)}` })]);
      const error = await unavailable(api.modelAgainst(server.url).model.answer(modelRequest('plan'), never));
      expect(/x+/.exec(error.message)?.[0].length).toBeLessThan(200);
      expect(error.message).not.toContain('\n');
    });

    test.each([401, 500])('never contains the key, though the server repeats it (%i)', async (status) => {
      server.answer({ plan: apiError(status, { text: `the key ${SECRET_KEY} is wrong, as is sk-ant-other` }) });
      const { model, logged } = api.modelAgainst(server.url);
      const error = await unavailable(model.answer(modelRequest('plan'), never));
      expect(error.message).toContain('the key [key] is wrong, as is [key]');
      expect(JSON.stringify([logged, error.message, error.stack, error.cause])).not.toContain('very-secret');
    });
  });

  describe('an answer that arrived, but is no candidate for a contract', () => {
    test.each(api.rejected)('%s is handed on as such, after one call', async (_name, fault, reply) => {
      server.answer({ plan: fault });
      const { model, logged } = api.modelAgainst(server.url);
      expect(await model.answer(modelRequest('plan'), never)).toMatchObject(reply);
      expect(server.requests).toHaveLength(1);
      expect(logged).toEqual([]);
    });
  });
};
