import { z } from 'zod';
import { contractSchemas } from '../../../contracts/answer.ts';
import { JsonSchemaView, McpServerView, ToolView } from '../../../contracts/http.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { json, operations, Paging, page, pageOf } from './schemas.ts';

const described = operations('tools');

const Contracts = z.object({ plan: JsonSchemaView, thought: JsonSchemaView, replan: JsonSchemaView });

/** `GET /v1/tools` and `/v1/contracts`: what tasks that open now may use, how the MCP servers stand, and what a model may say (SPEC 5, 8, 11). */
export const addToolRoutes = (app: HttpApp, { tools, mcp }: RouteDependencies): void => {
  app.get(
    '/v1/tools',
    described('listTools', 'The tools that there are', {
      description: 'Tools of MCP servers come and go with these; `servers` says how each stands.',
      querystring: Paging,
      response: {
        200: page('tools', ToolView, { servers: z.array(McpServerView) }),
      },
    }),
    async ({ query }) => {
      const { limit, after = '0' } = pageOf(query);
      const all = tools.list();
      const from = Math.trunc(Number(after));
      const end = from + limit;
      const views = all.slice(from, end).map(({ origin, isCommand: _, ...tool }) => ({
        ...tool,
        executors: tools.executorsOf(tool.name),
        source: origin.kind,
        server: origin.kind === 'mcp' ? origin.server : null,
      }));
      return { tools: views, servers: mcp.servers(), next: end < all.length ? String(end) : null };
    },
  );

  app.get(
    '/v1/contracts',
    operations('contracts')('getContracts', 'The three contracts', {
      description: 'The JSON Schemas of all that a model may say: a plan, a thought, a replan.',
      response: { 200: json('A JSON Schema for each', Contracts) },
    }),
    async () => contractSchemas(),
  );
};
