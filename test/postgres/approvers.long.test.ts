import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import type { ApprovalCard } from '../../contracts/http.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { finished, read, say } from '../support/postgres/client.ts';
import { type Node, startCluster } from '../support/postgres/cluster.ts';
import { act, answer, done, plan } from '../support/service/answers.ts';

const CONFIG = `export default { approvals: [{ tools: 'todo', approval: true, approvers: ['owner:bob'] }] };`;

it.each(['HTTP', 'MCP'])(
  'an approver decides by %s at their own home about a task that another node serves',
  async (way) => {
    const cluster = await startCluster(2, ['ada', 'bob'], {}, CONFIG);
    const [first, second] = cluster.nodes as [Node, Node];
    cluster.model.answer({
      plan: plan('Buy'),
      thought: [act('todo', 'add milk'), done('bought')],
      replan: answer('Bought.'),
    });
    const asking = await read<TurnView>(await say(cluster, first, 'ada', 'Buy milk'));
    expect(asking.status).toBe('asking');
    // Bob's first request makes the second node his home.
    expect((await cluster.ask(second, 'bob', '/v1/sessions')).status).toBe(200);
    const { approvals } = await read<{ approvals: ApprovalCard[] }>(await cluster.ask(second, 'bob', '/v1/approvals'));
    expect(approvals).toMatchObject([{ tool: 'todo', input: 'add milk', owner: 'ada' }]);
    const { id } = approvals[0]!;
    expect((await cluster.homeAndOther('ada'))[0]).toBe(first);
    expect((await cluster.homeAndOther('bob'))[0]).toBe(second);

    if (way === 'HTTP') {
      const body = JSON.stringify({ type: 'approve' });
      const sent = await cluster.ask(second, 'bob', `/v1/approvals/${id}/decision`, { method: 'POST', body });
      expect(sent.status).toBe(204);
    } else {
      const client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      const fetchAsBob: typeof fetch = (url, init = {}) => {
        const { pathname } = new URL(String(url));
        return cluster.ask(second, 'bob', pathname, {
          ...init,
          headers: Object.fromEntries(new Headers(init.headers)),
        });
      };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${second.url}/mcp`), { fetch: fetchAsBob }));
      onTestFinished(() => client.close());
      const decide = async () => {
        // On a busy machine a node may lose its lease for a moment; it says so, and a host asks again.
        for (;;) {
          const result = await client.callTool({ name: 'decide', arguments: { approval: id, decision: 'approve' } });
          if (!JSON.stringify(result.content).includes('try again')) return result;
        }
      };
      expect(await decide()).toMatchObject({ structuredContent: { approval: id, decision: 'approve' } });
      expect(await decide()).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('is closed') }],
      });
    }
    const { turns } = await read<{ turns: TurnView[] }>(await cluster.ask(second, 'ada', '/v1/sessions/s1/turns'));
    const by = { owner: 'bob', via: way === 'HTTP' ? 'http' : 'mcp' };
    expect(turns[0]).toMatchObject({ decision: { type: 'approve' }, by });
    expect(await finished(cluster, second, 'ada', turns[0]!.id)).toMatchObject({ output: 'Bought.' });
  },
);
