import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { cli } from '../support/cli/cli-process.ts';

const DEMO = fileURLToPath(new URL('../../examples/demo.ts', import.meta.url));

it('the demo tells its story to the end, whatever is configured, and leaves nothing behind', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'tripact-demo-test-'));
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
  const env = {
    TMPDIR: temporary,
    ANTHROPIC_API_KEY: 'sk-never-used',
    TRIPACT_MAX_STEPS: '1',
    TRIPACT_API_KEYS: 'bad',
  };
  const { code, stdout, stderr } = await cli([], { main: DEMO, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.match(/^[1-9]\. /gm)).toHaveLength(9);
  expect(stdout.match(/✓ all \d+ entries/g)).toHaveLength(2);
  const [, url = ''] = /it is back, at (\S+)/.exec(stdout) ?? [];
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  // The user's locks of data paths stay in a folder of their own: removing one would let two processes have the same path.
  expect(readdirSync(temporary).filter((name) => name !== `tripact-${process.getuid?.()}`)).toEqual([]);
});
