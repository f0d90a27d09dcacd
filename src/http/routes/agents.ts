import type { FastifyInstance } from 'fastify';
import { AgentView } from '../../../contracts/agent.ts';
import type { RouteParts } from './port.ts';
import { routesOf } from './schemas.ts';

/** `GET /v1/agents`: the agents that a session's first turn can name (SPEC 8, 11). */
export const addAgentRoutes = (app: FastifyInstance, { agents }: Pick<RouteParts, 'agents'>): void => {
  routesOf(app, 'tools').list('/v1/agents', 'listAgents', {
    summary: 'The agents of the service',
    description:
      'Those that the first turn of a session can name as its `agent`, in the order of the configuration. Empty: the service has one agent, without a name.',
    items: { agents: AgentView },
    read: async (_request, { limit, after = '0' }) => {
      const all = agents();
      const from = Math.trunc(Number(after));
      const end = from + limit;
      return { items: all.slice(from, end), next: end < all.length ? String(end) : null };
    },
  });
};
