import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkConfigFile, loadConfigFile, withFileSettings } from '../../src/app/config-file.ts';
import type { TripactConfig } from '../../src/app/define-config.ts';
import { loadConfig } from '../../src/config/config.ts';

describe('tripact.config.ts', () => {
  const folderWith = async (text: string | null): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'tripact-config-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    if (text !== null) await writeFile(join(folder, 'tripact.config.ts'), text);
    return folder;
  };

  it('may be missing', async () => {
    expect(await loadConfigFile(await folderWith(null))).toEqual({});
  });

  it('brings tools, executors, verifiers and servers', async () => {
    const config = await loadConfigFile(
      await folderWith(`
        const words: string = 'Counts';
        export default {
          settings: { TRIPACT_MAX_STEPS: 9 },
          tools: [{ name: 'count', description: words, usage: 'count <text>', writes: false, effect: 'idempotent',
            run: async (input: string) => ({ ok: true, result: String(input.length) }) }],
          executors: [{ name: 'researcher', description: 'Reads', tools: ['internet_search'], prompt: 'Cite.' }],
          verify: [['npm', 'test'], async () => ({ ok: true, output: '' })],
          mcpServers: { files: { command: 'files', args: ['.'], approval: ['write'] }, far: { url: 'https://example.com/mcp' } },
        };`),
    );
    expect(config.executors).toHaveLength(1);
    expect(config.mcpServers).toHaveProperty('far.url', 'https://example.com/mcp');
    expect(config.verify?.[0]).toEqual(['npm', 'test']);
    const tool = config.tools?.[0];
    expect(await tool?.run('four', {} as never)).toEqual({ ok: true, result: '4' });
    expect(loadConfig(withFileSettings({}, config)).limits.max_steps).toBe(9);
  });

  it.each([
    { text: 'export const config = {};', says: 'must export its configuration as default' },
    { text: 'throw new Error("no luck");', says: 'could not be loaded: no luck' },
    { text: 'export default { tool: [] };', says: 'tripact.config.ts: Unrecognized key: "tool"' },
  ])('is refused as $text', async ({ text, says }) => {
    await expect(loadConfigFile(await folderWith(text))).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(says),
    });
  });

  const tool = { name: 'count', description: 'd', usage: 'u', writes: false, effect: 'idempotent', run: () => {} };

  it.each([
    { config: { tools: [{ ...tool, name: 'a b' }] }, says: 'tools › 0 › name' },
    { config: { tools: [{ name: 'count', description: 'd', run: () => {} }] }, says: "use defineTool of 'tripact'" },
    { config: { tools: [{ ...tool, run: 'x' }] }, says: 'tools › 0 › run: must be a function (of "count")' },
    {
      config: { tools: [tool, { ...tool, name: 'Count' }] },
      says: 'tools: two of them have the same name: 0 and 1, "Count"',
    },
    { config: { executors: [{ name: 'x' }] }, says: 'executors › 0 › description' },
    {
      config: { verify: ['npm test'] },
      says: "verify › 0: must be a function, or a command as a list such as ['npm', 'test']",
    },
    {
      config: { mcpServers: { far: { url: 'file:///x' } } },
      says: 'mcpServers › far › url: must be an http or https URL',
    },
    { config: { mcpServers: { 'a b': { command: 'x' } } }, says: 'mcpServers › a b: must match ^[A-Za-z0-9_-]{1,64}$' },
    { config: { mcpServers: { papers: { comand: 'papers' } } }, says: 'mcpServers › papers: must have a "command"' },
    {
      config: { settings: { TRIPACT_MAX_STEP: 3 } },
      says: 'settings: Unrecognized key: "TRIPACT_MAX_STEP"; did you mean "TRIPACT_MAX_STEPS"?',
    },
    {
      config: { executors: [{ name: 'x', description: 'd', promt: 'y' }] },
      says: '"promt"; did you mean "prompt"? (of "x")',
    },
  ])('names the place of what is wrong: $says', ({ config, says }) => {
    expect(() => checkConfigFile(config)).toThrow(says);
  });

  it('is refused in a few lines', () => {
    expect(() => checkConfigFile({ tools: Array.from({ length: 30 }, () => ({})) })).toThrow(/\n {2}and 160 more\.$/);
  });

  it('hands on the very tools that it made', () => {
    const config = { tools: [tool] };
    expect(checkConfigFile(config)).toBe(config);
  });

  it('is overridden by a variable that is set, and not by an empty one', () => {
    const file: TripactConfig = { settings: { TRIPACT_PORT: 1, TRIPACT_CONFIRM_PLAN: true } };
    const env = withFileSettings({ TRIPACT_PORT: '2', TRIPACT_CONFIRM_PLAN: '' }, file);
    expect(loadConfig(env)).toMatchObject({ port: 2, confirmPlan: true });
  });
});

it.each([
  ['any folder', null],
  ['a package of CommonJS, as npm makes them', '{"type":"commonjs"}'],
])('lets a configuration file in %s import the package and zod', async (_, manifest) => {
  const folder = await mkdtemp(join(tmpdir(), 'tripact-config-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  if (manifest !== null) await writeFile(join(folder, 'package.json'), manifest);
  await writeFile(
    join(folder, 'tripact.config.ts'),
    `import { defineConfig, defineTool } from 'tripact';
     import { z } from 'zod';
     const run = async ({ text }: { text: string }) => text.toUpperCase();
     const shout = defineTool({ name: 'shout', description: 'Louder', input: z.object({ text: z.string() }), run });
     export default defineConfig({ tools: [shout] });`,
  );
  // In a process of its own, for here the test runner resolves imports.
  const loader = new URL('../../src/app/config-file.ts', import.meta.url).href;
  const script = `const { loadConfigFile } = await import(${JSON.stringify(loader)});
    console.log((await loadConfigFile(${JSON.stringify(folder)})).tools[0].name);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(stdout).toBe('shout\n');
});
