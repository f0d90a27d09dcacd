import { randomUUID } from 'node:crypto';
import { ListTasksRequest, type SendMessageRequest, TaskState } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { TaskNotFoundError } from '@a2a-js/sdk/errors';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import type { SessionView } from '../../contracts/http.ts';
import { agUiPage } from '../support/front-ends/ag-ui-page.ts';
import { openPage } from '../support/front-ends/ai-sdk-page.ts';
import { clientOf, errorOf, said } from '../support/front-ends/openai-service.ts';
import { answer, ask, done, plan, type Service, startService } from '../support/service/service.ts';

const AGENTS = {
  desk: { description: 'Answers customers', instructions: 'You are the desk.' },
  ops: { instructions: 'You keep it running.' },
};

const start = (): Promise<Service> =>
  startService({ plan: plan(), thought: done('Hello'), replan: answer('Hello') }, {}, { file: { agents: AGENTS } });

/** The session's agents, newest session first. */
const agentsOf = async ({ get }: Service): Promise<(string | null)[]> =>
  (await get<{ sessions: SessionView[] }>('/v1/sessions')).sessions.map(({ agent }) => agent);

describe("by OpenAI's API an agent is a model", () => {
  it('that is listed, and answers in Chat Completions and Responses', async () => {
    const service = await start();
    const { models, chat, responses } = clientOf(service);
    expect((await models.list()).data.map(({ id }) => id)).toEqual(['tripact', 'desk', 'ops']);
    expect(await models.retrieve('ops')).toMatchObject({ id: 'ops' });
    await chat.completions.create({ model: 'ops', messages: said('Hi') });
    expect(await agentsOf(service)).toEqual(['ops']);
    const { id } = await responses.create({ model: 'ops', input: 'Hi' });
    await responses.create({ model: 'gpt-x', input: 'Hi' });
    expect(await agentsOf(service)).toEqual(['desk', 'ops', 'ops']);
    const other = await errorOf(responses.create({ model: 'desk', input: 'Hi', previous_response_id: id }));
    expect(other).toMatchObject({ status: 409, message: expect.stringContaining('The agent "ops" works') });
  });

  it('and the same words said to two models are two conversations', async () => {
    const service = await start();
    const { chat } = clientOf(service);
    const say = (model: string, ...texts: string[]) => chat.completions.create({ model, messages: said(...texts) });
    await say('desk', 'Hi');
    await say('ops', 'Hi');
    await say('ops', 'Hi', 'Hello', 'And now?');
    await say('desk', 'Hi', 'Hello', 'And now?');
    expect(await agentsOf(service)).toEqual(['desk', 'ops']);
  });
});

it('by MCP each agent is a tool', async () => {
  const service = await start();
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
  const tools = new Map((await client.listTools()).tools.map(({ name, description }) => [name, description]));
  expect(tools.get('run_desk')).toContain('By the agent desk: Answers customers.');
  await client.callTool({ name: 'run_ops', arguments: { goal: 'Hi' } });
  await client.callTool({ name: 'run', arguments: { goal: 'Hi' } });
  await client.close();
  expect(await agentsOf(service)).toEqual(['desk', 'ops']);
});

it('by A2A each agent has a card and an address', async () => {
  const service = await start();
  const client = await new ClientFactory().createFromUrl(`${service.url}/a2a/ops/`);
  expect(await client.getAgentCard()).toMatchObject({ name: 'ops' });
  const message = { messageId: randomUUID(), role: 1, parts: [{ content: { $case: 'text', value: 'Hi' } }] };
  await client.sendMessage({ message } as unknown as Parameters<typeof client.sendMessage>[0]);
  expect(await agentsOf(service)).toEqual(['ops']);
  expect((await fetch(`${service.url}/a2a/sales/.well-known/agent-card.json`)).status).toBe(404);
});

it('by A2A the list of an agent has its own tasks alone, and the list of the service those of all', async () => {
  const service = await start();
  for (const agent of ['desk', 'ops', 'ops']) await service.say(randomUUID(), `Hi, ${agent}`, { agent });
  const listed = async (path: string, more = {}) => {
    const client = await new ClientFactory().createFromUrl(`${service.url}/a2a/${path}`);
    const { tasks, totalSize } = await client.listTasks(ListTasksRequest.fromJSON({ pageSize: 2, ...more }));
    return [tasks.length, totalSize];
  };
  expect(await listed('ops/')).toEqual([2, 2]);
  expect(await listed('desk/')).toEqual([1, 1]);
  expect(await listed('desk/', { status: 'TASK_STATE_COMPLETED' })).toEqual([1, 1]);
  expect(await listed('desk/', { status: 'TASK_STATE_WORKING' })).toEqual([0, 0]);
  expect(await listed('../')).toEqual([2, 3]);
});

it("by A2A a task is another agent's, and can't be read, cancelled, followed or answered at any other address", async () => {
  const service = await startService({ plan: plan(), thought: ask('Which?') }, {}, { file: { agents: AGENTS } });
  const id = (await service.say('s1', 'Hi', { agent: 'ops' })).task.id;
  const [ops, desk, whole] = await Promise.all(
    ['a2a/ops/', 'a2a/desk/', ''].map((path) => new ClientFactory().createFromUrl(`${service.url}/${path}`)),
  );
  for (const client of [ops!, whole!]) expect(await client.getTask({ id, tenant: '' })).toMatchObject({ id });
  const message = { messageId: randomUUID(), role: 1, taskId: id, parts: [{ content: { $case: 'text', value: 'A' } }] };
  const refused = [
    desk!.getTask({ id, tenant: '' }),
    desk!.cancelTask({ id, tenant: '', metadata: {} }),
    desk!.resubscribeTask({ id, tenant: '' }).next(),
    desk!.sendMessage({ message } as unknown as SendMessageRequest),
  ];
  for (const answered of refused) await expect(answered).rejects.toThrow(TaskNotFoundError);
  expect(await whole!.getTask({ id, tenant: '' })).toMatchObject({
    status: { state: TaskState.TASK_STATE_INPUT_REQUIRED },
  });
});

it("by the AI SDK and AG-UI it is named in the page's body", async () => {
  const service = await start();
  const page = openPage(() => service.url);
  const over = page.finished();
  await page.chat.sendMessage({ text: 'Hi' }, { body: { agent: 'ops' } });
  await over;
  const run = agUiPage('1.0')(() => service.url)();
  run.agent.addMessage({ id: 'm1', role: 'user', content: 'Hi' });
  await run.run({ forwardedProps: { agent: 'ops' } });
  expect(await agentsOf(service)).toEqual(['ops', 'ops']);
});

it('by slash command they are listed, with the one of the session', async () => {
  const service = await start();
  await service.say('s1', 'Hi', { agent: 'ops' });
  expect((await service.say('s1', '/agents')).output).toBe(
    'Agents. The first message of a session chooses one:\ndesk — Answers customers\nops (works in this session)',
  );
});
