import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FILE_BYTES_MAX } from '../../contracts/limits.ts';
import { openFiles } from '../support/tools/files-call.ts';

const MIB = 1024 * 1024;

describe('the files tool', () => {
  it('writes, reads, appends, replaces, lists and deletes', async () => {
    const { run, at } = openFiles();
    expect(await run('/files write notes/today.md # Today\n\n- tea')).toEqual({
      ok: true,
      result: 'Wrote notes/today.md: it has 14 bytes.',
    });
    expect(await run('files append notes/today.md - rice')).toMatchObject({ ok: true });
    expect(await run('append ./notes/today.md "- salt \\"fine\\""')).toMatchObject({ ok: true });
    expect(await run('replace notes/today.md "- tea" "- green tea"')).toMatchObject({ ok: true });
    const text = '# Today\n\n- green tea\n- rice\n- salt "fine"';
    expect(readFileSync(at('notes/today.md'), 'utf8')).toBe(text);
    expect(await run('read notes/today.md')).toEqual({ ok: true, result: text });
    expect((await run('list')).result).toMatch(/^Files: 1, 41 bytes in all\nnotes\/today\.md {2}41 bytes {2}\d{4}-/);
    expect(await run('delete notes/today.md')).toEqual({ ok: true, result: 'Deleted notes/today.md.' });
    expect(await run('list')).toEqual({ ok: true, result: 'There are no files.' });
    expect(existsSync(at('notes'))).toBe(false);
  });

  it.each([
    ['write a.txt "quoted"', 'quoted'],
    ['write a.txt "a" and "b"', '"a" and "b"'],
    ['write a.txt\n  two\n  lines\n', '  two\n  lines\n'],
    ['write a.txt “中文”', '中文'],
    ['{"command": "write", "path": "a.txt", "text": "say \\"hi\\"\\n"}', 'say "hi"\n'],
    ['files {"command": "write", "path": "a.txt", "text": ""}', ''],
  ])('takes the text of %j as %j', async (input, text) => {
    const { run, at } = openFiles();
    expect(await run(input)).toMatchObject({ ok: true });
    expect(readFileSync(at('a.txt'), 'utf8')).toBe(text);
  });

  it.each([
    ['', 'The subcommand is missing.'],
    ['rename a b', 'Unknown command /files rename.'],
    ['read a.txt --line 0', '--line must be a whole number from 1'],
    ['replace a.txt "old"', 'new is missing.'],
    ['replace a.txt "say "hi" now" "x"', 'Unexpected argument'],
    ['{"command": "write", "path": "a.txt"', 'This is not valid JSON.'],
    ['{"command": "write", "path": "a.txt"}', 'text is missing.'],
  ])('answers %j with what is wrong and the usage', async (input, says) => {
    const { run, workspace } = openFiles();
    const { ok, result } = await run(input);
    expect(ok).toBe(false);
    expect(result).toContain(says);
    expect(result).toContain('Usage: /files ');
    expect(readdirSync(workspace)).toEqual([]);
  });

  it('replaces a passage only where it stands once', async () => {
    const { run } = openFiles();
    await run('write a.txt tea and tea');
    expect(await run('replace a.txt tea rice')).toMatchObject({
      ok: false,
      result: expect.stringContaining('a.txt has this passage more than once'),
    });
    expect(await run('replace a.txt salt rice')).toMatchObject({
      ok: false,
      result: expect.stringContaining('does not have this passage'),
    });
    expect(await run('replace b.txt salt rice')).toEqual({ ok: false, result: 'There is no b.txt.' });
    expect(await run('read a.txt')).toEqual({ ok: true, result: 'tea and tea' });
  });

  it('reads a long file in parts, each with the command for the next', async () => {
    const { run, at } = openFiles();
    const lines = Array.from({ length: 3_000 }, (_, n) => `line ${n + 1}`);
    writeFileSync(at('long.txt'), `${lines.join('\n')}\n`);
    const read: string[] = [];
    for (let input: string | undefined = 'read long.txt'; input !== undefined; ) {
      const { ok, result } = await run(input);
      expect(ok).toBe(true);
      expect(result.length).toBeLessThan(10_000);
      read.push(...result.split('\n').filter((line) => line.startsWith('line ')));
      input = /\/files (read long\.txt --line \d+)\)$/.exec(result)?.[1];
    }
    expect(read).toEqual(lines);
    expect((await run('read long.txt --line 3001')).result).toContain('has no line 3001: it has 3000');
  });

  it('cuts a line that is longer than an answer, and a file that is larger than may be read', async () => {
    const { run, at } = openFiles();
    writeFileSync(at('one-line.json'), `{"a": "${'x'.repeat(50_000)}"}`);
    expect((await run('read one-line.json')).result).toContain('[cut, 50009 characters in all]');
    writeFileSync(at('large.txt'), '好\n'.repeat(MIB));
    const { ok, result } = await run('read large.txt');
    expect(ok).toBe(true);
    expect(result).toContain(`large.txt has ${4 * MIB} bytes; only its beginning can be read`);
  });

  it('lists by page', async () => {
    const { run, at } = openFiles();
    for (let n = 100; n < 220; n += 1) writeFileSync(at(`${n}.txt`), '');
    const first = await run('list');
    expect(first.result.split('\n')).toHaveLength(52);
    expect(first.result).toContain('(page 1 of 3; for the next one: --page 2)');
    expect((await run('list --page 3')).result.match(/^\d+\.txt/gm)).toHaveLength(20);
    expect((await run('list --page 4')).result).toBe('There is no page 4: the list has 3.');
  });

  it('reads no binary file, and writes and deletes any', async () => {
    const { run, at } = openFiles();
    writeFileSync(at('a.png'), Buffer.from([0x89, 0x50, 0, 1]));
    writeFileSync(at('b.txt'), Buffer.from([0xff, 0xfe, 0x41]));
    expect(await run('read a.png')).toEqual({ ok: false, result: 'a.png is not a text file.' });
    expect(await run('append b.txt x')).toEqual({ ok: false, result: 'b.txt is not a text file.' });
    expect(await run('write a.png text')).toMatchObject({ ok: true });
    expect(await run('delete b.txt')).toMatchObject({ ok: true });
  });

  it('keeps a file and a session within their limits', async () => {
    const { run, at } = openFiles({ bytes: 2 * MIB, files: 4 });
    writeFileSync(at('full.txt'), 'x'.repeat(FILE_BYTES_MAX));
    expect((await run('append full.txt y')).result).toContain(`larger than ${FILE_BYTES_MAX} bytes`);
    writeFileSync(at('other.txt'), 'x'.repeat(FILE_BYTES_MAX - 5));
    expect(await run('write a/small.txt four')).toMatchObject({ ok: true });
    expect((await run('write a/b/c/more.txt four')).result).toContain('reached their size limit');
    expect(readdirSync(at('a'))).toEqual(['small.txt']);
    await run('write a/small.txt ""');
    expect(await run('write fourth.txt four')).toMatchObject({ ok: true });
    expect((await run('write fifth.txt ""')).result).toContain('its limit of files');
    writeFileSync(at('full.txt'), 'x'.repeat(FILE_BYTES_MAX + 1));
    expect((await run('append full.txt y')).result).toContain('larger than');
    expect(await run('delete full.txt')).toMatchObject({ ok: true });
  });

  it('reads the files of the service and never changes them', async () => {
    const { run, at } = openFiles();
    writeFileSync(at('plan.json'), '{}');
    expect(await run('read plan.json')).toEqual({ ok: true, result: '{}' });
    for (const path of ['plan.json', 'PLAN.json', 'MISSION.md', 'plan.task_1.json', 'mission.md/x'])
      for (const input of [`write ${path} x`, `append ${path} x`, `delete ${path}`])
        expect(await run(input)).toMatchObject({
          ok: false,
          result: expect.stringContaining('written by the service'),
        });
    expect(readFileSync(at('plan.json'), 'utf8')).toBe('{}');
    expect(await run('write notes/plan.json x')).toMatchObject({ ok: true });
  });
});

describe('a change that is asked for again under its effect', () => {
  it.each(['append a.txt more', 'replace a.txt tea "tea tea"', 'write a.txt new', 'delete a.txt'])(
    'is made once: %s',
    async (input) => {
      const { run, at } = openFiles();
      await run('write a.txt tea');
      const again = { effect_id: 'task_1.again' };
      const first = await run(input, again);
      const read = (): string | null => (existsSync(at('a.txt')) ? readFileSync(at('a.txt'), 'utf8') : null);
      const after = read();
      expect(first.ok).toBe(true);
      expect(after).not.toBe('tea');
      expect(await run(input, again)).toEqual(first);
      expect(read()).toBe(after);
    },
  );

  it('is made one after the other by calls at once', async () => {
    const { run } = openFiles();
    await Promise.all(Array.from({ length: 20 }, (_, n) => run(`append a.txt ${n}`)));
    expect((await run('read a.txt')).result.split('\n')).toHaveLength(20);
  });
});
