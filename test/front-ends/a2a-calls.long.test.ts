import { beforeEach, describe, expect, it } from 'vitest';
import { type A2aService, BEN, CHINESE, GOAL, HOPELESS, startA2a, text } from '../support/front-ends/a2a-service.ts';
import type { Service } from '../support/service/service.ts';

let service: Service;
let call: A2aService['call'];
let sent: A2aService['sent'];
beforeEach(async () => {
  ({ service, call, sent } = await startA2a());
});

describe('A2A, call by call', () => {
  it('says of a list how many tasks there are on all its pages', async () => {
    await sent(GOAL, { contextId: 'c1' });
    await sent(HOPELESS, { contextId: 'c2' });
    await sent(CHINESE, { contextId: 'c3' });
    const totalOf = async (params: object) => (await call('ListTasks', params)).result?.totalSize;
    const { result } = await call('ListTasks', { pageSize: 1 });
    expect(result).toMatchObject({ totalSize: 3, tasks: [{ contextId: 'c3' }] });
    expect(await totalOf({ pageSize: 1, pageToken: result?.nextPageToken })).toBe(3);
    expect(await totalOf({ contextId: 'c2' })).toBe(1);
    for (const state of ['COMPLETED', 'FAILED', 'INPUT_REQUIRED'])
      expect(await totalOf({ pageSize: 1, status: `TASK_STATE_${state}` })).toBe(1);
    expect((await totalOf({ status: 'TASK_STATE_COMPLETED', contextId: 'c2' })) ?? 0).toBe(0);
    expect((await call('ListTasks', {}, BEN)).result?.totalSize ?? 0).toBe(0);
  });

  it('answers with an artifact, and the same message twice with the same task', async () => {
    const message = text(GOAL);
    const first = await call('SendMessage', message);
    expect(first.result?.task).toMatchObject({
      contextId: 'c1',
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'It is on Sunday.' }] }],
    });
    expect((await call('SendMessage', message)).result).toEqual(first.result);
    const id = first.result?.task?.id;
    expect((await call('GetTask', { id })).result).toEqual(first.result?.task);
    expect((await call('ListTasks', { contextId: 'c1' })).result?.tasks).toMatchObject([{ id }]);
    expect((await call('ListTasks', {})).result?.tasks).toMatchObject([{ id, contextId: 'c1' }]);
    expect((await call('ListTasks', { status: 'TASK_STATE_FAILED' })).result?.tasks ?? []).toEqual([]);
  });

  it('has the conversation of a task as its history', async () => {
    const asked = await sent(CHINESE);
    const history = async (params: object) => (await call('GetTask', { id: asked.id, ...params })).result?.history;
    expect(await history({})).toMatchObject([{ role: 'ROLE_USER', parts: [{ text: CHINESE }] }]);
    await call('CancelTask', { id: asked.id });
    expect((await history({ historyLength: 0 })) ?? []).toEqual([]);
  });

  it('returns the task at once if the caller does not wait, and a command as a message', async () => {
    const { result } = await call('SendMessage', { ...text(GOAL), configuration: { returnImmediately: true } });
    expect(result?.task).toMatchObject({ status: { state: 'TASK_STATE_WORKING' } });
    expect((await call('SendMessage', text('/todo list'))).result?.message).toMatchObject({
      role: 'ROLE_AGENT',
      parts: [{ text: 'No todos.' }],
    });
  });

  it('is its own description, to everybody', async () => {
    const card = async (headers: Record<string, string>) =>
      (await (await fetch(`${service.url}/.well-known/agent-card.json`, { headers })).json()) as object;
    const url = `${service.url}/a2a`;
    expect(await card({ 'a2a-version': '1.0' })).toMatchObject({
      supportedInterfaces: [
        { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
      skills: [{ id: 'run' }],
      securityRequirements: [{ schemes: { bearer: {} } }],
    });
    expect(await card({})).toMatchObject({
      url,
      protocolVersion: '0.3',
      preferredTransport: 'JSONRPC',
      security: [{ bearer: [] }],
    });
  });

  it.each([
    ['an unknown method', 'Sing', {}, -32601],
    ['a message without parts', 'SendMessage', text('', { parts: [] }), -32602],
    [
      'a decision where none is asked for',
      'SendMessage',
      text('', { parts: [{ data: { decision: { type: 'approve' } } }] }),
      -32602,
    ],
    ['a task that never was', 'SendMessage', text(GOAL, { taskId: 'task_none' }), -32001],
    [
      'notifications',
      'SendMessage',
      { ...text(GOAL), configuration: { taskPushNotificationConfig: { url: 'http://x' } } },
      -32003,
    ],
  ])('refuses %s with its own error', async (_, method, params, code) => {
    expect(await call(method, params)).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code } });
    expect((await sent(GOAL)).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('refuses a version that it does not speak, a task that has ended, and a foreign context', async () => {
    expect((await call('GetTask', { id: 'x' }, { 'a2a-version': '2.0' })).error).toMatchObject({ code: -32009 });
    const { id } = await sent(GOAL);
    expect((await call('SendMessage', text('again', { taskId: id }))).error).toMatchObject({ code: -32004 });
    expect((await call('SubscribeToTask', { id })).error).toMatchObject({ code: -32004 });
    expect((await call('CancelTask', { id })).error).toMatchObject({ code: -32002 });
    expect((await call('SendMessage', text('again', { taskId: id, contextId: 'c2' }))).error).toMatchObject({
      code: -32602,
    });
  });
});
