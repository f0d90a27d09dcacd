import { z } from 'zod';
import { McpServerView, ToolView } from '../../contracts/http.ts';
import type { HttpApp, RouteDependencies } from './http-app.ts';
import { nextCursor, Paging, pageOf } from './paging.ts';
import { json, problems } from './responses.ts';

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
      const views = all.slice(from, from + limit).map(({ origin, ...tool }) => ({
        ...tool,
        source: origin.kind,
        server: origin.kind === 'mcp' ? origin.server : null,
      }));
      const next = from + limit < all.length ? String(from + limit) : null;
      return { tools: views, servers: mcp.servers(), next };
    },
  );
};
