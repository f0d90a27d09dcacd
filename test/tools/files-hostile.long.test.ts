import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { openFiles } from '../support/tools/files-call.ts';

const CHANGES = ['write', 'append', 'delete'];
const quoted = (path: string): string => `"${path.replaceAll('"', '\\"')}"`;

describe('a path', () => {
  it.each([
    '/etc/passwd',
    '..',
    'notes/../../s2/secret.txt',
    'C:\\Windows',
    '..\\s2\\secret.txt',
    'nul\u0000.txt',
    'line\nend.txt',
    'rtl\u202egpj.exe',
    'lone\ud800.txt',
    Array.from({ length: 16 }, () => 'd'.repeat(100)).join('/'),
    '.files.new',
    '.files.applied.json',
  ])('is refused: %j', async (path) => {
    const { run, workspace } = openFiles();
    for (const command of ['read', ...CHANGES]) {
      const { ok, result } = await run(
        JSON.stringify({ command, path, ...(/write|append/.test(command) && { text: 'x' }) }),
      );
      expect(ok).toBe(false);
      expect(result).toContain('is not a valid path');
    }
    expect(readdirSync(workspace)).toEqual([]);
  });

  it.each(['今天.md', 'e\u0301.txt', 'a b c.txt', "it's.txt", '-rf', '~', '$HOME', '%2e%2e', '🫖.txt'])(
    'may be %j',
    async (path) => {
      const { run, at } = openFiles();
      expect(await run(`write ${quoted(path)} text`)).toMatchObject({ ok: true });
      expect(readFileSync(at(path), 'utf8')).toBe('text');
      expect(await run(`read ${quoted(path)}`)).toEqual({ ok: true, result: 'text' });
    },
  );

  it('of any form never leads out of the folder', async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    const { run, at, workspace } = openFiles();
    symlinkSync(outside, at('out'));
    symlinkSync(join(outside, 'secret.txt'), at('link.txt'));
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'out',
      'link.txt',
      'secret.txt',
      'a',
      '\\',
      '\u0000',
      '/',
      '~',
      '%2e%2e',
      outside,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('read', 'list', 'write', 'append', 'replace', 'delete'),
        async (parts, command) => {
          const path = parts.join('/');
          const more = { write: { text: 'x' }, append: { text: 'x' }, replace: { old: 'secret', new: 'x' } };
          const { result } = await run(JSON.stringify({ command, path, ...more[command as 'write'] }));
          expect(result).not.toMatch(/^secret$/m);
          expect(readdirSync(outside)).toEqual(['secret.txt']);
          expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
        },
      ),
      { numRuns: 100 },
    );
    expect(existsSync(workspace)).toBe(true);
  });
});
