import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startCli, temporaryFolder } from '../support/cli/cli-process.ts';

const CONFIG = `
  import { defineConfig, defineTool } from 'tripact';
  import { z } from 'zod';
  const shout = defineTool({ name: 'shout', description: 'Louder.', input: z.string(), run: (text) => text.toUpperCase() });
  export default defineConfig({ tools: [shout], mcpServers: { none: { command: '/no/such/program' } } });
`;

const folderWithConfig = (): string => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'tripact.config.ts'), CONFIG);
  return cwd;
};

describe('tripact tools', () => {
  it('lists every tool with its usage, without a model that works and without a service', async () => {
    const env = { TRIPACT_MODEL: 'anthropic:some-model', TRIPACT_TOOLS: 'todo,files' };
    const { code, stdout, stderr } = await startCli(['tools'], { cwd: folderWithConfig(), env }).ended;
    expect(code).toBe(0);
    expect(stdout.match(/^\w+ — .*$/gm)).toEqual([
      expect.stringMatching(/^todo — .*\(built in\)$/),
      expect.stringMatching(/^files — .*\(built in\)$/),
      'shout — Louder. (from the configuration file)',
    ]);
    expect(stdout).toContain('    /files append <path> <text>');
    expect(stderr).toMatch(/^MCP server none: failed, .*ENOENT/m);
  });
});

it('a start says which configuration file was loaded and which tools and servers there are', async () => {
  const cwd = folderWithConfig();
  const env = { TRIPACT_PORT: '0', TRIPACT_BRIDGE_DIR: 'bridge' };
  const serve = startCli(['serve'], { cwd, env });
  const [, shown] = await serve.says(/tools\s+(\S.*)/);
  expect(shown).toContain('coding_agent, shout, none (MCP server)');
  expect(serve.stdout()).toContain(join(cwd, 'tripact.config.ts'));
  await serve.says(
    /"config_file":".*tripact\.config\.ts".*"executors":\["default","coding_agent"\],"mcp_servers":\["none"\]|config_file/,
  );
  serve.child.kill('SIGTERM');
  expect((await serve.ended).code).toBe(0);
});
