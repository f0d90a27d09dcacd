import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createAdmin } from '../../src/store/sqlite/admin.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { offlineTurns } from '../support/service/offline-turns.ts';

const adminOf = (dataDir: string) => createAdmin({ dataDir, removeFolder: () => expect.unreachable(), now: Date.now });

const exported = async (dataDir: string): Promise<string> => {
  let lines = '';
  for await (const line of adminOf(dataDir).exportOwner('local')) lines += `${line}\n`;
  return lines;
};

const imported = async (dataDir: string, text: string) => adminOf(dataDir).importOwner(Buffer.from(text));

const inputs = {
  s1: 'Add milk to my todos',
  s2: 'Schedule a meeting with Anna',
  s3: '/plan create week --steps "first" "second"',
  s4: '/todo add bread --tag food --due "2031-05-01 18:00" --remind "2031-05-01 09:00"',
  s5: '/schedule add "2031-05-02 18:00" party',
  s6: '/memory add Anna is my sister',
  s7: '/schedule goal "2031-05-03 18:00" tidy up',
};

/** Tables that these inputs leave empty: a table that is in neither list would be left behind. */
const EMPTY = [
  'session_costs',
  'approvals',
  'removed_sessions',
  'outbox',
  'prompt_texts',
  'usage_days',
  'audit_left',
  'access_keys',
  'owner_quotas',
  'sign_ins',
  'remembered_conversations',
];

/** How many rows each table has; those of the process and its database are left out. */
const counts = (dataDir: string): Record<string, unknown> => {
  const db = new Database(`${dataDir}/tripact.db`, { readonly: true });
  const sql =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT IN ('meta', 'audit_versions')";
  const tables = db.prepare(sql).pluck().all() as string[];
  const found = tables.map((table) => [table, db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()]);
  db.close();
  return Object.fromEntries(found);
};

it('all rows of an owner move to a store with other numbers, and are the same when they are exported again', async () => {
  const from = temporaryFolder();
  await offlineTurns(from, inputs);
  const lines = await exported(from);
  const to = temporaryFolder();
  // The numbers there begin elsewhere.
  await offlineTurns(to, { other: 'Add tea to my todos' });
  const db = new Database(`${to}/tripact.db`);
  for (const table of [
    'sessions',
    'tasks',
    'turns',
    'todos',
    'usage_days',
    'tool_days',
    'turn_days',
    'owner_counters',
    'model_calls',
    'prompt_texts',
  ])
    if (db.prepare(`SELECT 1 FROM pragma_table_info('${table}') WHERE name = 'owner'`).get() !== undefined)
      db.prepare(`UPDATE ${table} SET owner = 'bob'`).run();
  db.close();
  const before = counts(to);
  expect(await imported(to, lines)).toMatchObject({ owner: 'local', sessions: 7, tasks: 2 });
  const added = Object.fromEntries(
    Object.entries(counts(to)).map(([table, n]) => [table, Number(n) - Number(before[table])]),
  );
  expect(added).toEqual(counts(from));
  expect(Object.keys(added).filter((table) => added[table] === 0)).toEqual(EMPTY);
  const again = await exported(to);
  const anonymous = (text: string): string => text.replaceAll(/"(id|session|task|plan|system)":\d+/g, '"$1":0');
  expect(again).not.toBe(lines);
  expect(anonymous(again)).toBe(anonymous(lines));
});

it('a file of an older version, which has chains as hex and no tools of sessions, gives the same rows', async () => {
  const from = temporaryFolder();
  await offlineTurns(from, inputs);
  const lines = await exported(from);
  const inHex = (_: string, base64: string): string => `"chain":"${Buffer.from(base64, 'base64').toString('hex')}"`;
  /** Those files have no tables of what was spent. */
  const without = (tables: string, text: string): string => {
    const left = text.trim().split('\n').slice(0, -1);
    const rows = left.filter((line) => !new RegExp(`^\\{"table":"(${tables})"`).test(line));
    return [...rows, JSON.stringify({ rows: rows.length - 1 }), ''].join('\n');
  };
  const older = without('session_tools|session_costs|tool_days', lines)
    .replace('"tripact_owner":4', '"tripact_owner":1')
    .replaceAll(/"chain":\{"base64":"([^"]+)"\}/g, inHex);
  expect(older).not.toContain('"chain":{');
  const to = temporaryFolder();
  await imported(to, older);
  expect(lines).toContain('"table":"session_tools"');
  expect(await exported(to)).toBe(without('tool_days', lines));
});

it('a file that is not whole, was changed or is of a newer version is refused, and nothing is stored', async () => {
  const from = temporaryFolder();
  await offlineTurns(from, inputs);
  const lines = await exported(from);
  const to = temporaryFolder();
  const refused = (text: string) => expect(imported(to, text)).rejects;
  await refused('').toThrow('Line 1: ');
  await refused(lines.slice(0, -3)).toThrow('not a complete export');
  await refused(lines.slice(0, lines.trimEnd().lastIndexOf('\n') + 1)).toThrow('not a complete export');
  await refused(lines.replace(/\n\{"table":"todos"[^\n]*/, '')).toThrow('rows are missing');
  await refused(`${lines}${lines.split('\n')[1]}\n`).toThrow('extra rows');
  await refused(lines.replace('"table":"todos","row":{', '"table":"todos","row":{"extra":1,')).toThrow('todos.extra');
  await refused(lines.replace('"table":"todos"', '"table":"meta"')).toThrow('table');
  await refused(lines.replace('{"table":"entries","row":{"session":', '{"table":"entries","row":{"session":9')).toThrow(
    'session 9',
  );
  await refused(lines.replace('"tripact_owner":4', '"tripact_owner":5')).toThrow('A newer Tripact wrote the file');
  await refused(lines.replace('"machine":4', '"machine":5')).toThrow('A newer Tripact wrote the file');
  expect(Object.values(counts(to)).every((count) => count === 0)).toBe(true);
  await expect(imported(from, lines)).rejects.toThrow('already has data here');
});

it('what a crash cut off is not exported, for only its own service can take it up', async () => {
  const from = temporaryFolder();
  await offlineTurns(from, { s1: 'Schedule a meeting with Anna' });
  const db = new Database(`${from}/tripact.db`);
  db.exec(
    "UPDATE tasks SET state = 'running', begins = 3, begun_effect = 2; UPDATE meta SET value = '0' WHERE key = 'clean_shutdown'",
  );
  await expect(exported(from)).rejects.toThrow('A crash interrupted work of "local"');
  db.exec("UPDATE meta SET value = '1' WHERE key = 'clean_shutdown'");
  db.close();
  expect(await exported(from)).toContain('"begins":0,"begun_effect":null');
});

it('feedback moves with the turn that it is about', async () => {
  const from = temporaryFolder();
  await offlineTurns(from, { s1: 'Add milk to my todos' });
  const feedback = JSON.stringify({
    note: 'Oat milk',
    by: { owner: 'local', via: 'http' },
    at: '2026-01-05T09:00:00Z',
  });
  const db = new Database(`${from}/tripact.db`);
  db.prepare("UPDATE turns SET rating = 'down', feedback = ?").run(feedback);
  db.close();
  const to = temporaryFolder();
  await imported(to, await exported(from));
  const moved = new Database(`${to}/tripact.db`, { readonly: true });
  expect(moved.prepare('SELECT rating, feedback FROM turns').all()).toEqual([{ rating: 'down', feedback }]);
  moved.close();
});
