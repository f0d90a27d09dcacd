import { AgentCard } from '@a2a-js/sdk';
import type { FastifyRequest } from 'fastify';
import type { AgentView } from '../../../../contracts/agent.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { ProtocolParts } from '../port.ts';

/** The protocol version of a request that names none. */
export const UNNAMED_VERSION = '0.3';

const MEDIA_TYPES = ['text/plain', 'application/json'];

/** The media types that a message may have; the model decides what it can look at. Word and Excel files need packages. */
const INPUT_TYPES = [
  ...MEDIA_TYPES,
  'text/csv',
  'text/markdown',
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'application/pdf',
];

const SECURITY = {
  securitySchemes: { bearer: { httpAuthSecurityScheme: { description: 'A key of this service', scheme: 'Bearer' } } },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
};

/** The agent that the address of a request names; undefined: it names none. Throws `NOT_FOUND` for one that there is not. */
export const agentIn = (
  { params }: FastifyRequest,
  { agents }: Pick<ProtocolParts, 'agents'>,
): AgentView | undefined => {
  const { agent: named } = params as { agent?: string };
  if (named === undefined) return undefined;
  const found = agents().find(({ name }) => name === named);
  if (found === undefined) throw new ServiceError('NOT_FOUND', 'There is no agent with that name');
  return found;
};

/**
 * The card of the service, or of the agent that the address names, with the address by which the request arrived. Names
 * no user and no session. Throws `NOT_FOUND` for an agent that there is not.
 */
export const agentCard = (
  request: FastifyRequest,
  parts: Pick<ProtocolParts, 'version' | 'access' | 'agents'>,
): AgentCard => {
  const { protocol, host, prefix } = request;
  const { version, access } = parts;
  const agent = agentIn(request, parts);
  return AgentCard.fromJSON({
    name: agent?.name ?? 'Tripact',
    description:
      agent?.description ||
      'Plans a goal, works through the plan with its tools, asks questions where necessary, and answers. A task that asks can wait for days, also across restarts.',
    version,
    supportedInterfaces: ['1.0', UNNAMED_VERSION].map((protocolVersion) => ({
      url: `${protocol}://${host}${prefix}/a2a${agent === undefined ? '' : `/${agent.name}`}`,
      protocolBinding: 'JSONRPC',
      protocolVersion,
    })),
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    ...(access.isRequired() && SECURITY),
    defaultInputModes: INPUT_TYPES,
    defaultOutputModes: MEDIA_TYPES,
    skills: [
      {
        id: 'run',
        name: 'Reach a goal',
        description:
          'Takes a goal in English or Chinese. Answer its questions by messages in the same task; "continue" resumes a paused task.',
        tags: ['agent', 'planning', 'tools'],
        examples: ['Put milk on my list and plan the shopping for Saturday', '把牛奶加入待办'],
        inputModes: INPUT_TYPES,
        outputModes: MEDIA_TYPES,
      },
    ],
  });
};
