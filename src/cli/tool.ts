import { LOCAL_OWNER } from '../../contracts/ids.ts';
import { tryTool } from '../app/try-tool.ts';
import { CommandFailure } from './command-failure.ts';
import { exitCode } from './exit-code.ts';
import { checkedUrl, openService, withUrlHint } from './open-service.ts';
import { printableLines } from './printable.ts';
import { hostTimezone } from './terminal.ts';
import { loadToolSettings } from './tools.ts';

export interface ToolOptions {
  session?: string;
  timezone?: string;
  url?: string;
  dataDir?: string;
}

/** The session whose folder tools work in that are tried without naming one. */
const SESSION_DEFAULT = 'try';

/** Has the service that runs at `url` call the tool. */
const askService = async (name: string, input: string, { url, ...options }: ToolOptions): Promise<number> => {
  const { client, timezone, close } = await openService({ url: checkedUrl(url!) });
  try {
    const request = { input: `/tool ${name} ${input}`, timezone: options.timezone ?? timezone };
    const { output } = await client.turn(options.session ?? SESSION_DEFAULT, request, { progress: () => {} });
    console.log(printableLines(output ?? ''));
    return exitCode.answered;
  } finally {
    await close();
  }
};

/** `tripact tool`: one call of a tool, its result on standard output. Gives the exit code: 1 where the tool failed. */
export const runTool = async (name: string, words: string[], options: ToolOptions): Promise<number> => {
  const input = words.join(' ');
  if (options.url !== undefined) return askService(name, input, options);
  const { config, file } = await loadToolSettings(options.dataDir);
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  try {
    const result = await tryTool({
      ...{ config, file, name, input },
      owner: config.apiKeys[0]?.owner ?? LOCAL_OWNER,
      session_id: options.session ?? SESSION_DEFAULT,
      timezone: options.timezone ?? config.timezone ?? hostTimezone(),
      signal: interrupted.signal,
    });
    if (result === null)
      throw new CommandFailure(
        `There is no tool "${name}": "tripact tools" lists those that there are`,
        exitCode.usage,
      );
    console.log(printableLines(result.result));
    return result.ok ? exitCode.answered : exitCode.failed;
  } catch (error) {
    throw withUrlHint(error, 'have the service that runs there call it', config.port);
  }
};
