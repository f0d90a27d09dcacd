import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { act, answer, done, plan, replanned, startService } from '../support/service/service.ts';
import { SESSION, startReferenceAgent } from '../tools/coding-agent-bridge.ts';

const bridgeFolder = (): string => {
  const bridgeDir = mkdtempSync(join(tmpdir(), 'tripact-bridge-'));
  onTestFinished(() => rmSync(bridgeDir, { recursive: true, force: true }));
  return bridgeDir;
};

it('a step tagged [CODE] goes to the coding agent, a failed report is retried in its session, and the end is reported', async () => {
  const bridgeDir = bridgeFolder();
  const service = await startService(
    [
      plan('[CODE] Write the page', 'Tell the user'),
      act('coding_agent', 'fail: Write the page'),
      act('coding_agent', 'Write the page again'),
      done('The page is there'),
      replanned('Tell the user'),
      done(),
      answer('Done: the page is written.'),
    ],
    { TRIPACT_BRIDGE_DIR: bridgeDir },
  );
  await startReferenceAgent(bridgeDir);
  const turn = await service.say('s1', 'Write me a page');
  expect(turn).toMatchObject({ status: 'answered', task: { successful_steps: 1, failed_steps: 1, step_count: 8 } });
  const calls = (await service.trace('s1'))
    .flatMap(({ effects }) => effects)
    .filter(({ type }) => type === 'tool.call');
  expect(calls.map(({ params }) => params)).toEqual([
    expect.objectContaining({ tool: 'coding_agent', executor: 'coding_agent', input: 'fail: Write the page' }),
    expect.objectContaining({ tool: 'coding_agent', executor: 'coding_agent', input: 'Write the page again' }),
  ]);
  const processed = join(bridgeDir, 'commands', 'processed');
  expect(readdirSync(processed).filter((name) => name.startsWith('task-'))).toHaveLength(2);
  const ends = (): string[] =>
    readdirSync(join(bridgeDir, 'commands', 'pending'))
      .map((name) => readFileSync(join(bridgeDir, 'commands', 'pending', name), 'utf8'))
      .filter((text) => text.includes('command_type: end'));
  await vi.waitFor(() => expect(ends()).toHaveLength(1), { timeout: 10_000 });
});

/** An agent written from the protocol alone: takes each command as `report` says, and remembers all of them. */
const protocolAgent = (bridgeDir: string, reportOf: (text: string, n: number) => { name: string; text: string }) => {
  const commands: string[] = [];
  const pending = join(bridgeDir, 'commands', 'pending');
  const seen = new Set<string>();
  const timer = setInterval(() => {
    for (const name of existsSync(pending) ? readdirSync(pending) : []) {
      if (seen.has(name) || !name.endsWith('.md')) continue;
      seen.add(name);
      const text = readFileSync(join(pending, name), 'utf8');
      commands.push(text);
      expect(text).toContain(`\nid: ${name.slice(0, -'.md'.length)}\n`);
      const report = reportOf(text, commands.length);
      if (report.name !== '') writeFileSync(join(bridgeDir, 'reports', 'pending', report.name), report.text);
    }
  }, 10);
  onTestFinished(() => clearInterval(timer));
  const field = (name: string) => commands.map((text) => new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1]);
  return { commands, field };
};

it('one agent session serves the whole task: retries, the next item and after a replan, whatever the reports are called', async () => {
  const bridgeDir = bridgeFolder();
  const service = await startService(
    [
      plan('[CODE] 写网页', '[code] 写样式'),
      act('coding_agent', '写网页'),
      act('coding_agent', '再写一次'),
      act('coding_agent', '补上页脚'),
      done('网页写好了'),
      replanned('[CODE] 写样式'),
      act('coding_agent', '写样式'),
      done('样式写好了'),
      answer('都写好了。'),
    ],
    { TRIPACT_BRIDGE_DIR: bridgeDir },
  );
  const agent = protocolAgent(bridgeDir, (command, n) => {
    const uuid = /^id: task-(.+)$/m.exec(command)![1]!;
    const text = `---\nid: task-${uuid}\nstatus: ${n < 3 ? 'FAILED' : 'SUCCESS'}\nsession_id: ${SESSION}\n---\n\n好`;
    return { name: [`report-task-${uuid}.md`, `report-${uuid}.md`, `result ${n}.md`][n % 3]!, text };
  });
  const turn = await service.say('s1', '给我写一个网页');
  expect(turn).toMatchObject({ status: 'answered', task: { successful_steps: 2, failed_steps: 2 } });
  await vi.waitFor(() => expect(agent.commands).toHaveLength(5), { timeout: 10_000 });
  expect(agent.field('command_type')).toEqual(['new', 'continue', 'continue', 'continue', 'end']);
  expect(agent.field('session_id')).toEqual(['auto', SESSION, SESSION, SESSION, SESSION]);
  expect(agent.commands[0]).toContain('\n\n## 任务描述\n\n写网页\n\n## 约束条件\n\n无。\n\n## 预期输出\n\n写网页\n');
  expect(agent.commands[3]).toContain('## 预期输出\n\n写样式\n');
});
