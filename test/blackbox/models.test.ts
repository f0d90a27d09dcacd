import { expect, it, onTestFinished } from 'vitest';
import { apiError, calls } from '../support/anthropic/answers.ts';
import type { Respond } from '../support/anthropic/messages.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { type Said, WIRES, type WireUnderTest } from '../support/models/wires.ts';
import { chat } from '../support/openai/answers.ts';
import { startService } from '../support/service/service.ts';

/** A service that asks a local server by one wire. */
const startAgainst = async (wire: WireUnderTest, script: Respond[], model: string) => {
  const server = await startMessagesServer(script, wire.api);
  onTestFinished(() => server.close());
  const env = { TRIPACT_MODEL: model, TRIPACT_OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'sk-test-o' };
  return { server, service: await startService([], env) };
};

const openai = WIRES['/v1/responses'];

it('a task is worked through by the Responses API, with two calls for one tool', async () => {
  const said: Said[] = [
    { text: 'Milk first.', calls: [['todo', '{"input":"add milk"}']] },
    { calls: [['finish', '{"response":"Milk is on it."}']] },
  ];
  const { server, service } = await startAgainst(openai, said.map(openai.whole), 'openai:gpt-5.6-terra');
  expect(await service.say('s1', 'Add milk')).toMatchObject({ status: 'answered', output: 'Milk is on it.' });
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-test-o', 'Bearer sk-test-o']);
  expect(server.raw).toMatchObject([{ store: false }, { store: false }]);
});

it('a call with a number that JSON rounds is refused with what to do, and the corrected one runs', async () => {
  const { service } = await startAgainst(
    openai,
    [
      openai.whole({ calls: [['todo', '{"input":"add milk","id":12345678901234567890}']] }),
      openai.whole({ calls: [['todo', '{"input":"add milk"}']] }),
      openai.whole({ calls: [['finish', '{"response":"Done."}']] }),
    ],
    'openai:gpt-5.5',
  );
  expect(await service.say('s1', 'Add milk')).toMatchObject({ status: 'answered', output: 'Done.' });
  const trace = await service.trace('s1');
  expect(trace.find(({ event }) => event.type === 'plan.rejected')?.event).toMatchObject({
    reason:
      "the arguments of todo can't be taken: it has a number with more digits than JSON keeps: write it as a string",
  });
  expect(await service.get('/v1/todos')).toMatchObject({ todos: [{ text: 'milk' }] });
});

it('a prompt that Ollama cut without a word pauses the task, and the reply names what to set', async () => {
  const cut = chat('{"status":"planned","plan":["Guess"]}', { usage: { prompt_tokens: 200, completion_tokens: 5 } });
  const { server, service } = await startAgainst(WIRES['/chat/completions'], [cut], 'ollama:qwen3');
  const turn = await service.say('s1', 'Sort this out');
  expect(turn).toMatchObject({ status: 'paused', task: { step_count: 0 } });
  expect(turn.output).toContain('OLLAMA_CONTEXT_LENGTH');
  expect(server.requests).toHaveLength(1);
});

it('another server may count as few tokens as it likes', async () => {
  const few = chat('', {
    usage: { prompt_tokens: 20, completion_tokens: 5 },
    finish_reason: 'tool_calls',
    message: {
      tool_calls: [{ id: '1', type: 'function', function: { name: 'finish', arguments: '{"response":"Hi"}' } }],
    },
  });
  const { service } = await startAgainst(WIRES['/chat/completions'], [few], 'openai-compatible:m');
  expect(await service.say('s1', 'hello')).toMatchObject({ status: 'answered', output: 'Hi' });
});

it.each([
  ['llamacpp:m', true],
  ['vllm:m', undefined],
])('%s is told that several calls may come in one message: %s', async (model, asked) => {
  const { server, service } = await startAgainst(WIRES['/chat/completions'], [chat('Hi')], model);
  await service.say('s1', 'hello', { planning: false });
  expect((server.raw[0] as { parallel_tool_calls?: boolean }).parallel_tool_calls).toBe(asked);
});

it('says in which voice the model is asked, also once its server turned out to take no tools', async () => {
  const refused = apiError(400, { text: 'm does not support tools' });
  const service = await startService([refused, '{"status":"planned","plan":[]}', calls([])]);
  const me = () => service.get<{ model: string; voice?: string }>('/v1/me');
  expect(await me()).toMatchObject({ model: expect.stringMatching(/^anthropic:/), voice: 'native' });
  await service.say('s1', 'hello');
  expect(await me()).toMatchObject({ voice: 'text' });
});
