import { statSync } from 'node:fs';
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
});
