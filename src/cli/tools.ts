import { openTools } from '../app/open-tools.ts';
import { toolText } from '../commands/tools.ts';
import { ServiceError } from '../errors.ts';
import { printable, printableLines } from './printable.ts';
import { type CliSettings, loadSettings } from './settings.ts';

/** The configuration, also where its model can not work: tools need none. */
export const loadToolSettings = async (dataDir?: string): Promise<CliSettings> => {
  const options = { TRIPACT_DATA_DIR: dataDir };
  const defaults = { TRIPACT_LOG_LEVEL: 'error' };
  try {
    return await loadSettings(options, defaults);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return loadSettings({ ...options, TRIPACT_MODEL: 'offline' }, defaults);
  }
};

/** `tripact tools`: every tool with its usage on standard output; MCP servers that can not be reached on standard error. */
export const showTools = async (): Promise<void> => {
  const tools = await openTools(await loadToolSettings());
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
