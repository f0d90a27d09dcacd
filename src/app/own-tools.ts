import type { OutsideTool, Tool } from '../tools/port.ts';
import type { Executor } from '../tools/registry.ts';
import type { TripactConfig } from './define-config.ts';

/** The properties of a tool that the service uses. */
const USED = [
  ...['name', 'description', 'usage', 'schema', 'help', 'isCommand', 'command', 'writes'],
  ...['approval', 'approvers', 'self', 'source', 'effect', 'timeoutMs', 'checkInput', 'parseInput', 'run'],
] as (keyof OutsideTool)[];

/** A tool of the configuration file as a plain object: an instance has its functions in its class. */
export const ownTool = (tool: Tool): Tool => {
  const used = USED.flatMap((key) => {
    const value = (tool as OutsideTool)[key];
    return value === undefined ? [] : [[key, typeof value === 'function' ? value.bind(tool) : value]];
  });
  return { ...tool, ...(Object.fromEntries(used) as Tool), origin: { kind: 'config' } };
};

/** The executors of the configuration file: without tools named they may use all. */
export const ownExecutors = ({ executors = [] }: TripactConfig): Executor[] =>
  executors.map(({ name, description, tools = null, prompt = null }) => ({ name, description, tools, prompt }));
