import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, invalidConfig } from '../config/config.ts';
import type { BuiltInTool } from '../config/settings.ts';
import type { Log } from '../lib/log.ts';
import { madeOnce } from '../lib/once.ts';
import { createFilesTool } from '../tools/files/files-tool.ts';
import { createInternetSearchTool, type WebSearch } from '../tools/internet-search/internet-search.ts';
import { createSearxngSearch } from '../tools/internet-search/searxng.ts';
import { rememberTool } from '../tools/memory/memory.ts';
import { planningTool } from '../tools/planning/planning-tool.ts';
import type { Tool, ToolHooks } from '../tools/port.ts';
import type { Executor } from '../tools/registry.ts';
import { scheduleTool } from '../tools/schedule/schedule-tool.ts';
import { todoTool, viewTool } from '../tools/todo/todo-tool.ts';
import type { ChangeFile } from '../workspace/change-file.ts';

/** The parts of the service that built-in tools are made of. */
export interface BuiltInParts {
  config: Config;
  changeFile: ChangeFile;
  log: Log;
  now(): number;
}

/** A built-in tool with the executor and the hooks that come with it. */
export interface BuiltIn {
  tool: Tool;
  executor?: Executor;
  hooks?: ToolHooks;
}

/** Anthropic's own search. Its SDK is loaded at the first search. */
const anthropicSearch = (model: string, apiKey: string): WebSearch => {
  const loaded = madeOnce(async () => {
    const { createAnthropicClient } = await import('../models/anthropic/anthropic.ts');
    const { createAnthropicSearch } = await import('../tools/internet-search/anthropic.ts');
    return createAnthropicSearch(createAnthropicClient({ apiKey }), model);
  });
  // The model searches, reads and writes.
  return {
    name: 'Anthropic web search',
    timeoutMs: 50_000,
    search: async (...asked) => (await loaded())(...asked),
  };
};

/**
 * SearXNG first, then Anthropic's own if there is a key. A self-hosted server with `/v1/messages` has no web search.
 */
const webSearches = ({ searxngUrl, model }: Config): WebSearch[] => [
  ...(searxngUrl === null ? [] : [createSearxngSearch(searxngUrl)]),
  ...(model.kind === 'anthropic' && model.apiKey !== undefined && model.baseURL === undefined
    ? [anthropicSearch(model.model, model.apiKey)]
    : []),
];

const openCodingAgent = async ({ config, log, now }: BuiltInParts): Promise<BuiltIn | null> => {
  const { bridgeDir, bridgeTimeoutMs: timeoutMs, retentionDays: days, dataDir, databaseUrl, nodeUrl } = config;
  if (bridgeDir === null) return null;
  try {
    mkdirSync(bridgeDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw invalidConfig([`TRIPACT_BRIDGE_DIR=${JSON.stringify(bridgeDir)} cannot be used (${code}).`]);
  }
  if (nodeUrl !== null)
    log.warn(
      { bridge_dir: bridgeDir },
      "the coding agent's folder must be a volume shared by all nodes and the agent; otherwise tasks that move to another node get no report",
    );
  const { codingAgentExecutor, createCodingAgent } = await import('../tools/coding-agent/coding-agent.ts');
  // All nodes on a database are one service.
  const name = databaseUrl === null ? resolve(dataDir) : databaseUrl.replace(/^.*@/, '');
  const service = createHash('sha256').update(name).digest('hex').slice(0, 16);
  const { tool, ...hooks } = createCodingAgent({ bridgeDir, timeoutMs, days, service, log, now });
  return { tool, hooks, executor: codingAgentExecutor };
};

/** The same only for users; no executor works with it. */
export const forUsers = ({ tool, hooks }: BuiltIn): BuiltIn => ({
  tool: { ...tool, isForUsers: true },
  ...(hooks !== undefined && { hooks }),
});

/** Makes each built-in tool; null if the configuration lacks what it needs. Rarely used ones are loaded on demand. */
export const builtInMakers: Record<BuiltInTool, (parts: BuiltInParts) => BuiltIn | null | Promise<BuiltIn | null>> = {
  todo: () => ({ tool: todoTool }),
  view: () => ({ tool: viewTool }),
  schedule: () => ({ tool: scheduleTool }),
  planning: () => ({ tool: planningTool }),
  remember: () => ({ tool: rememberTool }),
  internet_search: ({ config }) => {
    const searches = webSearches(config);
    const made = { tool: createInternetSearchTool(searches) };
    return searches.length === 0 ? forUsers(made) : made;
  },
  files: ({ changeFile }) => ({ tool: createFilesTool(changeFile) }),
  coding_agent: openCodingAgent,
};
