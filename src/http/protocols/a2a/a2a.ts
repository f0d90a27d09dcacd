import type { AgentCard } from '@a2a-js/sdk';
import type { FastifyRequest } from 'fastify';
import type { Protocol, ProtocolParts } from '../port.ts';
import { refuseRpc } from '../request.ts';

const VERSIONS = ['1.0', '0.3'];

const MEDIA_TYPES = ['text/plain', 'application/json'];

/** The agent card, reachable as the request reached it. Names no user and no session. */
export const agentCard = (
  { protocol, host }: FastifyRequest,
  { version, access }: Pick<ProtocolParts, 'version' | 'access'>,
): AgentCard => ({
  name: 'Tripact',
  description:
    'Plans a goal, works through the plan with its tools, asks where it must, and answers. A task that asks waits for days, also across restarts.',
  version,
  provider: undefined,
  supportedInterfaces: VERSIONS.map((protocolVersion) => ({
    url: `${protocol}://${host}/a2a`,
    protocolBinding: 'JSONRPC',
    protocolVersion,
    tenant: '',
  })),
  capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions: [] },
  securitySchemes: {
    bearer: {
      scheme: {
        $case: 'httpAuthSecurityScheme',
        value: { description: 'A key of this service, where it asks for one', scheme: 'Bearer', bearerFormat: '' },
      },
    },
  },
  securityRequirements: access.isRequired() ? [{ schemes: { bearer: { list: [] } } }] : [],
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
      securityRequirements: [],
    },
  ],
  signatures: [],
});

/** Agent2Agent 1.0 over JSON-RPC, and 0.3 at the same address. */
export const a2a: Protocol = {
  routes: { card: 'GET /.well-known/agent-card.json', rpc: 'POST /a2a' },
  isPublic: ['card'],
  bodyBytesMax: 1024 * 1024,
  packages: ['@a2a-js/sdk'],
  refuse: refuseRpc,
  load: () => import('./handlers.ts'),
};
