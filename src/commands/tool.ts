import { OBSERVATION_CHARS_MAX } from '../../contracts/limits.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { ToolResult } from '../../contracts/task.ts';
import { cutText, type Language, plainLine } from '../../contracts/text.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { Command } from './port.ts';

/** Longest name that an answer repeats, in characters. */
const NAME_CHARS_MAX = 64;

/** A tool's result as the reply to the user who tried it. */
export const toolReply = ({ ok, result }: ToolResult, language: Language): string => {
  const text = cutText(result, OBSERVATION_CHARS_MAX);
  return ok ? text : messages(language).commands.toolFailed(text);
};

/** Makes `/tool <name> <input>`: one call of a tool, without a task. The user's own act, so it needs no approval (SPEC 3). */
export const createToolCommand = (tools: Pick<ToolRegistry, 'get' | 'list'>): Command => ({
  name: 'tool',
  help: (language) => {
    const { commands, usage } = messages(language);
    return { summary: commands.summaries.tool, usage: usage.tool };
  },
  *run(rest, call) {
    const { language, timezone } = call;
    const { commands, commandLine, usage } = messages(language);
    const [name = ''] = /^\S*/.exec(rest.trim()) ?? [];
    const input = rest.trim().slice(name.length).replace(/^\s/, '');
    if (name === '') return `${commandLine.usage} ${usage.tool}`;
    const tool = tools.get(name);
    if (tool === undefined)
      return commands.noSuchTool(
        plainLine(name, NAME_CHARS_MAX),
        tools.list().map((listed) => listed.name),
      );
    if (tool.effect === 'transactional') return toolReply(yield* tool.run(input, call), language);
    return { tool: name, input, language, timezone };
  },
});
