import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startCli, temporaryFolder } from '../support/cli/cli-process.ts';

describe('a start with a file that is wrong', () => {
  it.each([
    {
      text: 'const a = 1;\nconst b: = 2;\nexport default {};',
      says: 'tripact.config.ts:2 could not be loaded: Unexpected token',
    },
    { text: '\n\nthrow new Error("no luck");', says: 'tripact.config.ts:3 could not be loaded: no luck' },
    {
      text: 'import "no-such-package";\nexport default {};',
      says: "  tripact.config.ts could not be loaded: Cannot find package 'no-such-package'",
    },
    { text: 'import "./other.ts";\nexport default {};', says: 'other.ts:2 could not be loaded: no luck' },
    {
      text: `import { defineTool } from 'tripact';
        import { z } from 'zod';
        const todo = defineTool({ name: 'todo', description: 'd', input: z.string(), run: () => 1 });
        export default { tools: [todo] };`,
      says: 'Two tools have the same name "todo": one is built in, one is from tripact.config.ts. Rename one.',
    },
  ])('says where: $says', async ({ text, says }) => {
    const cwd = temporaryFolder();
    await writeFile(join(cwd, 'tripact.config.ts'), text);
    await writeFile(join(cwd, 'other.ts'), '// A comment.\nthrow new Error("no luck");');
    const { code, stderr } = await startCli(['tools'], { cwd }).ended;
    expect(code).toBe(2);
    expect(stderr).toContain(says);
  });
});
