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

describe('tripact tool', () => {
  it('calls a tool of any kind once, without a model that works and without a service', async () => {
    const cwd = folderWithConfig();
    const env = { TRIPACT_MODEL: 'anthropic:some-model' };
    const run = async (...words: string[]) => {
      const { code, stdout, stderr } = await startCli(['tool', ...words], { cwd, env }).ended;
      return { code, stdout, stderr };
    };
    expect(await run('shout', 'hello', 'there')).toMatchObject({ code: 0, stdout: 'HELLO THERE\n' });
    expect(await run('todo', 'add', 'milk', '--priority', '2')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Added #1 milk/),
    });
    expect((await run('todo', 'list')).stdout).toContain('#1 milk');
    expect(await run('files', 'write notes.md "# Tea"')).toMatchObject({ code: 0 });
    expect(await run('files', 'read', 'notes.md')).toMatchObject({ code: 0, stdout: '# Tea\n' });
    expect(await run('files', 'read', 'other.md')).toMatchObject({
      code: 1,
      stdout: 'The tool failed: There is no other.md.\n',
    });
    const lists = '"tripact tools" lists all\n';
    expect(await run('nothing', 'x')).toMatchObject({ code: 2, stderr: `There is no tool "nothing"\n${lists}` });
    expect(await run('toodo', 'x')).toMatchObject({
      code: 2,
      stderr: `There is no tool "toodo"; did you mean "todo"?\n${lists}`,
    });
  });
});
