import type { ListTasksRequest } from '@a2a-js/sdk';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { TurnRequest } from '../../contracts/http.ts';
import { createCrowdSlices, createLoopSlices } from '../../src/event-loop/loop-slices.ts';
import { listTasks } from '../../src/http/protocols/a2a/list-tasks.ts';
import { createSubmitChat } from '../../src/http/protocols/ai-sdk/submit-chat.ts';
import type { Conversations } from '../../src/http/protocols/port.ts';
import { startHttpOn } from '../support/http/http-app.ts';
import { ask } from '../support/http/send-request.ts';
import { someSession, someTurn, stubEngine } from '../support/http/stub-engine.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';
import { callsInTurns } from '../support/turn-counts.ts';

/** Longest block that is let pass, in milliseconds (SPEC 11). */
const BLOCKED_MS_MAX = 50;

const busy = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

it('lets one heavy caller on in a turn of the event loop, however many come at once', async () => {
  const inSlices = createCrowdSlices(4);
  const slices = createLoopSlices();
  const order: number[] = [];
  const blockedMs = await longestBlock(async () => {
    const works = [0, 1, 2, 3, 4, 5, 6].map(
      (i) =>
        new Promise<void>((resolve) =>
          inSlices(() => {
            busy(15);
            order.push(i);
            resolve();
          }),
        ),
    );
    await Promise.all(works);
    await Promise.all([1, 2, 3, 4, 5].map(() => slices.next().then(() => busy(15))));
  });
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(blockedMs).toBeLessThan(BLOCKED_MS_MAX);
});

const names = Array.from({ length: 5_000 }, (_, i) => String.fromCharCode(0x4e00 + i)).join('');

it.each([
  ['callback_url', `http://${names}/`],
  ['timezone', 'x'.repeat(250_000)],
])('refuses a %s that is too long before it is read', async (field, text) => {
  const blockedMs = await longestBlock(async () => {
    expect(TurnRequest.safeParse({ input: 'hello', [field]: text }).success).toBe(false);
  });
  expect(blockedMs).toBeLessThan(BLOCKED_MS_MAX / 2);
});

it('lets others on between two pages of a context with many tasks', async () => {
  let turns = 0;
  const tick = (): void => {
    turns += 1;
    if (turns < 100) setImmediate(tick);
  };
  const conversations = {
    sessions: async () => ({ items: [], next: null }),
    tasks: async (_owner: string, _session: string, { after = '0' }: { after?: string }) => ({
      items: [],
      next: Number(after) < 20 ? String(Number(after) + 1) : null,
    }),
    countTasks: async () => [],
  } as unknown as Conversations;
  tick();
  const request = { contextId: 'c', status: 0, pageToken: '' } as ListTasksRequest;
  await listTasks(conversations, 'ann', request, new AbortController().signal);
  expect(turns).toBeGreaterThan(15);
});

it('reads the contexts of a few callers in one turn of the event loop, however many list at once', async () => {
  const calls = callsInTurns();
  const conversations = {
    sessions: async (_owner: string, { after = '0' }: { after?: string }) => ({
      items: [{ session_id: `s${after}` }],
      next: Number(after) < 5 ? String(Number(after) + 1) : null,
    }),
    tasks: async (_owner: string, session: string) => {
      if (session !== 's0') calls.count();
      return { items: [], next: null };
    },
    countTasks: async () => [],
  } as unknown as Conversations;
  const request = { contextId: '', status: 0, pageToken: '' } as ListTasksRequest;
  const list = () => listTasks(conversations, 'ann', request, new AbortController().signal);
  await Promise.all(Array.from({ length: 60 }, list));
  expect(calls.most()).toBeLessThan(10);
});

it('looks for the times that a message was said again in turns of the event loop, and for so many at most', async () => {
  let read = 0;
  const conversations = {
    session: async () => ({ active_task: null }),
    turnByKey: async () => {
      read += 1;
      busy(1);
      return { ...someTurn(true), id: `turn_${read}` };
    },
  } as unknown as Conversations;
  const said = { type: 'text', text: 'hello', isAgain: true, messageIds: ['m1'] } as const;
  const { text } = createSubmitChat(conversations);
  const blockedMs = await longestBlock(async () => {
    const submitted = text({ owner: 'ann' } as FastifyRequest, {} as FastifyReply, 's1', said, {});
    await expect(submitted).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
  expect(read).toBeLessThan(600);
  expect(blockedMs).toBeLessThan(BLOCKED_MS_MAX);
});

it('takes a few messages of MCP in one request', async () => {
  const { port } = await startHttpOn(stubEngine({}), { protocols: ['mcp'] });
  const send = (length: number) =>
    ask(port, '/mcp', {
      headers: { accept: 'application/json, text/event-stream' },
      body: Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} })),
    });
  expect((await send(11)).status).toBe(413);
  expect((await send(10)).status).toBe(200);
});

it('answers the calls of one request of MCP in turns of the event loop', MEASURED_AGAIN, async () => {
  const calls = callsInTurns();
  const session = async () => {
    calls.count();
    busy(15);
    return someSession(0);
  };
  const { port } = await startHttpOn(stubEngine({ session }), { protocols: ['mcp'] });
  const send = (length: number) =>
    ask(port, '/mcp', {
      headers: { accept: 'application/json, text/event-stream' },
      body: Array.from({ length }, (_, id) => ({
        ...{ jsonrpc: '2.0', id, method: 'tools/call' },
        params: { name: 'status', arguments: { session: 's1' } },
      })),
    });
  await send(1);
  const blockedMs = await longestBlock(async () => {
    expect((await send(10)).text.match(/last_seq/g)?.length).toBeGreaterThanOrEqual(10);
  });
  expect(calls.most()).toBe(1);
  expect(blockedMs).toBeLessThan(BLOCKED_MS_MAX);
});

it('answers requests that come while their protocol is loaded in turns of the event loop', async () => {
  const calls = callsInTurns();
  const turns = async () => {
    calls.count();
    busy(15);
    return { items: [], next: null };
  };
  const { port } = await startHttpOn(stubEngine({ turns }), { protocols: ['ai-sdk'] });
  const asked = await Promise.all(Array.from({ length: 20 }, () => ask(port, '/api/chat/s1/last', { method: 'GET' })));
  expect(asked.map(({ status }) => status)).toEqual(Array(20).fill(204));
  expect(calls.most()).toBeLessThan(3);
});

it("lists A2A's tasks with their plans up to a million characters in all, the newest first", async () => {
  const task = (id: string, plan: string[]) => ({
    ...{ id, goal: `${id} ${'g'.repeat(3_000)}`, state: 'done', outcome: 'completed', pause_reason: null },
    plan: plan.map((step) => ({ step })),
  });
  const usual = Array.from({ length: 400 }, (_, i) => task(`usual-${i}`, ['x'.repeat(2_000)]));
  const long = Array.from({ length: 30 }, (_, i) => task(`long-${i}`, Array(200).fill('x'.repeat(4_000))));
  const conversations = {
    tasks: async () => ({ items: [...long, ...usual], next: null }),
    countTasks: async () => [],
  } as unknown as Conversations;
  const request = { contextId: 'c', status: 0, pageToken: '' } as ListTasksRequest;
  const { tasks } = await listTasks(conversations, 'ann', request, new AbortController().signal);
  expect(tasks).toHaveLength(430);
  expect(JSON.stringify(tasks).length).toBeLessThan(1_300_000);
  expect(tasks[0]).toMatchObject({
    id: 'usual-399',
    metadata: usual[399] === undefined ? {} : { plan: usual[399].plan },
  });
  expect(tasks.at(-1)?.metadata).toMatchObject({ goal: expect.stringMatching(/^long-0 g{100,200}…$/) });
  expect(tasks.at(-1)?.metadata).not.toHaveProperty('plan');
});
