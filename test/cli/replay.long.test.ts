import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { MACHINE } from '../../machines/task-machine.ts';
import { cli, temporaryFolder } from '../support/cli/cli-process.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const golden = join(root, 'test/traces/two-items-with-tools.jsonl');
const closedWorld = join(root, 'test/support/cli/forbid-io.ts');
const entries = readFileSync(golden, 'utf8').trimEnd().split('\n').length;

const tampered = (): string => {
  const file = join(temporaryFolder(), 'tampered.jsonl');
  writeFileSync(file, readFileSync(golden, 'utf8').replace('"state":"acting"', '"state":"thinking"'));
  return file;
};

it('says ok and how many entries', async () => {
  expect(await cli(['replay', golden])).toMatchObject({
    code: 0,
    stdout: `ok ${entries} entries, none with a chain\n`,
    stderr: '',
  });
});

it('with a folder of skills names those that have changed since the trace was made', async () => {
  const skills = temporaryFolder();
  mkdirSync(join(skills, 'refunds'));
  writeFileSync(join(skills, 'refunds/SKILL.md'), '---\nname: refunds\ndescription: How refunds are made\n---\nAsk.');
  const trace = join(temporaryFolder(), 'trace.jsonl');
  const [first = '', ...others] = readFileSync(golden, 'utf8').split('\n');
  const opened = JSON.parse(first);
  opened.event.skills = { refunds: '0'.repeat(64) };
  writeFileSync(trace, [JSON.stringify(opened), ...others].join('\n'));
  expect((await cli(['replay', trace, '--skills', skills])).stdout).toBe(
    `ok ${entries} entries, none with a chain; these skills have changed since: refunds\n`,
  );
  const missing = await cli(['replay', trace, '--skills', join(skills, 'none')]);
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be read (ENOENT)') });
});

it('names the first difference, and continues with the other files', async () => {
  const file = tampered();
  const { code, stdout, stderr } = await cli(['replay', file, golden]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: `${golden}: ok ${entries} entries, none with a chain\n` });
  expect(stderr).toBe(
    `${file}: seq 3: state: expected "acting", actual "thinking" (made by tripact-task@3, folded by ${MACHINE})\n`,
  );
});

it.each([
  { what: 'no trace', input: 'hello\n', says: 'Line 1 of the trace is not readable' },
  { what: 'nothing', input: '', says: 'The trace has no entry' },
])('refuses $what without a stack', async ({ input, says }) => {
  const { code, stderr } = await cli(['replay', '-'], { input });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(says) });
  expect(stderr).not.toMatch(/^\s+at /m);
});

it('answers a file of log lines in two lines', async () => {
  const { code, stderr } = await cli(['replay', '-'], { input: '{"level":30,"msg":"x"}\n' });
  const [fault, hint, ...more] = stderr.split('\n');
  expect(code).toBe(1);
  expect(fault).toMatch(/^standard input: Entry 1 of the trace is not readable: v: /);
  expect(hint).toBe('Write a readable trace by: tripact trace <id> --format json');
  expect(more).toEqual(['']);
});

it('says that a file is not there', async () => {
  expect(await cli(['replay', 'nowhere.jsonl'])).toMatchObject({
    code: 1,
    stderr: 'nowhere.jsonl: there is no such file\n',
  });
});

it('loads no model, tool, store or server, opens no socket, and writes, starts and binds nothing', async () => {
  // Without permission for them, Node itself refuses to write files, start processes and load native code.
  const node = ['--permission', '--allow-fs-read=*', '--import', closedWorld];
  expect(await cli(['replay', golden], { node })).toMatchObject({
    code: 0,
    stdout: `ok ${entries} entries, none with a chain\n`,
  });
});

it('that guard would notice', async () => {
  const { code, stderr } = await cli(['run', 'hello'], { node: ['--import', closedWorld] });
  expect({ code, stderr }).toEqual({ code: 99, stderr: expect.stringMatching(/^forbidden: /) });
});
