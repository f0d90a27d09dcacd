import { type StreamResponse, taskStateToJSON } from '@a2a-js/sdk';
import { ClientFactory, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type A2aService,
  ANNA,
  ASKING,
  CHINESE,
  GOAL,
  HOPELESS,
  startA2a,
  text,
} from '../support/front-ends/a2a-service.ts';
import type { Service } from '../support/service/service.ts';

let service: Service;
let call: A2aService['call'];
let sent: A2aService['sent'];
beforeEach(async () => {
  ({ service, call, sent } = await startA2a());
});

/** A reader of a subscription with the SDK's own client: its next responses, and the rest until it ends. */
const subscribed = async (id: string) => {
  const fetchImpl: typeof fetch = (url, init) =>
    fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...ANNA } });
  const factory = new ClientFactory({ transports: [new JsonRpcTransportFactory({ fetchImpl })] });
  const client = await factory.createFromUrl(service.url);
  const responses = client.resubscribeTask({ tenant: '', id });
  const shown = ({ payload }: StreamResponse): string => {
    if (payload?.$case === 'artifactUpdate') return 'artifact';
    const status = payload?.$case === 'task' || payload?.$case === 'statusUpdate' ? payload.value.status : undefined;
    return `${payload?.$case} ${taskStateToJSON(status?.state ?? 0).replace('TASK_STATE_', '')}`;
  };
  return {
    next: async () => shown((await responses.next()).value as StreamResponse),
    rest: async () => {
      const rest: string[] = [];
      for await (const response of responses) rest.push(shown(response));
      return rest.filter((each, i) => each !== rest[i - 1]);
    },
  };
};

describe('A subscription of A2A to a task that waits', () => {
  it('stays open, and shows what comes of the answer that another client gives', async () => {
    const { id } = await sent(ASKING);
    const reader = await subscribed(id);
    expect(await reader.next()).toBe('task INPUT_REQUIRED');
    const [rest] = await Promise.all([reader.rest(), sent('Sunday', { taskId: id })]);
    expect(rest).toEqual(['statusUpdate WORKING', 'artifact', 'statusUpdate COMPLETED']);
  });

  it.each([
    ['by its id', (id: string) => call('CancelTask', { id })],
    ['in words', () => call('SendMessage', text('cancel task'))],
  ])('ends when the task is cancelled %s', async (_, cancel) => {
    const { id } = await sent(ASKING);
    const reader = await subscribed(id);
    expect(await reader.next()).toBe('task INPUT_REQUIRED');
    const [rest] = await Promise.all([reader.rest(), cancel(id)]);
    expect(rest).toEqual(['statusUpdate CANCELED']);
  });
});

describe('The list of tasks of A2A', () => {
  const list = async (params: object) => {
    const { result, error } = await call('ListTasks', params);
    if (result === undefined) throw new Error(JSON.stringify(error));
    return result;
  };

  it('has pages of the size that was asked for, newest first, over and within contexts', async () => {
    const done = await sent(GOAL);
    const waits = await sent(CHINESE);
    const failed = await sent(HOPELESS, { contextId: 'c2' });
    await call('CancelTask', { id: waits.id });
    const newest = [waits.id, failed.id, done.id];
    const read = async (params: object) => {
      const found: string[] = [];
      for (let pageToken: string | undefined = ''; pageToken !== undefined; ) {
        const page = await list({ ...params, pageSize: 1, pageToken });
        expect(page.tasks?.length).toBeLessThanOrEqual(1);
        found.push(...(page.tasks ?? []).map(({ id }) => id));
        pageToken = page.nextPageToken || undefined;
      }
      return found;
    };
    expect(await read({})).toEqual(newest);
    expect(await read({ contextId: 'c1' })).toEqual([waits.id, done.id]);
    expect((await list({})).tasks?.map(({ status }) => status.timestamp).every((at) => /Z$/.test(at ?? ''))).toBe(true);
  });

  it('has only those whose status changed since a time, and none of an unknown context', async () => {
    await sent(GOAL);
    const { tasks: [first] = [] } = await list({});
    await sent(HOPELESS);
    const since = async (statusTimestampAfter?: string) => (await list({ statusTimestampAfter })).totalSize;
    expect(await since(first?.status.timestamp)).toBe(2);
    expect(await since('2999-01-01T00:00:00Z')).toBe(0);
    expect(await list({ contextId: 'never-was' })).toEqual({
      tasks: [],
      nextPageToken: '',
      pageSize: 50,
      totalSize: 0,
    });
    expect(await list({ status: 'TASK_STATE_REJECTED' })).toMatchObject({ tasks: [], totalSize: 0 });
  });

  it('has history and artifacts where they are asked for', async () => {
    await sent(GOAL);
    const first = async (params: object) => (await list(params)).tasks?.[0];
    const bare = await first({});
    expect([bare?.history ?? [], bare?.artifacts]).toEqual([[], undefined]);
    expect(await first({ historyLength: 1, includeArtifacts: true })).toMatchObject({
      history: [{ parts: [{ text: GOAL }] }],
      artifacts: [{ parts: [{ text: 'It is on Sunday.' }] }],
    });
  });

  it.each([
    ['ListTasks', { historyLength: -1 }],
    ['ListTasks', { historyLength: 'all' }],
    ['ListTasks', { pageSize: 0 }],
    ['ListTasks', { pageSize: 1.5 }],
    ['ListTasks', { pageSize: 'many' }],
    ['ListTasks', { pageToken: 'none' }],
    ['ListTasks', { statusTimestampAfter: 'yesterday' }],
    ['GetTask', { id: 'task_none', historyLength: -1 }],
    ['SendMessage', { ...text(GOAL), configuration: { historyLength: -1 } }],
  ])('%s refuses %j', async (method, params) => {
    expect((await call(method, params)).error).toMatchObject({ code: -32602 });
    expect((await list({})).totalSize).toBe(0);
  });
});

describe('What A2A says of itself', () => {
  const card = (headers: Record<string, string>, query = '') =>
    fetch(`${service.url}/.well-known/agent-card.json${query}`, { headers });

  it('may be cached for a minute, and is not sent again while unchanged', async () => {
    const first = await card({});
    expect(first.headers.get('cache-control')).toBe('max-age=60');
    const etag = first.headers.get('etag') ?? '';
    expect((await card({ 'if-none-match': etag })).status).toBe(304);
    expect((await card({ 'if-none-match': etag, 'a2a-version': '1.0' })).status).toBe(200);
  });

  it('names a scheme only where keys are', async () => {
    expect(await (await card({ 'a2a-version': '1.0' })).json()).toHaveProperty('securitySchemes');
    const { service: open } = await startA2a({});
    const shown = await (await fetch(`${open.url}/.well-known/agent-card.json?A2A-Version=1.0`)).text();
    expect(shown).not.toContain('security');
  });

  it('takes the version from the address too, without a patch number, and the address with a slash behind it', async () => {
    expect(await (await card({}, '?A2A-Version=1.0')).json()).not.toHaveProperty('preferredTransport');
    const list = { jsonrpc: '2.0', id: 7, method: 'ListTasks', params: {} };
    for (const [path, version] of [
      ['/a2a?A2A-Version=1.0', {}],
      ['/a2a/?A2A-Version=1.0', {}],
      ['/a2a/', { 'a2a-version': '1.0.1' }],
    ] as const)
      expect(await (await service.post(path, list, { ...ANNA, ...version })).json()).toMatchObject({
        result: { totalSize: 0 },
      });
  });

  it.each([
    ['an extended card', 'GetExtendedAgentCard', {}, -32004],
    ['a file', 'SendMessage', text('', { parts: [{ text: 'Look' }, { raw: 'AAAA', mediaType: 'image/png' }] }), -32005],
    ['a link', 'SendStreamingMessage', text('', { parts: [{ url: 'https://example.com/a.png' }] }), -32005],
  ])('refuses %s by the code of it', async (_, method, params, code) => {
    expect((await call(method, params)).error).toMatchObject({ code });
  });

  it('refuses a body that is said to be text by the code of a kind that is not read', async () => {
    const headers = { ...ANNA, 'content-type': 'text/plain', 'a2a-version': '1.0' };
    const refused = await fetch(`${service.url}/a2a`, { method: 'POST', headers, body: '{}' });
    expect([refused.status, await refused.json()]).toMatchObject([415, { error: { code: -32005 } }]);
  });

  it('refuses files so for clients of the older version, too', async () => {
    const old = { 'a2a-version': '0.3' };
    const file = { kind: 'file', file: { bytes: 'AAAA', mimeType: 'image/png' } };
    const message = { kind: 'message', messageId: 'm1', role: 'user', parts: [file] };
    expect((await call('message/send', { message }, old)).error).toMatchObject({ code: -32005 });
  });
});
