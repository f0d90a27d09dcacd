import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';

const say = async (url: string, session: string, input: string): Promise<{ status: string; output: string }> => {
  const response = await fetch(`${url}/v1/sessions/${session}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input }),
  });
  return (await response.json()) as { status: string; output: string };
};

describe('backup and restore', () => {
  it('take a task that waits from a service that is busy to another folder, where it continues', async () => {
    const cwd = temporaryFolder();
    const { url } = await startServe({ cwd });
    expect(await say(url, 'me', 'Schedule a meeting with Anna')).toMatchObject({ status: 'asking' });
    const goOn = new AbortController();
    const keepWriting = async (): Promise<void> => {
      for (let i = 0; !goOn.signal.aborted; i += 1) await say(url, `busy-${i % 5}`, `Add thing ${i} to my todos`);
    };
    const writing = keepWriting();
    const backup = await cli(['backup', 'safe.db'], { cwd });
    goOn.abort();
    await writing;
    expect(backup).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Backed up into safe.db, and checked \(sessions: \d+, tasks: \d+\)$/m),
    });
    expect(backup.stderr).toContain('workspace');
    expect(statSync(join(cwd, 'safe.db')).mode & 0o777).toBe(0o600);

    const restored = await cli(['restore', 'safe.db', '--data-dir', 'elsewhere'], { cwd });
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Restored into'), stderr: '' });
    const env = { TRIPACT_MODEL: 'offline' };
    const run = await cli(['run', 'tomorrow at 10am', '--session', 'me', '--data-dir', 'elsewhere'], { cwd, env });
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('Anna') });
    expect(await say(url, 'me', '/status')).toMatchObject({ output: expect.stringContaining('awaiting_user') });
  });

  it('refuse what would be lost: a file that is there, a database that is there, a folder in use', async () => {
    const cwd = temporaryFolder();
    const serve = await startServe({ cwd });
    await say(serve.url, 'me', 'Add milk to my todos');
    expect(await cli(['backup', 'safe.db'], { cwd })).toMatchObject({ code: 0 });
    expect(await cli(['backup', 'safe.db'], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('never overwrites'),
    });
    expect(await cli(['restore', 'safe.db', '--force'], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Another process'),
    });
    serve.child.kill('SIGTERM');
    await serve.ended;
    expect(await cli(['restore', 'safe.db'], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--force'),
    });
    const forced = await cli(['restore', 'safe.db', '--force'], { cwd });
    expect(forced).toMatchObject({ code: 0, stderr: expect.stringContaining('is kept as') });
    expect(existsSync(/kept as (.+)\n/.exec(forced.stderr)?.[1] ?? '')).toBe(true);
  });
});
