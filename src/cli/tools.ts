import { openTools } from '../app/open-tools.ts';
import { toolText } from '../commands/tools.ts';
import { printable, printableLines } from '../lib/printable.ts';
import { loadClientSettings } from './open-service.ts';

/** `tripact tools`: every tool with its usage on standard output; MCP servers that can not be reached on standard error. */
export const showTools = async (): Promise<void> => {
  const tools = await openTools(await loadClientSettings());
  try {
    await tools.mcp.tried;
    for (const tool of tools.registry.list()) console.log(printableLines(toolText(tool, 'en')));
    for (const { name, state, reason } of tools.mcp.servers())
      if (state !== 'connected')
        console.error(printable(`MCP server ${name}: ${state}${reason === null ? '' : `, ${reason}`}`));
  } finally {
    await tools.mcp.close();
  }
};
