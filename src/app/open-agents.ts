import { AGENTS_MAX, type AgentView } from '../../contracts/agent.ts';
import type { SkillHashes } from '../../contracts/skill.ts';
import type { Catalogue, TaskContext } from '../../contracts/task.ts';
import { isToolMeant } from '../../contracts/tool-pattern.ts';
import { type Config, invalidConfig } from '../config/config.ts';
import type { AgentNames } from '../session/input.ts';
import { createApprovals } from '../tools/approval.ts';
import type { Tool } from '../tools/port.ts';
import { createToolRegistry, type Executor, type ToolRegistry } from '../tools/registry.ts';
import type { Skill } from '../tools/skill/read-skills.ts';
import { mayMeanServer } from './check-settings.ts';
import { CONFIG_FILE } from './config-file.ts';
import type { AgentConfig, TripactConfig } from './define-config.ts';
import { type ServiceSkills, skillParts } from './open-skills.ts';
import { ownTool } from './own-tools.ts';

/** An agent of the service, as its parts use it. */
export interface Agent {
  readonly tools: ToolRegistry;
  readonly instructions: string | null;
  /** The skills that a task with this catalogue can read. */
  skills(catalogue: Catalogue): readonly Skill[];
  hashes(catalogue: Catalogue): SkillHashes;
}

/** The agents of a service. Without a configured one there is one without a name, with all tools. */
export interface Agents extends AgentNames {
  /** Undefined: the configuration has no such agent. A task from before there were agents has the default. */
  of(agent: string | null | undefined): Agent | undefined;
  agentOf(task: Pick<TaskContext, 'agent'>): Agent | undefined;
  /** Each with what it is for. */
  readonly described: readonly { name: string; description: string }[];
  /** `modelOf`: the name of an agent's model. */
  views(modelOf: (agent: string) => string): AgentView[];
}

/** Tools of agents of their own, by the object in the configuration. */
export type OwnTools = ReadonlyMap<Tool, Tool>;

const configured = ({ agents = {} }: Pick<TripactConfig, 'agents'>): [string, AgentConfig][] => Object.entries(agents);

/** The tools that agents bring themselves, each once. */
export const ownToolsOf = (file: Pick<TripactConfig, 'agents'>): OwnTools =>
  new Map(
    configured(file).flatMap(([, { tools = [] }]) =>
      tools.flatMap((tool): [Tool, Tool][] => (typeof tool === 'string' ? [] : [[tool, ownTool(tool)]])),
    ),
  );

interface AgentNeeds {
  config: Pick<Config, 'approve' | 'askAfterUntrusted'>;
  file: TripactConfig;
  /** The tools of all agents that do not choose, without those of skills. */
  shared: readonly Tool[];
  /** Built-in tools that only those agents get which name them. */
  onRequest: readonly Tool[];
  own: OwnTools;
  /** Every agent has them. */
  always: readonly Tool[];
  skills: ServiceSkills;
  executors: Executor[];
  /** The tools of MCP servers and other agents that are there now. */
  ofServers(): Tool[];
  wrap(tool: Tool): Tool;
}

/** Throws `CONFIG_INVALID` for names that mean nothing: a typo would leave an agent without its tool. */
const checkAgents = ({ file, shared, onRequest, own, skills }: AgentNeeds): void => {
  const known = [...shared, ...onRequest, ...own.values()]
    .map(({ name }) => name)
    .concat(Object.keys(file.a2aAgents ?? {}));
  const servers = Object.keys(file.mcpServers ?? {});
  const isKnown = (pattern: string): boolean =>
    known.some((name) => isToolMeant(pattern, name)) || servers.some((server) => mayMeanServer(pattern, server));
  const agents = configured(file);
  const problems = agents.flatMap(([agent, { tools = [], approvals = [], skills: wanted = [] }]) => {
    const place = `${CONFIG_FILE} › agents › ${agent}`;
    const named = [...tools.filter((tool) => typeof tool === 'string'), ...approvals.flatMap((rule) => rule.tools)];
    const noTools = named.filter((pattern) => !isKnown(pattern)).map((pattern) => `${place}: no tool is "${pattern}".`);
    const noSkills = wanted.filter((name) => !Object.hasOwn(skills.all, name));
    return [...noTools, ...noSkills.map((name) => `${place} › skills: there is no skill "${name}".`)];
  });
  if (agents.length > AGENTS_MAX) problems.push(`${CONFIG_FILE} › agents: there may be ${AGENTS_MAX} at most.`);
  if (problems.length > 0) throw invalidConfig(problems);
};

/** Whether an agent has a tool of this name, among those that it can have. */
const has = ({ tools }: AgentConfig, name: string): boolean =>
  tools === undefined || tools.some((tool) => typeof tool === 'string' && isToolMeant(tool, name));

const openAgent = (needs: AgentNeeds, agent: AgentConfig): Agent => {
  const { config, file, shared, onRequest, own, always, skills, executors, ofServers, wrap } = needs;
  const guard = createApprovals({
    rules: [...(agent.approvals ?? []), ...(file.approvals ?? [])],
    always: config.approve,
    afterUntrusted: config.askAfterUntrusted,
  });
  const guarded = (tool: Tool): Tool => wrap(guard(tool));
  const isChosen = ({ name }: Tool): boolean => has(agent, name);
  const asked = onRequest.filter(({ name }) => agent.tools?.includes(name) === true);
  const told = new Set(asked.map(({ name }) => name));
  const readable =
    agent.skills === undefined ? skills : skillParts(skills.list.filter(({ name }) => agent.skills?.includes(name)));
  const fixed = [
    ...shared.filter((tool) => isChosen(tool) && !told.has(tool.name)),
    ...asked,
    ...(agent.tools ?? []).flatMap((tool) => (typeof tool === 'string' ? [] : own.get(tool)!)),
    ...readable.tools,
    ...always,
  ].map(guarded);
  const mayWork = ({ tools }: Executor): boolean =>
    tools === null || tools.some((name) => fixed.some((tool) => tool.name === name) || has(agent, name));
  return {
    tools: createToolRegistry(fixed, executors.filter(mayWork), () => ofServers().filter(isChosen).map(guarded)),
    instructions: agent.instructions ?? file.instructions ?? null,
    skills: readable.readable,
    hashes: readable.hashes,
  };
};

/** Makes the agents of the configuration. Throws `CONFIG_INVALID`. */
export const openAgents = (needs: AgentNeeds): Agents => {
  checkAgents(needs);
  const agents = configured(needs.file);
  const names = agents.map(([name]) => name);
  const standard = names.includes('default') ? 'default' : (names[0] ?? null);
  const byName = new Map(agents.map(([name, agent]) => [name, openAgent(needs, agent)]));
  const only = standard === null ? openAgent(needs, {}) : byName.get(standard)!;
  const of: Agents['of'] = (agent) => (agent == null ? only : byName.get(agent));
  return {
    names,
    standard,
    described: agents.map(([name, { description = '' }]) => ({ name, description })),
    of,
    agentOf: ({ agent }) => of(agent),
    views: (modelOf) =>
      agents.map(([name, agent]) => {
        const { tools, skills } = byName.get(name)!;
        return {
          name,
          description: agent.description ?? '',
          is_default: name === standard,
          model: modelOf(name),
          tools: tools.list().flatMap((tool) => (tool.for_models ? tool.name : [])),
          skills: skills(tools.catalogue()).map((skill) => skill.name),
        };
      }),
  };
};
