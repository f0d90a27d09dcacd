import { codingAgentExecutor } from '../tools/coding-agent/coding-agent.ts';
import type { McpTools } from '../tools/mcp/port.ts';
import type { Tool } from '../tools/port.ts';
import { createToolRegistry, type ToolRegistry } from '../tools/registry.ts';
import type { TripactConfig } from './config/define-config.ts';
import { connectServers } from './connect-servers.ts';
import { type BuiltInToolParts, type BuiltInTools, createBuiltInTools } from './create-built-in-tools.ts';

/** All tools of a service. */
export interface ServiceTools extends Omit<BuiltInTools, 'tools'> {
  registry: ToolRegistry;
  mcp: McpTools;
}

/** What they are made with. */
export interface ServiceToolParts extends BuiltInToolParts {
  file: TripactConfig;
  version: string;
  /** Every tool goes through it before anybody can call it. */
  wrap(tool: Tool): Tool;
}

/** Makes the tools that the configuration asks for; MCP servers connect beside it. Throws `CONFIG_INVALID` for two of one name. */
export const createServiceTools = async ({
  file,
  version,
  wrap,
  ...parts
}: ServiceToolParts): Promise<ServiceTools> => {
  const { tools: builtIn, ownerTools, codingAgent } = createBuiltInTools(parts);
  const own = (file.tools ?? []).map((tool): Tool => ({ ...tool, origin: { kind: 'config' } }));
  const fixed = [...builtIn, ...own].map(wrap);
  const executors = (file.executors ?? []).map(({ name, description, tools, prompt }) => ({
    name,
    description,
    tools: tools ?? null,
    prompt: prompt ?? null,
  }));
  let mcp: McpTools | undefined;
  const registry = createToolRegistry(
    [...fixed, () => (mcp?.tools() ?? []).map(wrap)],
    [...(codingAgent === null ? [] : [codingAgentExecutor]), ...executors],
    parts.config.approve,
  );
  const reserved = fixed.map(({ name }) => name);
  mcp = await connectServers(file.mcpServers ?? {}, { log: parts.log, version, reserved });
  return { registry, mcp, ownerTools, codingAgent };
};
