import { messages } from '../../contracts/messages/messages.ts';
import { languageOf } from '../../contracts/text.ts';
import { toolText } from '../commands/tools.ts';
import { printable, printableLines } from '../lib/printable.ts';
import { exitCode, wrongUsage } from './failure.ts';
import { openService, type ServiceOptions } from './open-service.ts';

/** The session whose folder tools work in that are tried without naming one. */
const SESSION_DEFAULT = 'try';

/** `tripact tools`: every tool with its usage on standard output; MCP servers that can not be reached on standard error. */
export const showTools = async (options: ServiceOptions): Promise<void> => {
  const { client, close } = await openService(options, { command: 'tools', for: 'tools' });
  try {
    const { tools, servers } = await client.tools();
    for (const { source: kind, server, ...tool } of tools) {
      const origin = kind === 'mcp' ? { kind, server: server ?? '' } : { kind };
      console.log(printableLines(toolText({ ...tool, origin }, 'en')));
    }
    for (const { name, state, reason } of servers)
      if (state !== 'connected')
        console.error(printable(`MCP server ${name}: ${state}${reason === null ? '' : `, ${reason}`}`));
  } finally {
    await close();
  }
};

export interface ToolOptions extends ServiceOptions {
  session?: string;
  timezone?: string;
}

/** `tripact tool`: one call of a tool, its result on standard output. Gives the exit code: 1 where the tool failed. */
export const runTool = async (name: string, words: string[], options: ToolOptions): Promise<number> => {
  const input = `/tool ${name} ${words.join(' ')}`;
  const { client, timezone, close } = await openService(options, { command: 'tool', for: 'tools' });
  try {
    const { tools } = await client.tools();
    if (!tools.some((tool) => tool.name === name))
      throw wrongUsage(`There is no tool "${name}": "tripact tools" lists those that there are`);
    const request = { input, timezone: options.timezone ?? timezone };
    const turn = await client.turn(options.session ?? SESSION_DEFAULT, request, { progress: () => {} });
    const output = turn.output ?? '';
    // A reply to `/tool` says of a failed call that it failed, in front of the result.
    const failed = messages(languageOf(input)).commands.toolFailed('');
    const isFailed = output.startsWith(failed);
    console.log(printableLines(isFailed ? output.slice(failed.length) : output));
    return isFailed ? exitCode.failed : exitCode.answered;
  } finally {
    await close();
  }
};
