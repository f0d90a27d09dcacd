import { z } from 'zod';
import { contractSchemas } from '../../../contracts/answer.ts';
import { JsonSchemaView, McpServerView, ToolView } from '../../../contracts/http.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { json, nextCursor, Paging, pageOf, problems } from './schemas.ts';

/** Names of executors in one page, beyond those of its first tool: each of 1,000 tools may have 1,000. */
const EXECUTOR_NAMES_MAX = 20_000;

/** `GET /v1/tools`: what tasks that open now may use, and how the MCP servers stand (SPEC 8, 11). */
export const addToolsRoute = (app: HttpApp, { tools, mcp }: RouteDependencies): void => {
  app.get(
    '/v1/tools',
    {
      schema: {
        operationId: 'listTools',
        summary: 'The tools that there are',
        description: 'Tools of MCP servers come and go with these; `servers` says how each stands.',
        tags: ['tools'],
        querystring: Paging,
        response: {
          200: json(
            'A page of tools, and all MCP servers',
            z.object({ tools: z.array(ToolView), servers: z.array(McpServerView), next: nextCursor }),
          ),
          ...problems,
        },
      },
    },
    async ({ query }) => {
      const { limit, after = '0' } = pageOf(query);
      const all = tools.list();
      const from = Math.trunc(Number(after));
      const views: ToolView[] = [];
      let names = 0;
      for (const { origin, ...tool } of all.slice(from, from + limit)) {
        const executors = tools.executorsOf(tool.name);
        names += executors.length;
        if (views.length > 0 && names > EXECUTOR_NAMES_MAX) break;
        const server = origin.kind === 'mcp' ? origin.server : null;
        views.push({ ...tool, executors, source: origin.kind, server });
      }
      const end = from + views.length;
      return { tools: views, servers: mcp.servers(), next: end < all.length ? String(end) : null };
    },
  );
};

const Contracts = z.object({ plan: JsonSchemaView, thought: JsonSchemaView, replan: JsonSchemaView });

/** `GET /v1/contracts`: the JSON Schemas of all that a model may say (SPEC 5). */
export const addContractRoute = (app: HttpApp): void => {
  app.get(
    '/v1/contracts',
    {
      schema: {
        operationId: 'getContracts',
        summary: 'The three contracts',
        description: 'The JSON Schemas of all that a model may say: a plan, a thought, a replan.',
        tags: ['contracts'],
        response: { 200: json('A JSON Schema for each', Contracts), ...problems },
      },
    },
    async () => contractSchemas(),
  );
};
