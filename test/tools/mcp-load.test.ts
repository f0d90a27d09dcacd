import { expect, it, vi } from 'vitest';
import { serveSample } from '../support/mcp/http-server.ts';
import { connectSamples } from '../support/mcp/setup.ts';

const loads = vi.hoisted(() => ({ count: 0 }));

vi.mock('../../src/paced-connector.ts', async (original) => {
  loads.count += 1;
  if (loads.count === 1) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  return original();
});

it('a server is connected to where what connects could not be loaded for a moment', async () => {
  const sample = await serveSample();
  const mcp = await connectSamples({ web: { url: sample.url } }, { backoff: { firstMs: 5, factor: 1 } });
  await mcp.seen.saw('connected to the MCP server');
  expect(await mcp.run('web_echo', 'on')).toEqual({ ok: true, result: 'you said on' });
  expect(loads.count).toBe(2);
});
