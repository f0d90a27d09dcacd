import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Far above what a process takes to start, in milliseconds. */
const RUN_MS_MAX = 20_000;

it.skipIf(!existsSync('/bin/bash'))(
  'a command that can not be started for want of file descriptors has failed, and ends nothing',
  () => {
    const verifiers = new URL('../../src/verify/verifiers.ts', import.meta.url).href;
    const program = `
    const { openSync, closeSync } = await import('node:fs');
    const { createVerifiers } = await import(${JSON.stringify(verifiers)});
    const [verify] = createVerifiers([['true']], 5_000);
    const check = { session_id: 's1', task_id: 't', workspace: '/', language: 'en', signal: new AbortController().signal };
    const open = [];
    try { for (;;) open.push(openSync('/dev/null')); } catch {}
    const failed = await verify(check);
    open.forEach((descriptor) => closeSync(descriptor));
    console.log(JSON.stringify([failed, await verify(check)]));`;
    const { stdout, stderr } = spawnSync(
      '/bin/bash',
      ['-c', 'ulimit -n 64 && exec "$0" --input-type=module -e "$1"', process.execPath, program],
      { timeout: RUN_MS_MAX, encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([
      { ok: false, output: expect.stringContaining('EMFILE') },
      { ok: true, output: expect.stringContaining('$ true') },
    ]);
  },
);
