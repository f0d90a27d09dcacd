import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readReport } from '../../src/tools/coding-agent/read-report.ts';
import { callOf, idOf, openBridgeFolder, reportText, SESSION } from './coding-agent-bridge.ts';

describe('a report that', () => {
  it.each([
    ['is empty', '', 'no front matter'],
    ['has no front matter', 'All done!', 'no front matter'],
    ['has broken YAML', '---\nstatus: [SUCCESS\n---\n\nAll done!', 'SUCCESS, FAILED or'],
    ['has no status', `---\nsession_id: ${SESSION}\n---\n\nAll done!`, 'SUCCESS, FAILED or'],
    ['has another status', reportText('All done!', 'DONE'), 'SUCCESS, FAILED or'],
    ['names another task', '---\nid: b.1\nstatus: SUCCESS\n---\n\nAll done!', 'names another task'],
  ])('%s is a failed observation that says so and shows it, and is kept', async (_, text, fault) => {
    const { agent, sent, report, read, files } = openBridgeFolder();
    const answered = agent.tool.run('Greet', callOf(1));
    await sent(1);
    report(1, text);
    const { ok, result } = await answered;
    expect(ok).toBe(false);
    expect(result).toContain(fault);
    if (text.includes('All done!')) expect(result).toContain('All done!');
    expect(read(`reports/processed/report-task-${idOf(1)}.md`)).toBe(text);
    expect(files('reports/pending')).toEqual([]);
  });

  it('comes too late fails the call; the retry continues its session and gets the report', async () => {
    const { agent, start, sent, report, read, files } = openBridgeFolder();
    const missed = await start(1).tool.run('Greet', callOf(1));
    expect(missed).toMatchObject({ ok: false, result: expect.stringContaining('no report within 1 ms') });
    expect(files('commands/pending')).toEqual([]);
    report(1, reportText('Hello, at last'));
    await expect.poll(() => agent.recover(async () => false).then(() => files('reports/pending'))).toEqual([]);
    const retried = agent.tool.run('Greet again', callOf(2));
    await sent(2);
    expect(read(`commands/pending/task-${idOf(2)}.md`)).toContain(`session_id: ${SESSION}\ncommand_type: continue`);
    report(2, reportText('Hello again'));
    expect(await retried).toEqual({
      ok: true,
      result: `SUCCESS\n\nHello again\n\nAn earlier command, task-${idOf(1)}, was reported on too late:\nSUCCESS\n\nHello, at last`,
    });
    expect(files('reports/processed')).toEqual([`report-task-${idOf(1)}.md`, `report-task-${idOf(2)}.md`].sort());
  });

  it('belongs to no command is named in the log and moved to reports/unknown; one that another program waits for stays', async () => {
    const { agent, sent, report, files, path, logged } = openBridgeFolder();
    const answered = agent.tool.run('Greet', callOf(1));
    await sent(1);
    writeFileSync(path(`commands/pending/task-${idOf(1, 'elsewhere')}.md`), "another program's");
    report(1, reportText('for another program'), 'elsewhere');
    report(99, reportText('on nothing'));
    writeFileSync(path('reports/pending/notes.md'), 'no front matter');
    writeFileSync(path('reports/pending/.half.tmp'), 'half of something');
    const strays = ['notes.md', `report-task-${idOf(99)}.md`];
    await expect.poll(() => agent.recover(async () => false).then(() => files('reports/unknown'))).toEqual(strays);
    for (const name of strays) expect(logged()).toContain(name);
    report(1, reportText('Hello'));
    expect(await answered).toEqual({ ok: true, result: 'SUCCESS\n\nHello' });
    expect(files('reports/pending')).toEqual(['.half.tmp', `report-task-${idOf(1, 'elsewhere')}.md`]);
  });

  it.each([
    ['report-<uuid>.md', `report-${idOf(1)}.md`, reportText('Hello')],
    ['its id in the front matter', 'result.md', `---\nid: task-${idOf(1)}\nstatus: SUCCESS\n---\n\nHello`],
    [
      'its uuid as task_id',
      'done.txt',
      `---\nid: r1\ntask_id: ${idOf(1).toUpperCase()}\nstatus: SUCCESS\n---\n\nHello`,
    ],
  ])('names its command by %s is found and moved to processed', async (_, name, text) => {
    const { agent, start, sent, path, files } = openBridgeFolder();
    const answered = agent.tool.run('Greet', callOf(1));
    await sent(1);
    writeFileSync(path(`reports/pending/${name}`), text);
    expect(await answered).toEqual({ ok: true, result: 'SUCCESS\n\nHello' });
    expect([files('reports/pending'), files('reports/processed')]).toEqual([[], [`report-task-${idOf(1)}.md`]]);
    expect(await start().tool.run('Greet', callOf(1))).toEqual({ ok: true, result: 'SUCCESS\n\nHello' });
  });
});

it('half a report is not taken, and the whole is once it is there', async () => {
  const { agent, sent, report } = openBridgeFolder();
  const answered = agent.tool.run('Greet', callOf(1));
  await sent(1);
  report(1, '---\nstatus: SUCC');
  report(1, reportText('Hello'));
  expect(await answered).toEqual({ ok: true, result: 'SUCCESS\n\nHello' });
});

it.each([
  ['CRLF line ends', '---\r\nstatus: SUCCESS\r\n---\r\n\r\nHello', 'Hello'],
  ['a byte order mark', `\uFEFF${reportText('Hello')}`, 'Hello'],
  [
    'a colon in its summary',
    '---\nstatus: SUCCESS\nsummary: Fixed the parser: it reads `a: b` now\n---\nHello',
    'Hello',
  ],
  ['lists and comments', '---\nstatus: SUCCESS # all green\nfiles:\n  - src/a.ts\n  - "b: c"\n---\nHello', 'Hello'],
  ['values that are no YAML', '---\nstatus: SUCCESS\nfiles: @src/a.ts, `b`\nnext: - none\n---\nHello', 'Hello'],
  ['nothing but a summary', '---\nstatus: SUCCESS\nsummary: Fixed: the parser\n---\n', 'Fixed: the parser'],
])('a report with %s is read', (_, text, body) => {
  const report = readReport(`report-task-${idOf(1)}.md`, text);
  expect(report).toMatchObject({ id: idOf(1), status: 'SUCCESS', body });
});

it('a session id that is not a uuid is unknown', () => {
  const report = readReport('x.md', reportText('Hello', 'SUCCESS', 'auto\ncommand_type: end'));
  expect(report).toMatchObject({ id: null, session_id: null, status: 'SUCCESS' });
});
