import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '../../src/app/config/config.ts';
import { openTools } from '../../src/app/open-tools.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { OutsideTool } from '../../src/tools/port.ts';
import { makeStoreDir } from '../support/engine/empty-store.ts';
import { taskCall } from '../support/mcp/setup.ts';

const WEBHOOK = `whsec_${'ab/c'.repeat(8)}`;
const AWS = 'wJalrXUtnFEMI/K7MDENG';

it.each([
  ['as it is', `${WEBHOOK} ${AWS}`],
  ['as JSON with escaped slashes', JSON.stringify([WEBHOOK, AWS]).replaceAll('/', '\\/')],
  ['in an address', `https://example.com/?a=${encodeURIComponent(WEBHOOK)}&b=${encodeURIComponent(AWS)}`],
])('a secret of the configuration file and one of the environment that a tool says %s are masked', async (_, said) => {
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', AWS);
  onTestFinished(() => void vi.unstubAllEnvs());
  const say = defineTool({
    name: 'say',
    description: 'Says.',
    input: z.string(),
    writes: false,
    run: async () => said,
  });
  const { registry, mcp } = await openTools({
    config: loadConfig({ TRIPACT_DATA_DIR: makeStoreDir(), TRIPACT_LOG_LEVEL: 'silent' }),
    file: { settings: { TRIPACT_WEBHOOK_SECRET: WEBHOOK }, tools: [say] },
  });
  onTestFinished(() => mcp.close());
  const { result } = await (registry.get('say') as OutsideTool).run('x', taskCall());
  expect(result.match(/\[redacted\]/g)).toHaveLength(2);
  expect(result).not.toMatch(/MDENG|ab/);
});
