import { messages } from '../../contracts/messages/messages.ts';
import type { Language } from '../../contracts/text.ts';
import { askNothing } from '../store/questions.ts';
import type { ListedTool, ToolRegistry } from '../tools/registry.ts';
import type { Command } from './port.ts';
import { toolHelp } from './tool-help.ts';

/** Tools on one page of `/tools`: each comes with its usage. */
const TOOLS_PER_PAGE = 20;

/** A tool with its usage below it. */
export const toolText = (tool: ListedTool, language: Language): string => {
  const { summary, usage } = toolHelp(tool, language);
  const { origin } = tool;
  const from = messages(language).commands.toolOrigin[origin.kind](origin.kind === 'mcp' ? origin.server : '');
  return [`${tool.name} — ${summary} (${from})`, ...usage.split('\n').map((line) => `    ${line}`)].join('\n');
};

const showTools = (tools: ListedTool[], rest: string, language: Language): string => {
  const texts = messages(language).commands;
  if (tools.length === 0) return texts.noTools;
  const pages = Math.ceil(tools.length / TOOLS_PER_PAGE);
  const page = rest.trim() === '' ? 1 : Number(/^[1-9]\d{0,3}$/.exec(rest.trim())?.[0] ?? Number.NaN);
  if (!(page <= pages)) return texts.noSuchToolPage(pages);
  const shown = tools.slice((page - 1) * TOOLS_PER_PAGE, page * TOOLS_PER_PAGE);
  const next = page < pages ? [texts.nextToolPage(page, pages)] : [];
  return [texts.tools(tools.length), ...shown.map((tool) => toolText(tool, language)), ...next].join('\n');
};

/** Makes `/tools`: what tools there are, with their usage. */
export const createToolsCommand = (tools: Pick<ToolRegistry, 'list'>): Command => ({
  name: 'tools',
  help: (language) => {
    const { commands, usage } = messages(language);
    return { summary: commands.summaries.tools, usage: usage.tools };
  },
  run: (rest, call) => askNothing(() => showTools(tools.list(), rest, call.language)),
});
