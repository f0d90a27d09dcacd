import { describe, expect, test } from 'vitest';
import { ModelUnavailable } from '../../src/models/port.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { modelRequest } from '../support/anthropic/model.ts';

const never = new AbortController().signal;

describe('a scripted model', () => {
  test('answers by contract: lists are used up, a single answer is given each time', async () => {
    const model = createScriptedModel({ plan: ['first', 'second'], thought: 'always' });
    const asked = ['thought', 'plan', 'thought', 'plan'] as const;
    const texts = [];
    for (const contract of asked) texts.push((await model.answer(modelRequest(contract), never)).text);
    expect(texts).toEqual(['always', 'first', 'always', 'second']);
    expect(model.remaining()).toBe(0);
  });

  test('says which contract it has no answer left for', async () => {
    const model = createScriptedModel({ plan: ['only'] });
    await model.answer(modelRequest('plan'), never);
    await expect(model.answer(modelRequest('plan'), never)).rejects.toThrow('no answer left for plan, request 2');
    await expect(model.answer(modelRequest('replan'), never)).rejects.toThrow('no answer left for replan');
  });

  test('gives faults, token counts and errors', async () => {
    const usage = { input_tokens: 7, output_tokens: 3 };
    const model = createScriptedModel([
      { fault: 'truncated', text: '{"status":"contin' },
      { text: { status: 'done' }, usage },
      new ModelUnavailable('the network is away'),
    ]);
    expect(await model.answer(modelRequest('thought'), never)).toMatchObject({
      text: '{"status":"contin',
      fault: 'truncated',
    });
    expect(await model.answer(modelRequest('thought'), never)).toEqual({
      text: '{"status":"done"}',
      fault: 'none',
      usage,
    });
    await expect(model.answer(modelRequest('thought'), never)).rejects.toThrow(ModelUnavailable);
  });

  test('makes an answer from the request, and remembers the requests', async () => {
    const model = createScriptedModel([({ task }) => `goal: ${task.goal}`, async ({ contract }) => ({ contract })]);
    const request = modelRequest('plan');
    expect((await model.answer(request, never)).text).toBe('goal: water the plants');
    expect((await model.answer(modelRequest('replan'), never)).text).toBe('{"contract":"replan"}');
    expect(model.requests.map(({ contract }) => contract)).toEqual(['plan', 'replan']);
    expect(model.requests[0]).toBe(request);
  });
});
