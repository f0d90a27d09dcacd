import { type Decider, mayDecide } from '../../contracts/approver.ts';
import { OBSERVATION_CHARS_MAX } from '../../contracts/limits.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { TaskSnapshot, ToolResult } from '../../contracts/task.ts';
import { cutText, type Language, plainLine } from '../../contracts/text.ts';
import { noQueries, type Queries } from '../lib/queries.ts';
import type { McpServerState } from '../tools/mcp/port.ts';
import type { Tool, ToolCall, ToolHelp, ToolOrigin } from '../tools/port.ts';
import type { ListedTool, ToolRegistry } from '../tools/registry.ts';

/** Context of a slash command: its session in the current state. */
export interface CommandCall extends ToolCall {
  /** The session's active task, else its most recent one. */
  task: TaskSnapshot | null;
  queued: number;
  /** The agent of the session; null or absent: the service has one, without a name. */
  agent?: string | null;
  /** Whether the session works with this agent for good; false: its first turn may still name another one. */
  isAgentChosen?: boolean;
  /** Who gave the command, as one who decides about actions. */
  decider: Decider;
}

/** A tool that a user tries. It works outside the store, so it is called after the turn is stored (SPEC 8). */
export interface ToolRun extends Pick<ToolCall, 'language' | 'timezone' | 'metadata'> {
  readonly tool: string;
  readonly input: string;
}

/** A slash command (SPEC 8): deterministic code that uses no model and no task. */
export interface Command {
  readonly name: string;
  help(language: Language): ToolHelp;
  /**
   * Returns its result, or the tool that will give the result, inside the transaction that stores its turn. Never
   * throws for bad input.
   */
  run(rest: string, call: CommandCall): Queries<ToolResult | ToolRun>;
}

type HelpfulTool = Pick<Tool, 'description' | 'usage' | 'help'>;

/** A tool's description and command lines, in the user's language if the tool has them. */
export const toolHelp = ({ description: summary, usage, help }: HelpfulTool, language: Language): ToolHelp =>
  help?.(language) ?? { summary, usage };

/** Tools on one page of `/tools`: each is listed with its usage. */
const TOOLS_PER_PAGE = 20;

const withUsage = (line: string, usage: string): string => [line, ...usage.split('\n')].join('\n    ');

export const toolText = (
  tool: HelpfulTool & { name: string; origin: ToolOrigin; for_models: boolean },
  language: Language,
): string => {
  const { summary, usage } = toolHelp(tool, language);
  const { origin, for_models } = tool;
  const { toolOrigin, forUsers } = messages(language).commands;
  const from = toolOrigin[origin.kind]('server' in origin ? origin.server : '');
  return withUsage(`${tool.name} — ${summary} (${for_models ? from : `${from}; ${forUsers}`})`, usage);
};

type Servers = () => readonly McpServerState[];

/** A line for each server that is not connected: it may bring more tools. */
const awayServers = (servers: Servers, language: Language): string[] =>
  servers().flatMap(({ name, state, reason }) =>
    state === 'connected' ? [] : [messages(language).commands.serverAway(name, reason)],
  );

const showTools = (tools: ListedTool[], servers: Servers, rest: string, language: Language): ToolResult => {
  const texts = messages(language).commands;
  const away = awayServers(servers, language);
  if (tools.length === 0) return { ok: true, result: [texts.noTools, ...away].join('\n') };
  const pages = Math.ceil(tools.length / TOOLS_PER_PAGE);
  const page = rest.trim() === '' ? 1 : Number(/^[1-9]\d{0,3}$/.exec(rest.trim())?.[0] ?? Number.NaN);
  if (!(page <= pages)) return { ok: false, result: texts.noSuchToolPage(pages) };
  const shown = tools.slice((page - 1) * TOOLS_PER_PAGE, page * TOOLS_PER_PAGE);
  const next = page < pages ? [texts.nextToolPage(page, pages)] : [];
  const lines = [texts.tools(tools.length), ...shown.map((tool) => toolText(tool, language)), ...away, ...next];
  return { ok: true, result: lines.join('\n') };
};

/** The tools of the agent that works in a session; null: none was chosen yet. */
type ToolsOf = (agent: string | null) => Pick<ToolRegistry, 'get' | 'list'>;

const chosenAgent = ({ agent = null, isAgentChosen = false }: CommandCall): string | null =>
  isAgentChosen ? agent : null;

/** Creates `/tools`: the available tools of the session's agent, with their usage. */
export const createToolsCommand = (toolsOf: ToolsOf, servers: Servers): Command => ({
  name: 'tools',
  help: (language) => {
    const { commands, usage } = messages(language);
    return { summary: commands.summaries.tools, usage: usage.tools };
  },
  run: (rest, call) => noQueries(() => showTools(toolsOf(chosenAgent(call)).list(), servers, rest, call.language)),
});

/** Creates `/agents`: the agents of the service, and which of them works in this session. */
export const createAgentsCommand = (agents: readonly { name: string; description: string }[]): Command => ({
  name: 'agents',
  help: (language) => ({ summary: messages(language).commands.summaries.agents, usage: '/agents' }),
  run: (_, { agent = null, language }) =>
    noQueries(() => {
      const { agents: head, agentHere } = messages(language).commands;
      const lines = agents.map(({ name, description }) => {
        const about = description === '' ? name : `${name} — ${description}`;
        return name === agent ? `${about} (${agentHere})` : about;
      });
      return { ok: true, result: [head, ...lines].join('\n') };
    }),
});

/** Longest name that an answer repeats, in characters. */
const NAME_CHARS_MAX = 64;

/** A tool's result as the reply to the user who tried it. */
export const toolReply = ({ ok, result }: ToolResult, language: Language): ToolResult => {
  const text = cutText(result, OBSERVATION_CHARS_MAX);
  return { ok, result: ok ? text : messages(language).commands.toolFailed(text) };
};

/**
 * Runs a tool in the turn's transaction. One that works outside the store is called after the turn is stored. One with
 * approvers runs only for them.
 */
function* runTool(tool: Tool, input: string, call: CommandCall): Queries<ToolResult | ToolRun> {
  const { language, timezone, metadata } = call;
  if (tool.approvers !== undefined && !mayDecide(tool, call.owner, call.decider))
    return { ok: false, result: messages(language).questions.onlyApproversTry(tool.name, tool.approvers.join(', ')) };
  if (tool.effect === 'transactional') return yield* tool.run(input, call);
  return { tool: tool.name, input, language, timezone, metadata };
}

/**
 * Creates `/tool <name> <input>`: one call of a tool of the session's agent, without a task. The user's own act, so it
 * needs no approval, except by the tool's approvers (SPEC 3).
 */
export const createToolCommand = (toolsOf: ToolsOf, servers: Servers = () => []): Command => ({
  name: 'tool',
  help: (language) => {
    const { commands, usage } = messages(language);
    return { summary: commands.summaries.tool, usage: usage.tool };
  },
  *run(rest, call) {
    const { language } = call;
    const { commands, commandLine, usage } = messages(language);
    const [name = ''] = /^\S*/.exec(rest.trim()) ?? [];
    const input = rest.trim().slice(name.length).replace(/^\s/, '');
    if (name === '') return { ok: false, result: `${commandLine.usage} ${usage.tool}` };
    const tools = toolsOf(chosenAgent(call));
    const tool = tools.get(name);
    if (tool === undefined) {
      const names = tools.list().map((listed) => listed.name);
      const unknown = commands.noSuchTool(plainLine(name, NAME_CHARS_MAX), names);
      return { ok: false, result: [unknown, ...awayServers(servers, language)].join('\n') };
    }
    const result = yield* runTool(tool, input, call);
    return 'tool' in result ? result : toolReply(result, language);
  },
});

/** A tool as a slash command: the same code (SPEC 8). */
export const commandOf = (tool: Tool): Command => ({
  name: tool.command ?? tool.name,
  help: (language) => toolHelp(tool, language),
  run: (input, call) => runTool(tool, tool.command === undefined ? input : `/${tool.command} ${input}`, call),
});

const helpText = (commands: Command[], language: Language): string => {
  const texts = messages(language).commands;
  const forms = commands.map(({ name, help }) => {
    const { summary, usage } = help(language);
    return withUsage(`/${name} — ${summary}`, usage);
  });
  return [texts.help, ...forms, ...texts.controls].join('\n');
};

/** Collects the slash commands. `/help` lists them all, and so does the reply to an unknown one. */
export const createCommands = (commands: Command[]) => {
  const byName = new Map(commands.map((command) => [command.name, command]));
  return {
    names: new Set([...byName.keys(), 'help']) as ReadonlySet<string>,
    /** The command's result. An unknown command fails with the list (SPEC 2). */
    *run(name: string, rest: string, call: CommandCall): Queries<ToolResult | ToolRun> {
      if (name === 'help') return { ok: true, result: helpText(commands, call.language) };
      const command = byName.get(name);
      if (command !== undefined) return yield* command.run(rest, call);
      const unknown = messages(call.language).commands.unknown(name);
      return { ok: false, result: `${unknown}\n\n${helpText(commands, call.language)}` };
    },
  };
};

export type Commands = ReturnType<typeof createCommands>;
