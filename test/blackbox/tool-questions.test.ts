import { describe, expect, it } from 'vitest';
import { createAskingServer, type Desk } from '../support/mcp/asking-server.ts';
import { serveSample } from '../support/mcp/http-server.ts';
import { serveCounter } from '../support/mcp/session-server.ts';
import { act, answer, done, plan, replanned, startService } from '../support/service/service.ts';

const startWithDesk = async (script: Parameters<typeof startService>[0]) => {
  const desk: Desk = { booked: [] };
  const server = await serveSample({}, () => createAskingServer(desk));
  const service = await startService(script, {}, { file: { mcpServers: { desk: { url: server.url } } } });
  return { desk, server, service };
};

const booking = [plan('Book'), act('desk_book', '{"table":"T4"}')];

describe("a server's question in a call", () => {
  it('waits over a restart, is checked, goes on to the next one, and the call is made once under one id', async () => {
    const { desk, server, service } = await startWithDesk([...booking, done(), answer('Booked.')]);
    const asking = await service.say('s1', 'Book a table');
    expect(asking.status).toBe('asking');
    expect(asking.output).toContain('The server "desk" asks this for "desk_book":\n\nWhen do you want T4?');
    expect(asking.tool_question).toMatchObject({
      kind: 'form',
      tool: 'desk_book',
      server: 'desk',
      message: 'When do you want T4?',
      schema: {
        type: 'object',
        properties: {
          day: { type: 'string', oneOf: [{ const: 'Monday' }, { const: 'Friday' }] },
          seats: { type: 'integer', minimum: 1, maximum: 8 },
        },
        required: ['day', 'seats'],
      },
    });
    await service.restart();
    const again = await service.say('s1', 'day: Friday\nseats: 9');
    expect(again.output).toContain('That does not fit:\n- seats: at most 8');
    const link = await service.say('s1', '{"day": "Friday", "seats": 2}');
    expect(link.tool_question).toMatchObject({
      kind: 'link',
      url: 'https://pay.example/deposit?for=table',
      host: 'pay.example',
    });
    expect(link.output).toContain('wants you to visit a page at pay.example');
    await service.restart();
    expect(await service.say('s1', 'done')).toMatchObject({ status: 'answered', output: 'Booked.' });
    expect(desk.booked).toEqual(['T4 Friday for 2 accept']);
    expect(server.asked.filter((method) => method === 'tools/call')).toHaveLength(3);
    const trace = await service.trace('s1');
    expect(trace.filter(({ event }) => event.type === 'tool.asked')).toHaveLength(2);
    const body = trace.map((entry) => JSON.stringify(entry)).join('\n');
    const checked = await fetch(`${service.url}/v1/replay`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body,
    });
    expect(await checked.json()).toMatchObject({ ok: true });
  });

  it('that is declined gives the server a no, and its result goes to the model', async () => {
    const { desk, service } = await startWithDesk([...booking, done('nothing'), answer('Not booked.')]);
    await service.say('s1', 'Book a table');
    expect(await service.say('s1', 'decline')).toMatchObject({ output: 'Not booked.' });
    expect(desk.booked).toEqual([]);
    expect(JSON.stringify(await service.trace('s1'))).toContain('Nothing booked');
  });

  it('is asked anew in a fork, and a task that replans leaves it behind', async () => {
    const { service } = await startWithDesk([...booking, replanned('Eat at home'), done(), answer('At home.')]);
    const { task } = await service.say('s1', 'Book a table');
    const fork = await service.post(`/v1/tasks/${task.id}/fork`, {});
    const { session_id } = (await fork.json()) as { session_id: string };
    const { tasks } = await service.get<{
      tasks: { session_id: string; task: { tool_question?: { kind: string } } }[];
    }>('/v1/tasks');
    expect(tasks.find((each) => each.session_id === session_id)?.task.tool_question).toMatchObject({ kind: 'form' });
    await service.post(`/v1/sessions/s1/turns`, { input: '/plan add Eat' });
    expect(await service.say('s1', 'yes')).toMatchObject({ output: 'At home.' });
  });
});

describe('a page of a server of the 2025 protocol', () => {
  const startWithCounter = async (tool: 'pay' | 'connect', ends: Parameters<typeof startService>[0]) => {
    const { url, counter } = await serveCounter();
    const script = [plan('Do it'), act(`counter_${tool}`, '{}'), ...(ends as object[])] as typeof ends;
    const service = await startService(script, {}, { file: { mcpServers: { counter: { url } } } });
    const asking = await service.say('s1', 'Do it');
    expect(asking.tool_question).toMatchObject({ kind: 'link', server: 'counter', host: 'pay.example' });
    return { service, counter };
  };

  it.each([
    ['done', 'accept'],
    ['decline', 'decline'],
    ['not now', 'decline'],
  ])('gets "%s" as %s, on the connection that its call waits on', async (said, action) => {
    const { service, counter } = await startWithCounter('pay', [done(), replanned('Go on'), done(), answer('Over.')]);
    await service.say('s1', said);
    await expect.poll(() => counter.answers).toEqual([action]);
    expect(counter.called).toEqual(['pay']);
    expect(JSON.stringify(await service.trace('s1'))).toContain(`Payment: ${action}`);
  });

  it('gets "cancel" where its task is cancelled', async () => {
    const { service, counter } = await startWithCounter('pay', []);
    expect(await service.say('s1', '/cancel')).toMatchObject({ status: 'cancelled' });
    await expect.poll(() => counter.answers).toEqual(['cancel']);
    expect(counter.called).toEqual(['pay']);
  });

  it('that a refusal names is visited before the call is made again, and never where the user declines', async () => {
    const visited = await startWithCounter('connect', [done(), answer('Connected.')]);
    expect(await visited.service.say('s1', 'done')).toMatchObject({ output: 'Connected.' });
    expect(visited.counter.called).toEqual(['connect', 'connect']);
    const declined = await startWithCounter('connect', [replanned('Go on'), done(), answer('Let it be.')]);
    await declined.service.say('s1', 'decline');
    expect(declined.counter.called).toEqual(['connect']);
    expect(JSON.stringify(await declined.service.trace('s1'))).toContain(
      'the user declined what the MCP server \\"counter\\" asked for',
    );
  });
});
