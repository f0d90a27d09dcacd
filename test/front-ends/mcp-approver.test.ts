import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { By } from '../../contracts/by.ts';
import type { ApprovalCard } from '../../contracts/http.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { act, answer, done, plan, startService } from '../support/service/service.ts';

const OPS = 'key-of-ops-0123456789';
const ADA = 'key-of-ada-0123456789';
const ID = 'approval-1';

/** A service whose tool `refund` waits for finance, and ada's task with a refund of 50. */
const refunding = async () => {
  const ran: number[] = [];
  const refund = defineTool({
    name: 'refund',
    description: 'Refunds an order.',
    input: z.object({ euros: z.number() }),
    approval: ({ euros }) => ({ ask: `Refund ${euros} €` }),
    approvers: ['role:finance'],
    run: ({ euros }) => {
      ran.push(euros);
      return 'refunded';
    },
  });
  const service = await startService(
    [plan('Refund'), act('refund', '{"euros":50}'), done('Done'), answer('Refunded.')],
    { TRIPACT_API_KEYS: `ops:${OPS},ada:${ADA}`, TRIPACT_OPERATORS: 'ops' },
    { file: { tools: [refund] } },
  );
  const ada = { authorization: `Bearer ${ADA}` };
  const sent = await service.post('/v1/sessions/s1/turns', { input: 'Refund the order' }, ada);
  const { approval } = (await sent.json()) as TurnView;
  const turns = async () => {
    const listed = await fetch(`${service.url}/v1/sessions/s1/turns`, { headers: ada });
    return ((await listed.json()) as { turns: TurnView[] }).turns;
  };
  const keyOf = async (owner: string, roles: string[]): Promise<string> => {
    const made = await service.post('/v1/keys', { owner, roles }, { authorization: `Bearer ${OPS}` });
    return ((await made.json()) as { key: string }).key;
  };
  /** An approver's MCP host, and the data or text of a call. */
  const host = async (key: string) => {
    const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
    onTestFinished(() => client.close());
    return async (name: string, args: Record<string, unknown> = {}) => {
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: args });
      return isError === true ? (content as { text: string }[])[0]!.text : structuredContent;
    };
  };
  return { ran, id: approval!.id, turns, keyOf, host };
};

it('an approver at an MCP host is shown the actions that wait for them, and decides one', async () => {
  const { ran, id, turns, keyOf, host } = await refunding();
  const fay = await host(await keyOf('fay', ['finance']));
  const card: Partial<ApprovalCard> = {
    id,
    tool: 'refund',
    input: '{"euros":50}',
    summary: 'Refund 50 €',
    owner: 'ada',
  };
  expect(await fay('approvals')).toMatchObject({ approvals: [card], more: false });
  expect(await fay('decide', { approval: id, decision: 'edit', input: '{"euros":"x"}' })).toContain('euros');
  expect(await fay('decide', { approval: id, decision: 'edit' })).toContain("'input'");
  expect(await fay('decide', { approval: id, decision: 'approve', reason: 'fine' })).toEqual({
    approval: id,
    decision: 'approve',
  });
  await expect.poll(() => ran).toEqual([50]);
  const by: By = { owner: 'fay', key_id: expect.any(String), via: 'mcp' };
  expect((await turns())[0]).toMatchObject({ decision: { type: 'approve', reason: 'fine' }, by });
  expect(await fay('approvals')).toEqual({ approvals: [], more: false });
  expect(await fay('decide', { approval: id, decision: 'reject' })).toContain('is closed');
  expect(ran).toEqual([50]);
});

it('an MCP host of nobody who may decide sees no action, and its decision is refused', async () => {
  const { ran, id, keyOf, host } = await refunding();
  for (const other of [await host(ADA), await host(await keyOf('bob', ['sales'])), await host(OPS)]) {
    expect(await other('approvals')).toEqual({ approvals: [], more: false });
    expect(await other('decide', { approval: id, decision: 'approve' })).toContain('no approver');
    expect(await other('decide', { approval: ID, decision: 'approve' })).toContain('no approval');
  }
  expect(ran).toEqual([]);
});
