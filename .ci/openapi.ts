/** `npm run openapi`: describes the API in OpenAPI 3.1, in a file that the service serves. A test holds that the file is fresh. Serves nothing. */
import fastifySwagger from '@fastify/swagger';
import Fastify from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import manifest from 'tripact/package.json' with { type: 'json' };
import { z } from 'zod';
import { addApiRoutes } from '../src/http/routes/api.ts';
import { addHealthRoutes } from '../src/http/routes/health.ts';
import type { RouteParts } from '../src/http/routes/port.ts';
import { zodCompilers } from '../src/http/server/server.ts';
import { completed, nameSchemas } from './openapi-document.ts';

const TAGS = {
  turns: 'Inputs and the replies to them.',
  sessions: 'Conversations, named by their callers.',
  tasks: 'Goals with their plans: what each is at, and what waits for you.',
  approvals: "Actions of anybody's tasks that wait for you as an approver.",
  plans: "Plans that a session keeps under names. They are no task's, and nothing runs them.",
  files: "What tasks keep in their session's folder.",
  todos: 'Your todos and your schedule, the same in all sessions.',
  goals: 'Goals on a schedule, which open tasks at their times.',
  traces: 'All that happened, entry by entry, to be read and replayed.',
  contracts: 'What a model may say.',
  tools: 'What tasks may use.',
  'sign-ins': 'Your sign-ins at MCP servers.',
  memory: 'The facts remembered about you across sessions.',
  callbacks: 'What is posted to programs, and what came of it.',
  limits: 'What is limited, and what you used.',
  keys: 'Who may call, for operators.',
  users: 'The users of front ends, for operators.',
  health: 'How the service is.',
};

const app = Fastify({ schemaController: zodCompilers });
nameSchemas();
await app.register(fastifySwagger, {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Tripact',
      version: manifest.version,
      description:
        'Turns an input into a plan, works through it step by step, and answers. Errors are RFC 9457 problems, whose `type` ' +
        'is `/problems/` and the code in lower case with hyphens, such as `/problems/task-running`. Streams of events and lines of ' +
        'JSON are described as the list of all their values, each with its JSON parsed.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Tripact' },
    },
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key of the service.' } },
    },
    servers: [{ url: '/', description: 'This service' }],
    // Without any key the service is open.
    security: [{ key: [] }, {}],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  },
  transform: (route) => {
    const params = route.schema?.params;
    // A path of several segments has a name in the description.
    if (!route.url.endsWith('/*') || !(params instanceof z.ZodObject)) return jsonSchemaTransform(route);
    const { '*': path, ...others } = params.shape;
    const url = route.url.replace(/\*$/, ':path');
    return jsonSchemaTransform({ ...route, url, schema: { ...route.schema, params: z.object({ ...others, path }) } });
  },
  transformObject: jsonSchemaTransformObject,
});
// Handlers are never called.
const parts = {} as RouteParts;
addApiRoutes(app, parts);
addHealthRoutes(app, parts);
await app.ready();
// A value a line, so that two changes of the API seldom meet in one.
console.log(JSON.stringify(completed(app.swagger()), null, 1));
