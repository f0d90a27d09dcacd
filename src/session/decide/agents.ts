import { messages } from '../../../contracts/messages/messages.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { NewTurn, SessionImage } from '../image.ts';
import type { AgentNames } from '../input.ts';
import type { SessionDraft } from './session-draft.ts';
import { commandLanguage } from './task-controls.ts';

/** The agent that works in a session; null: none was chosen yet. A session from before there were agents has the default. */
export const chosenAgent = ({ session, recent }: SessionImage, { standard }: AgentNames): string | null =>
  session.agent ?? (recent === null ? null : standard);

/** The agent of the session's next task; null: the service has one agent, without a name. */
export const nextAgent = (image: SessionImage, agents: AgentNames): string | null =>
  chosenAgent(image, agents) ?? agents.standard;

/**
 * Takes the agent that a turn names, for good. Throws `INVALID_REQUEST` for a name that no agent has, and
 * `ANOTHER_AGENT` where another one works in the session.
 */
export const takeAgent = (draft: SessionDraft, { agent }: NewTurn, agents: AgentNames): void => {
  if (agent === undefined) return;
  const { names } = agents;
  if (!names.includes(agent)) {
    const message =
      names.length === 0
        ? 'This service has no agents by name'
        : `There is no agent "${agent}"; the agents are ${names.join(', ')}`;
    throw new ServiceError('INVALID_REQUEST', message, { errors: [{ path: 'agent', message }] });
  }
  const chosen = chosenAgent(draft.image, agents);
  if (chosen !== null && chosen !== agent)
    throw new ServiceError(
      'ANOTHER_AGENT',
      `The agent "${chosen}" works in this session; begin another session for "${agent}"`,
    );
  draft.chooseAgent(agent);
};

/** The reply to a turn in a session whose agent the configuration has no more; null: it has it. */
export const goneAgent = (
  draft: SessionDraft,
  { input }: Pick<NewTurn, 'input'>,
  agents: AgentNames,
): string | null => {
  const { agent } = draft.image.session;
  if (agent === null || agents.names.includes(agent)) return null;
  return messages(commandLanguage(draft, input)).controls.agentGone(agent, agents.names);
};
