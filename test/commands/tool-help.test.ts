import { pino } from 'pino';
import { expect, it } from 'vitest';
import { toolHelp } from '../../src/commands/commands.ts';
import { createCodingAgent } from '../../src/tools/coding-agent/coding-agent.ts';
import { createInternetSearchTool } from '../../src/tools/internet-search/internet-search.ts';
import { planningTool } from '../../src/tools/planning/planning-tool.ts';

const codingAgent = createCodingAgent({
  bridgeDir: '/nowhere',
  timeoutMs: 1,
  days: null,
  service: 'tested',
  log: pino({ level: 'silent' }),
});

it.each([
  [planningTool, '/plan create <计划ID> [--title 标题] --steps "步骤" "步骤" …'],
  [createInternetSearchTool([]), 'internet_search <要搜索的内容>'],
  [codingAgent.tool, '<用完整的句子写明要编程代理做什么>'],
])('a Chinese user is shown $name in Chinese, and others in English', (tool, first) => {
  const { summary, usage } = toolHelp(tool, 'zh');
  expect(summary).toMatch(/[一-鿿]{4}/);
  expect(usage.split('\n')[0]).toBe(first);
  expect(usage.split('\n')).toHaveLength(tool.usage.split('\n').length);
  expect(toolHelp(tool, 'en')).toEqual({ summary: tool.description, usage: tool.usage });
});
