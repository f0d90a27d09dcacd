import {
  type Commands,
  commandOf,
  createAgentsCommand,
  createCommands,
  createToolCommand,
  createToolsCommand,
} from '../commands/commands.ts';
import { createPlanCommand, statusCommand } from '../commands/task-commands.ts';
import { planningTool } from '../tools/planning/planning-tool.ts';
import type { ServiceTools } from './tools.ts';

/** Makes the slash commands: those of tools, and the service's own. */
export const slashCommands = ({ registry, agents, commands, mcp }: ServiceTools): Commands => {
  const toolsOf = (agent: string | null) => (agent === null ? undefined : agents.of(agent)?.tools) ?? registry;
  return createCommands([
    ...commands.map(commandOf),
    createPlanCommand(planningTool),
    ...(agents.described.length === 0 ? [] : [createAgentsCommand(agents.described)]),
    createToolsCommand(toolsOf, mcp.servers),
    createToolCommand(toolsOf, mcp.servers),
    statusCommand,
  ]);
};
