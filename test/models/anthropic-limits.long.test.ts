import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ModelUnavailable } from '../../src/models/port.ts';
import { apiError, silence, slowBody, stallInBody } from '../support/anthropic/answers.ts';
import { modelAgainst, modelRequest } from '../support/anthropic/model.ts';
import { type MessagesServer, startMessagesServer } from '../support/anthropic/server.ts';

const never = new AbortController().signal;
let server: MessagesServer;
beforeEach(async () => {
  server = await startMessagesServer();
});
afterEach(() => server.close());

const limited = (retryAfter: string) =>
  apiError(429, { type: 'rate_limit_error', headers: { 'retry-after': retryAfter } });

describe('a rate limit', () => {
  test('is waited for until the time that the server names', async () => {
    server.answer([
      limited(new Date(Date.now() + 40_000).toUTCString()),
      limited('Mon, 05 Jan 2015 12:00:00 GMT'),
      'the answer',
    ]);
    const { model, waits } = modelAgainst(server.url);
    await model.answer(modelRequest('plan'), never);
    expect(waits[0]).toBeGreaterThan(30_000);
    expect(waits[0]).toBeLessThanOrEqual(40_000);
    expect(waits[1]).toBe(0);
  });
});

describe('a prompt that is too long', () => {
  const tooLong = apiError(400, {
    type: 'invalid_request_error',
    text: 'prompt is too long: 208310 tokens > 200000 maximum',
  });

  test('is asked again once, at once, without the oldest observations', async () => {
    server.answer([tooLong, 'the answer']);
    const { model, waits, logged } = modelAgainst(server.url);
    expect((await model.answer(modelRequest('thought', 10), never)).text).toBe('the answer');
    const shown = server.requests.map(({ body }) => JSON.stringify(body.messages).match(/nothing to do/g)?.length);
    expect(shown).toEqual([10, 2]);
    expect(waits).toEqual([]);
    expect(logged).toMatchObject([{ message: 'prompt too long, asking with a shorter one', dropped_observations: 8 }]);
  });
});

describe('the deadline', () => {
  test('ends a call that gets no answer, and the reply names the setting', async () => {
    server.answer({ plan: silence() });
    const answer = modelAgainst(server.url, { timeoutMs: 300 }).model.answer(modelRequest('plan'), never);
    await expect(answer).rejects.toThrow(ModelUnavailable);
    await expect(answer).rejects.toThrow(/longer than 0.3 s.*TRIPACT_MODEL_TIMEOUT_MS/);
    expect(server.requests).toHaveLength(1);
  });

  test('covers all tries together', async () => {
    server.answer({ plan: stallInBody() });
    const { model, logged } = modelAgainst(server.url, { timeoutMs: 2_500, idleMs: 200 });
    await expect(model.answer(modelRequest('plan'), never)).rejects.toThrow('TRIPACT_MODEL_TIMEOUT_MS');
    expect(logged.map(({ reason }) => reason)).toContain('the answer stopped coming for 200 ms');
  });

  test('lets a slow body come, as long as it comes', async () => {
    server.answer([slowBody('the answer', { pieces: 15, gapMs: 40 })]);
    const { model, logged } = modelAgainst(server.url, { idleMs: 400 });
    expect((await model.answer(modelRequest('plan'), never)).text).toBe('the answer');
    expect(logged).toEqual([]);
  });
});

describe('an abort', () => {
  const reason = new Error('the user cancelled');

  test.each([
    ['the headers are awaited', silence()],
    ['the body is awaited', stallInBody()],
  ])('ends the call while %s, without another try', async (_while, answer) => {
    server.answer({ plan: answer });
    const { model, logged } = modelAgainst(server.url);
    const abort = new AbortController();
    const answered = model.answer(modelRequest('plan'), abort.signal);
    await server.asked(1);
    abort.abort(reason);
    await expect(answered).rejects.toBe(reason);
    expect(logged).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });
});
