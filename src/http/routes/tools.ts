import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { contractSchemas } from '../../../contracts/answer.ts';
import { JsonSchemaView, McpServerView, ScheduleEventView, TodoView, ToolView } from '../../../contracts/http.ts';
import type { RouteParts } from './port.ts';
import { routesOf } from './schemas.ts';

/** `GET /v1/tools` and `/v1/contracts`: what tasks that open now may use, how the MCP servers stand, and what a model may say (SPEC 5, 8, 11). */
export const addToolRoutes = (app: FastifyInstance, { tools, mcp }: Pick<RouteParts, 'tools' | 'mcp'>): void => {
  routesOf(app, 'tools').list('/v1/tools', 'listTools', {
    summary: 'The tools that there are',
    description: 'Tools of MCP servers come and go with these; `servers` says how each stands.',
    items: { tools: ToolView },
    more: {
      servers: z.array(McpServerView),
      about_tokens: z
        .number()
        .int()
        .meta({ description: 'Tokens in each prompt of all tools that models are told of, about.' }),
    },
    read: async (_request, { limit, after = '0' }) => {
      const all = tools.list();
      const from = Math.trunc(Number(after));
      const end = from + limit;
      const items = all.slice(from, end).map(({ origin, isCommand: _command, schema_chars: _chars, ...tool }) => ({
        ...tool,
        executors: tool.for_models ? tools.executorsOf(tool.name) : [],
        source: origin.kind,
        server: origin.kind === 'mcp' ? origin.server : null,
      }));
      const about_tokens = all.reduce((sum, tool) => sum + (tool.for_models ? tool.about_tokens : 0), 0);
      return { items, about_tokens, servers: mcp.servers(), next: end < all.length ? String(end) : null };
    },
  });

  routesOf(app, 'contracts').route('GET /v1/contracts', 'getContracts', {
    summary: 'The three contracts',
    description:
      'The JSON Schemas of all that a model may say: a plan, a thought, a replan. By calls of its API (the native voice) it says the same in other words; kept model calls show them.',
    returns: z.object({ plan: JsonSchemaView, thought: JsonSchemaView, replan: JsonSchemaView }),
    handle: async () => contractSchemas(),
  });
};

/** `GET /v1/todos` and `GET /v1/schedule`: an owner's todos and events, the same in all sessions; they are changed by the tools (SPEC 8, 11). */
export const addTodoRoutes = (app: FastifyInstance, { ownerLists }: Pick<RouteParts, 'ownerLists'>): void => {
  const { list } = routesOf(app, 'todos');

  list('/v1/todos', 'listTodos', {
    summary: 'Your todos',
    description: 'In the order in which they were made, done ones too.',
    items: { todos: TodoView },
    read: ({ owner }, page) => ownerLists.todos(owner, page),
  });

  list('/v1/schedule', 'listSchedule', {
    summary: 'The events of your schedule',
    description: 'In the order in which they were made. One that repeats is there once, with its rule.',
    items: { events: ScheduleEventView },
    read: ({ owner }, page) => ownerLists.schedule(owner, page),
  });
};
