import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  callOf,
  END,
  idOf,
  openBridgeFolder,
  reportText,
  SESSION,
  startReferenceAgent,
} from './coding-agent-bridge.ts';

const frontOf = (text: string): string[] => text.split('---\n')[1]!.trim().split('\n');
const sessionIn = (text: string): string => /^session_id: (.+)$/m.exec(text)![1]!;

it('a command says what to do, within which limits and what is expected, and only its owner may read it', async () => {
  const { agent, path, read, sent, report } = openBridgeFolder();
  const input = 'Greet the world.\n\n## Constraints\n\nnot these';
  const given = callOf(7, { clarifications: ['In English', 'No images\nat all', 'x'.repeat(5_000)] });
  const answered = agent.tool.run(input, given);
  await sent(7);
  const shown = read(`commands/pending/task-${idOf(7)}.md`).replace(/x{3000,4000}… \[cut, 5000.*/, 'x…');
  expect(shown).toBe(
    [
      `---\nid: task-${idOf(7)}\ncreated_at: 2026-11-21T00:00:00.000Z\nsession_id: auto\ncommand_type: new\n---`,
      `## Task description\n\n${input}`,
      '## Constraints\n\n- In English\n- No images\n  at all\n- x…',
      '## Expected output\n\na page that greets\n',
    ].join('\n\n'),
  );
  expect(statSync(path(`commands/pending/task-${idOf(7)}.md`)).mode & 0o777).toBe(0o600);
  expect(statSync(path('commands/pending')).mode & 0o777).toBe(0o700);
  report(7, reportText('Hello, world'));
  expect(await answered).toEqual({ ok: true, result: 'SUCCESS\n\nHello, world' });
});

it('a retry and the next item go on in the agent session that the report named', async () => {
  const { bridgeDir, agent, read } = openBridgeFolder();
  await startReferenceAgent(bridgeDir);
  await agent.tool.run('partial: write the page', callOf(1));
  const session = sessionIn(read(`reports/processed/report-task-${idOf(1)}.md`));
  const retried = await agent.tool.run('Add the footer', callOf(2));
  expect(retried).toEqual({ ok: true, result: expect.stringContaining('has 2 entries') });
  expect(frontOf(read(`commands/processed/task-${idOf(2)}.md`)).slice(2)).toEqual([
    `session_id: ${session}`,
    'command_type: continue',
  ]);
  const next = await agent.tool.run('Something else', callOf(3, { item_id: '2' }));
  expect(next).toEqual({ ok: true, result: expect.stringContaining('has 3 entries') });
});

it('a retry continues in that session after a restart too, after a report that named none and one that could not be read', async () => {
  const { start, sent, report, read } = openBridgeFolder();
  const call = (n: number, text: string) => {
    const answered = start().tool.run('Greet', callOf(n));
    return sent(n).then(() => {
      report(n, text);
      return answered;
    });
  };
  await call(1, reportText('half', 'FAILED'));
  await call(2, '---\nstatus: FAILED\n---\n\nforgot my session');
  await call(3, 'I forgot the front matter');
  await call(4, reportText('done'));
  for (const n of [2, 3, 4])
    expect(frontOf(read(`commands/processed/task-${idOf(n)}.md`)).slice(2)).toEqual([
      `session_id: ${SESSION}`,
      'command_type: continue',
    ]);
});

it('the end of the task ends its agent session, once, and the answer to that is put aside', async () => {
  const { bridgeDir, agent, start, files, read } = openBridgeFolder();
  await startReferenceAgent(bridgeDir);
  await agent.tool.run('Greet', callOf(1));
  await agent.tool.run('Sing', callOf(2, { item_id: '2' }));
  await agent.taskEnded('task_a');
  await agent.taskEnded('task_a');
  await expect.poll(() => files('reports/pending')).toHaveLength(1);
  expect(files('commands/pending')).toEqual([`task-${END}.md`]);
  expect(frontOf(read(`commands/pending/task-${END}.md`)).slice(2)).toEqual([
    `session_id: ${sessionIn(read(`reports/processed/report-task-${idOf(2)}.md`))}`,
    'command_type: end',
  ]);
  const left = async () => {
    await start().recover(async () => true);
    return [files('commands/pending'), files('reports/pending')];
  };
  await expect.poll(left).toEqual([[], []]);
});
