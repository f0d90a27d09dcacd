import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, temporaryFolder } from '../support/cli/cli-process.ts';
import { offlineTurns } from '../support/service/offline-turns.ts';

const env = { TRIPACT_MODEL: 'offline' };

/** A folder in which the session `me` was asked for a time. */
const waiting = async (): Promise<{ cwd: string; taskId: string }> => {
  const cwd = temporaryFolder();
  const [turn] = await offlineTurns(join(cwd, 'data'), { me: 'Schedule a meeting with Anna' });
  return { cwd, taskId: turn?.task_id ?? '' };
};

describe('fork', () => {
  it('answers the question otherwise in a new session, reports its progress, and leaves the old one waiting', async () => {
    const { cwd, taskId } = await waiting();
    const forked = await cli(['fork', taskId, '--input', 'tomorrow at 10am', '--session', 'what-if'], { cwd, env });
    expect(forked).toMatchObject({ code: 0, stdout: expect.stringContaining('Anna') });
    expect(forked.stderr).toMatch(/^· Forked into session what-if, task task_\w+\n/);
    expect(forked.stderr).toContain('schedule ->');
    const trace = await cli(['trace', 'what-if'], { cwd });
    expect(trace.stdout).toMatch(new RegExp(`^1 session.forked from me ${taskId} at \\d+\n2 task.opened `));
    const json = await cli(['trace', 'what-if', '--format', 'json'], { cwd });
    expect(await cli(['replay', '-'], { input: json.stdout })).toMatchObject({ code: 0 });
    expect((await cli(['trace', 'me'], { cwd })).stdout).toMatch(/\(awaiting_user, step \d+\)\n$/);
  });
});
