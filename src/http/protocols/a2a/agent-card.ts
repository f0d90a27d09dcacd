import { AgentCard } from '@a2a-js/sdk';
import type { FastifyRequest } from 'fastify';
import type { ProtocolParts } from '../port.ts';

/** The version of a request that names none. */
export const UNNAMED_VERSION = '0.3';

const MEDIA_TYPES = ['text/plain', 'application/json'];

const SECURITY = {
  securitySchemes: { bearer: { httpAuthSecurityScheme: { description: 'A key of this service', scheme: 'Bearer' } } },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
};

/** The agent card, reachable as the request reached it. Names no user and no session. */
export const agentCard = (
  { protocol, host }: FastifyRequest,
  { version, access }: Pick<ProtocolParts, 'version' | 'access'>,
): AgentCard =>
  AgentCard.fromJSON({
    name: 'Tripact',
    description:
      'Plans a goal, works through the plan with its tools, asks where it must, and answers. A task that asks waits for days, also across restarts.',
    version,
    supportedInterfaces: ['1.0', UNNAMED_VERSION].map((protocolVersion) => ({
      url: `${protocol}://${host}/a2a`,
      protocolBinding: 'JSONRPC',
      protocolVersion,
    })),
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    ...(access.isRequired() && SECURITY),
    defaultInputModes: MEDIA_TYPES,
    defaultOutputModes: MEDIA_TYPES,
    skills: [
      {
        id: 'run',
        name: 'Reach a goal',
        description:
          'Takes a goal in words, in English or Chinese. Answers to its questions are messages of the same task; "continue" lets a paused task go on.',
        tags: ['agent', 'planning', 'tools'],
        examples: ['Put milk on my list and plan the shopping for Saturday', '把牛奶加入待办'],
        inputModes: MEDIA_TYPES,
        outputModes: MEDIA_TYPES,
      },
    ],
  });
