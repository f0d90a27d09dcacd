import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { ToolServerView, ToolView } from '../../contracts/http.ts';
import type { A2aAgentConfig } from '../../src/tools/a2a/port.ts';
import { type AgentServer, startAgent, type Turn } from '../support/a2a/agent-server.ts';
import { startOlderAgent } from '../support/a2a/older-agent-server.ts';
import { freePort } from '../support/http/free-port.ts';
import { PNG, sha256 } from '../support/service/sample-files.ts';
import { act, answer, done, plan, type Service, startService } from '../support/service/service.ts';

const BOOK = {
  plan: plan('Book'),
  thought: [act('travel', 'A room in Rome'), done('Booked')],
  replan: answer('Booked.'),
};

const start = (agent: AgentServer, more: Partial<A2aAgentConfig> = {}, script = BOOK): Promise<Service> =>
  startService(script, {}, { file: { a2aAgents: { travel: { url: agent.url, ...more } } } });

const observed = async (service: Service) =>
  (await service.trace('s1')).flatMap(({ event }) => (event.type === 'observation.recorded' ? event : []));

/** Asks for the day first. */
const asksForTheDay = ({ text, earlier }: Turn) =>
  earlier.length === 0 ? { ask: 'For which day?' } : { done: `${earlier[0]}: booked for ${text}` };

it('an A2A agent is a tool that its card describes, and its answer is a result from outside', async () => {
  const agent = await startAgent(({ text }) => ({ done: `Booked: ${text}` }));
  const service = await start(agent, { headers: { authorization: 'Bearer secret-of-travel' } });
  await service.say('s1', 'Book a room');
  expect(agent.headers()).toMatchObject({ authorization: 'Bearer secret-of-travel' });
  const { tools } = await service.get<{ tools: ToolView[] }>('/v1/tools');
  expect(tools.find(({ name }) => name === 'travel')).toMatchObject({
    description: expect.stringMatching(/^Travel: Books journeys\. It works by itself/),
    source: 'a2a',
    is_untrusted: true,
    writes: true,
  });
  expect(await observed(service)).toMatchObject([
    { tool: 'travel', ok: true, result: expect.stringContaining('Booked: A room in Rome') },
  ]);
});

it('its INPUT_REQUIRED is a question of the task, and the answer goes on with its task, also after a restart', async () => {
  const agent = await startAgent(asksForTheDay);
  const service = await start(agent);
  const asked = await service.say('s1', 'Book a room');
  expect(asked).toMatchObject({
    status: 'asking',
    output: expect.stringContaining('The server "travel" asks this for "travel":\n\nFor which day?'),
    tool_question: { kind: 'form', server: 'travel', message: 'For which day?' },
  });
  await service.restart();
  expect(await service.say('s1', 'Friday')).toMatchObject({ status: 'answered' });
  expect(agent.received).toEqual(['A room in Rome', 'Friday']);
  expect(await observed(service)).toMatchObject([{ ok: true, result: expect.stringContaining('booked for Friday') }]);
});

it.each([
  ['with a page', 'Sign in at https://id.example/device?code=7, please.', { kind: 'link', host: 'id.example' }],
  ['without one', 'Turn the key.', { kind: 'form', schema: { properties: {}, required: [] } }],
])('its AUTH_REQUIRED %s is a question with what it said, and "done" goes on with its task', async (_, said, shown) => {
  const agent = await startAgent(({ earlier, text }) =>
    earlier.length === 0 ? { authorize: said } : { done: `${text} Booked` },
  );
  const service = await start(agent);
  const asked = await service.say('s1', 'Book a room');
  expect(asked).toMatchObject({ status: 'asking', tool_question: { server: 'travel', message: said, ...shown } });
  await service.restart();
  expect(await service.say('s1', shown.kind === 'link' ? 'done' : 'yes')).toMatchObject({ status: 'answered' });
  expect(agent.received).toEqual(['A room in Rome', 'Done.']);
  expect(await observed(service)).toMatchObject([{ ok: true, result: 'Done. Booked' }]);
});

it('an AUTH_REQUIRED that is declined ends what it does', async () => {
  const agent = await startAgent(() => ({ authorize: 'Sign in at https://id.example/device' }));
  const service = await start(agent);
  await service.say('s1', 'Book a room');
  await service.say('s1', 'decline');
  expect(agent.cancelled).toHaveLength(1);
  expect(await observed(service)).toMatchObject([{ ok: false, result: expect.stringContaining('the user declined') }]);
});

it('files in its answer are stored in the session, and named in the result', async () => {
  const agent = await startAgent(() => ({ done: 'Here is the ticket', file: { name: 'ticket.png', bytes: PNG } }));
  const service = await start(agent);
  await service.say('s1', 'Book a room');
  const [event] = await observed(service);
  expect(event).toMatchObject({
    ok: true,
    result: expect.stringContaining('(a file: ticket.png)'),
    files: [{ path: 'files/ticket.png', media_type: 'image/png', sha256: sha256(PNG), bytes: PNG.length }],
  });
  const stored = await fetch(`${service.url}/v1/sessions/s1/files/files/ticket.png`);
  expect(Buffer.from(await stored.arrayBuffer())).toEqual(PNG);
});

it('may speak A2A 0.3: it is described, asks, and answers in the same way', async () => {
  const agent = await startOlderAgent('For which day?');
  const service = await startService(BOOK, {}, { file: { a2aAgents: { travel: { url: agent.url } } } });
  expect(await service.say('s1', 'Book a room')).toMatchObject({
    tool_question: { kind: 'form', server: 'travel', message: 'For which day?' },
  });
  expect(await service.say('s1', 'Friday')).toMatchObject({ output: 'Booked.' });
  expect(agent.received).toEqual(['A room in Rome', 'Friday']);
  expect(await observed(service)).toMatchObject([{ ok: true, result: 'Booked for Friday' }]);
});

it('stands among the servers of the tools, with the reason where it is not reached', async () => {
  const agent = await startAgent(() => ({ done: 'ok' }));
  const service = await start(agent);
  const servers = async (of: Service) => (await of.get<{ servers: ToolServerView[] }>('/v1/tools')).servers;
  await expect
    .poll(() => servers(service))
    .toEqual([{ name: 'travel', kind: 'a2a', state: 'connected', reason: null }]);
  const nowhere = await start({ ...agent, url: `http://127.0.0.1:${await freePort()}` });
  await expect
    .poll(() => servers(nowhere))
    .toMatchObject([{ kind: 'a2a', state: 'failed', reason: expect.stringContaining('ECONNREFUSED') }]);
});

it('a declined question and a cancelled task end what it does', async () => {
  const agent = await startAgent(asksForTheDay);
  const service = await start(agent);
  await service.say('s1', 'Book a room');
  await service.say('s1', 'decline');
  expect(agent.cancelled).toHaveLength(1);
  expect(await observed(service)).toMatchObject([{ ok: false, result: expect.stringContaining('the user declined') }]);

  const other = await start(agent);
  await other.say('s1', 'Book a room');
  await other.say('s1', '/cancel');
  await expect.poll(() => agent.cancelled.length).toBe(2);
});

it('what fails, or is not reached, is a failed result that says so', async () => {
  const agent = await startAgent(() => ({ fail: 'All rooms are taken' }));
  const service = await start(agent);
  await service.say('s1', 'Book a room');
  expect(await observed(service)).toMatchObject([
    { ok: false, result: 'the agent "travel" ended the task as failed: All rooms are taken' },
  ]);
  const nowhere = await start({ ...agent, url: `http://127.0.0.1:${await freePort()}` });
  await nowhere.say('s1', 'Book a room');
  expect(await observed(nowhere)).toMatchObject([
    { ok: false, result: expect.stringMatching(/could not be called: .*ECONNREFUSED.*; nothing was sent/) },
  ]);
});

it('its card cannot send a call, with its headers, to another host', async () => {
  const other = await startAgent(() => ({ done: 'stolen' }));
  const card = await (await fetch(other.url)).text();
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(card));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const service = await start(
    { ...other, url: `http://127.0.0.1:${port}` },
    { headers: { authorization: 'Bearer x' } },
  );
  await service.say('s1', 'Book a room');
  expect(other.received).toEqual([]);
  expect(await observed(service)).toMatchObject([
    { ok: false, result: expect.stringContaining('only the configured host is called') },
  ]);
});
