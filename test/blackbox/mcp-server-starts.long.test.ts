import { expect, it } from 'vitest';
import type { McpServerView, ToolView } from '../../contracts/http.ts';
import { sampleProgram } from '../support/mcp/setup.ts';
import { act, answer, done, plan, startService } from '../support/service/service.ts';

interface Listed {
  tools: ToolView[];
  servers: McpServerView[];
}

it('an MCP server that comes late is there for new tasks, and one that can not be started says why', async () => {
  const service = await startService(
    [plan('Echo it'), act('box_echo', '{"text": "hello"}'), done('echoed'), answer('Echoed.')],
    {},
    { file: { mcpServers: { box: sampleProgram(), none: { command: '/no/such/program' } } } },
  );
  await expect
    .poll(async () => (await service.get<Listed>('/v1/tools')).servers)
    .toEqual([
      { name: 'box', state: 'connected', reason: null },
      { name: 'none', state: 'failed', reason: expect.stringContaining('ENOENT') },
    ]);
  const { tools } = await service.get<Listed>('/v1/tools');
  expect(tools.find(({ name }) => name === 'box_echo')).toMatchObject({ source: 'mcp', server: 'box' });
  expect(await service.say('s1', 'Echo')).toMatchObject({ status: 'answered', task: { successful_steps: 1 } });
});
