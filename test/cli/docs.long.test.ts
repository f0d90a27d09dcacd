import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cli } from '../support/cli/cli-process.ts';

describe('docs', () => {
  it('searches the pages of the package', async () => {
    const { code, stdout } = await cli(['docs', 'RETENTION', 'days']);
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toBe('docs/operations.md: Running Tripact › Retention');
    const none = await cli(['docs', 'xylophone']);
    expect(none).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('No page has any of: xylophone'),
    });
  });

  it('lists the pages, and prints the one that is named', async () => {
    const { stdout } = await cli(['docs']);
    expect(stdout).toMatch(/^docs\/tools\.md {2}Tools$/m);
    expect((await cli(['docs', 'tools.md'])).stdout).toBe(readFileSync('docs/tools.md', 'utf8'));
  });
});
