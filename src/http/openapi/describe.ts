import type { RouteOptions } from 'fastify';
import { componentSchemas } from './components.ts';
import { describeComponents } from '../described-components.ts';
import { withOptionalBodies, withUsedSchemas } from './document.ts';
import { describePaths, OPENAPI_VERSION } from '../described-paths.ts';
import { withWebhooks } from './webhooks.ts';

/** What the routes are about, in the order in which people meet them. */
const TAGS = {
  turns: 'Inputs and the replies to them.',
  sessions: 'Conversations, named by their callers.',
  tasks: 'Goals with their plans: what each is at, and what waits for you.',
  plans: "Plans that a session keeps under names. They are no task's, and nothing runs them.",
  files: "What tasks keep in their session's folder.",
  traces: 'All that happened, entry by entry, to be read and replayed.',
  contracts: 'What a model may say.',
  tools: 'What tasks may use.',
  callbacks: 'What is posted to programs, and what came of it.',
  limits: 'Where everything that grows ends, and what you used.',
  keys: 'Who may call, for operators.',
  health: 'How the service is.',
};

/** What is described. */
export interface DescribedApi {
  version: string;
  needsKey: boolean;
  /** The routes with their zod schemas. Those that hide are left out. */
  routes: readonly RouteOptions[];
}

/** The OpenAPI description in JSON. It is made in pieces, with turns of the event loop between them, for all of it takes 300 ms. */
export const describeApi = async ({ version, needsKey, routes }: DescribedApi): Promise<string> => {
  const registry = componentSchemas();
  const paths = await describePaths(routes, registry);
  const schemas = await describeComponents(registry);
  const securitySchemes = { key: { type: 'http', scheme: 'bearer', description: 'An API key of the service.' } };
  const described = {
    openapi: OPENAPI_VERSION,
    info: {
      title: 'Tripact',
      version,
      description:
        'Turns an input into a plan, works through it step by step, and answers. Errors are RFC 9457 problems, whose `type` ' +
        'is `/problems/` and the code in lower case with hyphens, such as `/problems/task-running`. Streams of events and lines of ' +
        'JSON are described as the list of all their values, each with its JSON parsed.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Tripact' },
    },
    components: { ...(needsKey && { securitySchemes }), schemas },
    paths,
    servers: [{ url: '/', description: 'This service' }],
    security: needsKey ? [{ key: [] }] : [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  };
  return JSON.stringify(withUsedSchemas(withWebhooks(withOptionalBodies(described))));
};
