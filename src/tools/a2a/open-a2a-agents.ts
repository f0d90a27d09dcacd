import { setTimeout as wait } from 'node:timers/promises';
import type { AgentCard } from '@a2a-js/sdk';
import { z } from 'zod';
import { plainLine } from '../../../contracts/text.ts';
import { type Log, maskSecrets } from '../../lib/log.ts';
import { printable } from '../../lib/printable.ts';
import { defineTool } from '../define-tool.ts';
import type { OutsideTool } from '../port.ts';
import { type CalledAgent, callAgent, cancelOpen } from './a2a-call.ts';
import { a2aMessages } from './messages.ts';
import type { A2aAgentConfig, A2aTools } from './port.ts';
import { RemoteAgent, reasonOf } from './remote-agent.ts';

/** Longest wait for the cards by those who need the tools, in milliseconds: an agent may hang. */
const TRIED_MS = 10_000;

/** Default limit of one call, in milliseconds: an agent works for a while. */
const TIMEOUT_MS = 60 * 60 * 1_000;

/** Longest description that a card gives, in characters: every prompt contains it. */
const DESCRIPTION_CHARS_MAX = 1_000;

/** Values of headers, which must not come back in a text: whole, and a token without its scheme. */
const secretsOf = ({ headers = {} }: A2aAgentConfig): string[] =>
  Object.values(headers).flatMap((value) => [value, value.replace(/^\w+\s+/, '')]);

const describe = (name: string, card: AgentCard | null, hide: (text: string) => string): string => {
  const texts = a2aMessages('en');
  const said = card === null ? '' : `${card.name}: ${card.description}`;
  const about = plainLine(hide(printable(said.replace(/\p{Cf}/gu, ''))).toWellFormed(), DESCRIPTION_CHARS_MAX);
  return `${about === '' ? texts.about(name) : about} ${texts.usage}`;
};

/** An agent as a tool, by its card, or by its configured name alone. */
const createTool = (config: A2aAgentConfig, card: AgentCard | null, agent: CalledAgent): OutsideTool => {
  const { approval = false, source = 'untrusted', writes = true, timeoutMs = TIMEOUT_MS } = config;
  const tool = defineTool({
    name: agent.name,
    description: describe(agent.name, card, agent.hide),
    input: z.object({ message: z.string().min(1).describe(a2aMessages('en').message) }),
    // After a crash it is called again: to go on with what it began, and never to begin it twice.
    effect: 'idempotent',
    writes,
    timeoutMs,
    ...(approval && { approval }),
    ...(source === 'untrusted' && { source }),
    run: () => ({ ok: false, result: '' }),
  });
  return {
    ...tool,
    origin: { kind: 'a2a', server: agent.name },
    async run(input, call) {
      let read: { message: string };
      try {
        read = (await tool.parseInput?.(input, call.language)) as { message: string };
      } catch (error) {
        return { ok: false, result: (error as Error).message };
      }
      return callAgent(agent, read.message, call);
    },
  };
};

const openAgent = (name: string, config: A2aAgentConfig, log: Log) => {
  const hide = maskSecrets(secretsOf(config));
  const remote = new RemoteAgent(config, hide, (card) => {
    tool = createTool(config, card, agent);
    log.info({ a2a_agent: name }, 'the card of an A2A agent was read');
  });
  const agent: CalledAgent = { name, isIdempotent: config.idempotent === true, remote, hide, open: new Map() };
  let tool = createTool(config, null, agent);
  const read = remote.open().then(
    () => undefined,
    (error: unknown) =>
      log.warn(
        { a2a_agent: name, reason: reasonOf(error, hide) },
        'the card of an A2A agent cannot be read; it is tried again when the agent is called',
      ),
  );
  return { agent, read, tool: () => tool };
};

/** Offers each configured agent as a tool, and reads their cards meanwhile. */
export const openA2aAgents = (agents: Readonly<Record<string, A2aAgentConfig>>, log: Log): A2aTools => {
  const all = Object.entries(agents).map(([name, config]) => openAgent(name, config, log));
  const read = Promise.all(all.map((each) => each.read));
  return {
    tools: () => all.map(({ tool }) => tool()),
    agents: () => all.map(({ agent: { name, remote } }) => ({ name, ...remote.state() })),
    tried: Promise.race([read, wait(TRIED_MS, undefined, { ref: false })]).then(() => undefined),
    taskEnded: async (taskId) => {
      await Promise.all(all.map(({ agent }) => cancelOpen(agent, taskId)));
    },
  };
};
