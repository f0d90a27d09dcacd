import type { FastifyError, FastifyInstance } from 'fastify';
import type { Via } from '../../contracts/by.ts';
import { FRONT_END_BYTES_MAX } from '../../contracts/limits.ts';
import type { ProtocolName } from '../config/settings.ts';
import { ServiceError } from '../lib/errors.ts';
import { madeOnce } from '../lib/once.ts';
import { missingPackages } from '../lib/optional-packages.ts';
import type { Protocol, ProtocolParts } from './protocols/port.ts';
import { refuseRpc, runError } from './protocols/request.ts';
import { errorBody, reportedProblem, setRetryAfter } from './server/problem.ts';

export const protocols: Record<ProtocolName, Protocol> = {
  /** OpenAI's API, as far as chat front ends use it. */
  openai: {
    routes: {
      models: 'GET /v1/models',
      model: 'GET /v1/models/:id',
      chatCompletions: 'POST /v1/chat/completions',
      createConversation: 'POST /v1/conversations',
      conversation: 'GET /v1/conversations/:id',
      updateConversation: 'POST /v1/conversations/:id',
      deleteConversation: 'DELETE /v1/conversations/:id',
      conversationItems: 'GET /v1/conversations/:id/items',
      addItems: 'POST /v1/conversations/:id/items',
      conversationItem: 'GET /v1/conversations/:id/items/:item',
      deleteItem: 'DELETE /v1/conversations/:id/items/:item',
      createResponse: 'POST /v1/responses',
      response: 'GET /v1/responses/:id',
      inputItems: 'GET /v1/responses/:id/input_items',
      deleteResponse: 'DELETE /v1/responses/:id',
      cancelResponse: 'POST /v1/responses/:id/cancel',
      containerFile: 'GET /v1/containers/:id/files/:file/content',
    },
    isOfNobody: ['models', 'model'],
    refuse: (problem, _request, reply) => reply.code(problem.status).send(errorBody(problem)),
    load: () => import('./protocols/openai/handlers.ts'),
  },
  /** The AI SDK's UI message stream, for pages with `useChat`. */
  'ai-sdk': {
    routes: {
      chat: 'POST /api/chat',
      resume: 'GET /api/chat/:id/stream',
      last: 'GET /api/chat/:id/last',
      stop: 'POST /api/chat/:id/stop',
    },
    // The client shows a page the whole body of a refusal as the error message.
    refuse: ({ status, detail }, _request, reply) => reply.code(status).type('text/plain; charset=utf-8').send(detail),
    load: () => import('./protocols/ai-sdk/handlers.ts'),
  },
  /**
   * The Model Context Protocol, with Tripact as a server whose tools are its sessions. Clients of both protocol
   * generations use one address.
   */
  mcp: {
    routes: {
      mcp: 'POST /mcp',
      listen: 'GET /mcp',
      end: 'DELETE /mcp',
      // Where the tool `decide` sends a decision, so that it reaches the node of the task.
      decide: 'POST /mcp/approvals/:approval_id',
    },
    isOfNobody: ['listen', 'end'],
    isOfApproval: ['decide'],
    hasResourceMetadata: true,
    packages: ['@modelcontextprotocol/server'],
    refuse: refuseRpc,
    load: () => import('./protocols/mcp/handlers.ts'),
  },
  /** Agent2Agent 1.0 over JSON-RPC, and 0.3 at the same address. */
  a2a: {
    routes: {
      card: 'GET /.well-known/agent-card.json',
      rpc: 'POST /a2a',
      agentCard: 'GET /a2a/:agent/.well-known/agent-card.json',
      agentRpc: 'POST /a2a/:agent',
    },
    isPublic: ['card', 'agentCard'],
    packages: ['@a2a-js/sdk'],
    refuse: refuseRpc,
    load: () => import('./protocols/a2a/handlers.ts'),
  },
  /**
   * AG-UI, the protocol of CopilotKit and others. A run that is refused before it starts gets an HTTP status with the
   * error that would have ended it.
   */
  'ag-ui': {
    routes: { run: 'POST /agui' },
    refuse: (problem, _request, reply) => reply.code(problem.status).send(runError(problem)),
    load: () => import('./protocols/ag-ui/handlers.ts'),
  },
};

/** The way of a turn that a protocol submits. */
const VIA: Record<ProtocolName, Via> = {
  openai: 'openai',
  'ai-sdk': 'ai_sdk',
  mcp: 'mcp',
  a2a: 'a2a',
  'ag-ui': 'ag_ui',
};

/** Where clients look for the issuer of a resource's tokens; the resource's path follows (RFC 9728). */
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** Serves the description of a protocol's address as a protected resource, for whom it refuses with 401. Public. */
const describeResources = (app: FastifyInstance, routes: readonly string[], issuer: string | null): void => {
  const [path] = new Set(routes.map((route) => route.split(' ')[1] ?? ''));
  for (const url of [RESOURCE_METADATA, `${RESOURCE_METADATA}${path}`])
    app.get(url, { schema: { hide: true } }, async ({ protocol, host, prefix }) => ({
      resource: `${protocol}://${host}${prefix}${path}`,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
    }));
};

const addProtocol = (
  app: FastifyInstance,
  protocolName: ProtocolName,
  parts: ProtocolParts,
  arePublic: boolean,
): void => {
  const {
    routes,
    isPublic = [],
    isOfNobody = [],
    isOfApproval = [],
    packages = [],
    refuse,
    load,
  } = protocols[protocolName];
  const describes = protocols[protocolName].hasResourceMetadata === true && parts.tokenIssuer !== null;
  if (describes && arePublic) describeResources(app, Object.values(routes), parts.tokenIssuer);
  const loaded = madeOnce(async () => {
    const missing = missingPackages(packages);
    if (missing !== null) throw new ServiceError('PACKAGE_MISSING', `This address is not served yet: ${missing}`);
    return (await load()).createHandlers(parts);
  });
  app.setErrorHandler(async (error: FastifyError | Error, request, reply) => {
    const problem = reportedProblem(error, request);
    setRetryAfter(reply, problem.type, error);
    return refuse(problem, request, reply);
  });
  for (const [name, route] of Object.entries(routes)) {
    const [method = '', url = ''] = route.split(' ');
    if (isPublic.includes(name) !== arePublic) continue;
    const saysTheSameToAll = isPublic.includes(name) || isOfNobody.includes(name);
    // Some clients append a slash to the address that they were given.
    for (const each of [url, `${url}/`])
      app.route({
        method,
        url: each,
        // Other GET routes may stream without end.
        exposeHeadRoute: method === 'GET' && saysTheSameToAll,
        bodyLimit: FRONT_END_BYTES_MAX,
        schema: { hide: true },
        config: {
          isOfNobody: isOfNobody.includes(name),
          isOfApproval: isOfApproval.includes(name),
          via: VIA[protocolName],
          ...(describes && { resourceMetadata: `${RESOURCE_METADATA}/${url.split('/')[1]}` }),
        },
        handler: async (request, reply) => (await loaded())[name]!(request, reply),
      });
  }
};

/**
 * Adds the routes of the named protocols, either those that need a key or the public ones. Each formats its own errors.
 * Loads no handlers.
 */
export const addProtocols = (
  app: FastifyInstance,
  names: readonly ProtocolName[],
  parts: ProtocolParts,
  arePublic: boolean,
): void => {
  for (const name of names) void app.register(async (scope) => addProtocol(scope, name, parts, arePublic));
};
