import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { queueByKey } from '../../src/lib/queue-by-key.ts';
import { type Bridge, bridgeFolders, openBridge } from '../../src/tools/coding-agent/bridge-folder.ts';
import { createInbox } from '../../src/tools/coding-agent/inbox.ts';
import { createLedgers } from '../../src/tools/coding-agent/ledger.ts';
import { sweepReports } from '../../src/tools/coding-agent/sweep.ts';
import { freshDataDir } from '../support/engine/sqlite-engine.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';

/** Longest that one file may hold the event loop, in milliseconds of processor time. */
const BLOCKED_MS_MAX = 50;

/** Far above what a process takes to start, in milliseconds. */
const RUN_MS_MAX = 20_000;

/** A bridge with all its folders, and the lines that are logged. */
const openFolders = () => {
  const root = freshDataDir();
  for (const folder of Object.values(bridgeFolders)) mkdirSync(join(root, folder), { recursive: true });
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  return { root, bridge: openBridge(root), log, lines };
};

const sweep = (bridge: Bridge, log: ReturnType<typeof openFolders>['log']): Promise<void> =>
  sweepReports({
    ...{ bridge, log, inbox: createInbox(bridge), ledgers: createLedgers(bridge, log), inTurn: queueByKey() },
    ...{ now: Date.now, service: 'x', tasksMax: 10, timeouts: { settleMs: 0, graceMs: 0 } },
  });

/** Puts a report of nobody into the folder, which has not changed for long. */
const putReport = (root: string, name: string): void => {
  const path = join(root, 'reports/pending', name);
  writeFileSync(path, 'x');
  utimesSync(path, 1, 1);
};

describe('a ledger that another program wrote', () => {
  const ledgerOf = (commands: string): string =>
    `{"task_id":"task_1","language":"en","ended":false,"commands":[${commands}]}`;

  it.each(['0,', '{},', '{"id":0},'])(
    'of nothing but %s counts as none, and holds up nobody',
    MEASURED_AGAIN,
    async (unit) => {
      const { root, bridge, log, lines } = openFolders();
      writeFileSync(join(root, '.tripact/1.json'), ledgerOf(unit.repeat(1_040_000 / unit.length).slice(0, -1)));
      const { find } = createLedgers(bridge, log);
      await find('task_2');
      expect(await longestBlock(() => find('task_1'))).toBeLessThan(BLOCKED_MS_MAX);
      expect(await find('task_1')).toBe(null);
      expect(lines.join('').length).toBeLessThan(10_000);
    },
  );

  it.each([{ report: '../../../etc/passwd' }, { report: '..' }, { report: 'a\0b' }, { id: '/../../../a' }])(
    'with a name that leads out of the folder counts as none: %j',
    async (changed) => {
      const { root, bridge, log } = openFolders();
      const id = '0b6fbc5f-5a1c-5d3c-9d6a-0123456789ab';
      const sent = { id, item_id: null, state: 'timed_out', session_id: null, report: 'report.md' };
      const { find } = createLedgers(bridge, log);
      const put = (command: object) => writeFileSync(join(root, '.tripact/1.json'), ledgerOf(JSON.stringify(command)));
      put(sent);
      expect(await find('task_1')).toMatchObject({ commands: [sent] });
      put({ ...sent, ...changed });
      expect(await find('task_1')).toBe(null);
    },
  );
});

describe('a report of nobody', () => {
  it('whose name is taken where it goes, and too long for a number, gets another one', async () => {
    const { root, bridge, log } = openFolders();
    for (const name of [`${'a'.repeat(252)}.md`, 'a'.repeat(255), `${'好'.repeat(84)}.md`]) {
      writeFileSync(join(root, 'reports/unknown', name), '');
      putReport(root, name);
    }
    await sweep(bridge, log);
    expect(readdirSync(join(root, 'reports/pending'))).toEqual([]);
    expect(readdirSync(join(root, 'reports/unknown'))).toHaveLength(6);
  });

  it('that can not be moved stays, is logged, and keeps no other from being moved', async () => {
    const { root, bridge, log, lines } = openFolders();
    for (const name of ['a.md', 'b.md', 'c.md']) putReport(root, name);
    const move: Bridge['move'] = async (name, from, to) => {
      if (name === 'b.md') throw Object.assign(new Error('permission denied'), { code: 'EACCES' });
      await bridge.move(name, from, to);
    };
    await sweep({ ...bridge, move }, log);
    expect(readdirSync(join(root, 'reports/pending'))).toEqual(['b.md']);
    expect(lines.filter((line) => line.includes('can not be moved'))).toHaveLength(1);
  });

  it.skipIf(!existsSync('/proc/self'))(
    'that another user alone may read belongs to no command, and fails no search',
    () => {
      const { root } = openFolders();
      putReport(root, 'secret.md');
      chmodSync(join(root, 'reports/pending/secret.md'), 0);
      chmodSync(root, 0o755);
      const [bridge, inbox] = ['bridge-folder', 'inbox'].map(
        (name) => new URL(`../../src/tools/coding-agent/${name}.ts`, import.meta.url).href,
      );
      const program = `const { openBridge } = await import(${JSON.stringify(bridge)});
      const { createInbox } = await import(${JSON.stringify(inbox)});
      if (process.getuid() === 0) process.setuid(65534);
      console.log(JSON.stringify(await createInbox(openBridge(${JSON.stringify(root)})).list()));`;
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
        timeout: RUN_MS_MAX,
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toMatchObject([{ name: 'secret.md', id: null }]);
    },
  );
});
