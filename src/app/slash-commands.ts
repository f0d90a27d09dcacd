import {
  type Commands,
  commandOf,
  createCommands,
  createToolCommand,
  createToolsCommand,
} from '../commands/commands.ts';
import { createPlanCommand, statusCommand } from '../commands/task-commands.ts';
import { planningTool } from '../tools/planning/planning-tool.ts';
import type { ServiceTools } from './tools.ts';

/** Makes the slash commands: those of tools, and the service's own. */
export const slashCommands = ({ registry, commands, mcp }: ServiceTools): Commands =>
  createCommands([
    ...commands.map(commandOf),
    createPlanCommand(planningTool),
    createToolsCommand(registry, mcp.servers),
    createToolCommand(registry, mcp.servers),
    statusCommand,
  ]);
