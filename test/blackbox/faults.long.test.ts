import { expect, it } from 'vitest';
import {
  apiError,
  htmlPage,
  message,
  rawBody,
  resetBeforeHeaders,
  resetInBody,
  silence,
} from '../support/anthropic/answers.ts';
import { answersByGoal, contractsFor } from '../support/anthropic/answers-by-goal.ts';
import type { MessagesAnswer } from '../support/anthropic/messages.ts';
import { act, answer, done, plan, replanned, startService } from '../support/service/service.ts';

/** Faults that pass: each is tried again, and none of it counts. */
const passing: Record<string, MessagesAnswer> = {
  '429 with retry-after': apiError(429, { headers: { 'retry-after': '0' } }),
  '529': apiError(529, { type: 'overloaded_error' }),
  '500': apiError(500),
  'a web page with 503': htmlPage(503),
  'a web page with 200': htmlPage(200),
  'an empty body': rawBody(''),
  'broken JSON': rawBody('{"content":['),
  'an error with 200': rawBody('{"type":"error","error":{"type":"overloaded_error","message":"busy"}}'),
  'a reset before the headers': resetBeforeHeaders(),
  'a reset in the body': resetInBody(),
};

it('tries again what may pass, at each contract, and counts nothing of it', async () => {
  const names = Object.keys(passing);
  const service = await startService(
    answersByGoal(
      Object.fromEntries(
        Object.entries(passing).map(([name, fault]) => [
          name,
          [fault, plan('a'), fault, done(), fault, answer('got there')],
        ]),
      ),
    ),
  );
  const turns = await Promise.all(names.map((name, i) => service.say(`s${i}`, name)));
  expect(turns.map(({ output, task }, i) => [names[i], output, task.step_count])).toEqual(
    names.map((name) => [name, 'got there', 2]),
  );
});

it.each([400, 401, 402, 403, 413])(
  'fails at once with %i at each contract, and continues from there',
  async (status) => {
    const fault = apiError(status);
    const service = await startService([fault]);
    const unanswered = { state: 'paused', pause_reason: 'model_unavailable' };
    expect(await service.say('s1', 'hello')).toMatchObject({
      status: 'paused',
      task: { ...unanswered, step_count: 0 },
    });
    service.model.answer([plan('a'), fault]);
    expect(await service.say('s1', 'continue')).toMatchObject({ task: { ...unanswered, step_count: 0 } });
    service.model.answer([replanned('a'), done(), fault]);
    const turn = await service.say('s1', 'continue');
    expect(turn).toMatchObject({ task: { ...unanswered, step_count: 2, needs_replan: true } });
    expect(turn.output).toContain(`${status}`);
    service.model.answer([answer('at last')]);
    expect(await service.say('s1', 'continue')).toMatchObject({ output: 'at last', task: { step_count: 3 } });
    expect(service.contracts()).toEqual(['plan', 'plan', 'thought', 'replan', 'thought', 'replan', 'replan']);
  },
);

it('gives up after four tries, and names what to check', async () => {
  const service = await startService({ plan: apiError(500) });
  const turn = await service.say('s1', 'hello');
  expect(turn).toMatchObject({ status: 'paused', task: { pause_reason: 'model_unavailable', step_count: 0 } });
  expect(service.contracts()).toEqual(Array(4).fill('plan'));
  for (const part of ['## What is done', '## Why it is not finished', '## What to do next'])
    expect(turn.output).toContain(part);
});

it('waits for an answer no longer than its deadline', async () => {
  const service = await startService([silence()], { TRIPACT_MODEL_TIMEOUT_MS: '200' });
  const turn = await service.say('s1', 'hello');
  expect(turn).toMatchObject({ status: 'paused', task: { pause_reason: 'model_unavailable', step_count: 0 } });
  expect(turn.output).toContain('TRIPACT_MODEL_TIMEOUT_MS');
});

it('a fault at the last step of the budget leaves the last step', async () => {
  const service = await startService([plan('a'), act('todo', 'list'), apiError(401)], { TRIPACT_MAX_STEPS: '3' });
  expect(await service.say('s1', 'do a')).toMatchObject({ task: { pause_reason: 'model_unavailable', step_count: 2 } });
  service.model.answer([replanned('a')]);
  expect(await service.say('s1', 'continue')).toMatchObject({
    task: { pause_reason: 'step_limit', step_count: 3, step_limit: 3 },
  });
});

it('never reveals the key, not even where the server repeats it', async () => {
  const service = await startService([apiError(401, { text: 'no such key: sk-test-0123456789' })]);
  const turn = await service.say('s1', 'hello');
  expect(JSON.stringify([turn, await service.trace('s1')])).not.toContain('sk-test-0123456789');
});

it('adds up the tokens of all answers, refused ones too', async () => {
  const counted = (said: Record<string, unknown> | string) =>
    message(said, { usage: { input_tokens: 100, cache_read_input_tokens: 11, output_tokens: 10 } });
  const service = await startService(
    answersByGoal({ count: [counted(plan('a')), counted('junk'), counted(done()), counted(answer('ok'))] }),
  );
  const { task } = await service.say('s1', 'count');
  expect(task.usage).toEqual({
    input_tokens: 400,
    output_tokens: 40,
    cache_written_tokens: 0,
    cache_read_tokens: 44,
  });
  expect(contractsFor(service, 'count')).toEqual(['plan', 'thought', 'thought', 'replan']);
});
