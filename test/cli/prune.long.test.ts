import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { cli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';
import { offlineTurns } from '../support/service/offline-turns.ts';

const DAY_MS = 86_400_000;

/** A folder with the sessions `old`, `waits` and `new`; all but the last were used 100 days ago. */
const aged = async (): Promise<string> => {
  const cwd = temporaryFolder();
  const inputs = { old: 'Add milk to my todos', waits: 'Schedule a meeting with Anna', new: 'Add bread to my todos' };
  await offlineTurns(join(cwd, 'data'), inputs);
  const db = new Database(join(cwd, 'data', 'tripact.db'));
  const then = Date.now() - 100 * DAY_MS;
  db.prepare("UPDATE sessions SET updated_at = ? WHERE session_id <> 'new'").run(then);
  db.prepare("UPDATE entries SET at = ? WHERE session IN (SELECT id FROM sessions WHERE session_id <> 'new')").run(
    then,
  );
  db.close();
  return cwd;
};

const sessionsIn = (cwd: string): unknown[] => {
  const db = new Database(join(cwd, 'data', 'tripact.db'), { readonly: true });
  const names = db.prepare('SELECT session_id FROM sessions ORDER BY id').pluck().all();
  db.close();
  return names;
};

describe('prune', () => {
  it('only lists in a dry run, also beside a service, which a real one leaves alone', async () => {
    const cwd = await aged();
    await startServe({ cwd });
    const dry = await cli(['prune', '--dry-run'], { cwd, env: { TRIPACT_RETENTION_DAYS: '90' } });
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^local old /),
      stderr: 'Sessions that would be removed: 1\n',
    });
    const real = await cli(['prune', '--older-than', '90d'], { cwd });
    expect(real).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/stop it first, or set TRIPACT_RETENTION_DAYS/),
    });
    expect(sessionsIn(cwd)).toEqual(['old', 'waits', 'new']);
  });

  it.each([[['--older-than', '0d']], [['--older-than', 'soon']], [['--older-than', '90']], [[]]])(
    'refuses %j as an age',
    async (words) => {
      const refused = await cli(['prune', ...words], { cwd: temporaryFolder() });
      expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('90d') });
    },
  );
});
