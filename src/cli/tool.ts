import { LOCAL_OWNER } from '../../contracts/ids.ts';
import { languageOf } from '../../contracts/language.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { ToolResult } from '../../contracts/observation.ts';
import { findService } from '../app/service-address.ts';
import { tryTool } from '../app/try-tool.ts';
import { printableLines } from '../lib/printable.ts';
import { CommandFailure } from './command-failure.ts';
import { exitCode } from './exit-code.ts';
import { chosenUrl, loadClientSettings, openService, type ServiceOptions } from './open-service.ts';
import { hostTimezone } from './terminal.ts';

export interface ToolOptions extends ServiceOptions {
  session?: string;
  timezone?: string;
}

/** The session whose folder tools work in that are tried without naming one. */
const SESSION_DEFAULT = 'try';

/** A reply to `/tool` as what came of the call: a failed one says so in front. */
const resultOf = (output: string, input: string): ToolResult => {
  const failed = messages(languageOf(input)).commands.toolFailed('');
  const ok = !output.startsWith(failed);
  return { ok, result: ok ? output : output.slice(failed.length) };
};

/** Has a running service call the tool; null where it has none of that name. */
const askService = async (name: string, input: string, options: ToolOptions): Promise<ToolResult | null> => {
  const { client, timezone, close } = await openService(options, 'tool');
  try {
    const tools = await client.tools();
    if (!tools.some((tool) => tool.name === name)) return null;
    const line = `/tool ${name} ${input}`;
    const request = { input: line, timezone: options.timezone ?? timezone };
    const { output } = await client.turn(options.session ?? SESSION_DEFAULT, request, { progress: () => {} });
    return resultOf(output ?? '', line);
  } finally {
    await close();
  }
};

/** Calls the tool in this process; the service of the data folder, where one runs, calls what changes its data. */
const callHere = async (name: string, input: string, options: ToolOptions): Promise<ToolResult | null> => {
  const { config, file } = await loadClientSettings(options.dataDir);
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
  return tryTool({
    ...{ config, file, name, input },
    owner: config.apiKeys[0]?.owner ?? LOCAL_OWNER,
    session_id: options.session ?? SESSION_DEFAULT,
    timezone: options.timezone ?? config.timezone ?? hostTimezone(),
    signal: interrupted.signal,
    inService: findService(config.dataDir).kind === 'none' ? null : () => askService(name, input, options),
  });
};

/** `tripact tool`: one call of a tool, its result on standard output. Gives the exit code: 1 where the tool failed. */
export const runTool = async (name: string, words: string[], options: ToolOptions): Promise<number> => {
  const input = words.join(' ');
  const isServed = chosenUrl(options, await loadClientSettings(options.dataDir)) !== null;
  const result = await (isServed ? askService : callHere)(name, input, options);
  if (result === null)
    throw new CommandFailure(`There is no tool "${name}": "tripact tools" lists those that there are`, exitCode.usage);
  console.log(printableLines(result.result));
  return result.ok ? exitCode.answered : exitCode.failed;
};
