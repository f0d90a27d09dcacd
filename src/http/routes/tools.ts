import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { contractSchemas } from '../../../contracts/answer.ts';
import { JsonSchemaView, ScheduleEventView, TodoView, ToolServerView, ToolView } from '../../../contracts/http.ts';
import type { RouteParts } from './port.ts';
import { routesOf } from './schemas.ts';

/**
 * `GET /v1/tools` and `/v1/contracts`: the tools of tasks that open now, the state of the MCP servers and A2A agents, and the answers
 * that a model may give (SPEC 5, 8, 11).
 */
export const addToolRoutes = (
  app: FastifyInstance,
  { tools, mcp, otherAgents }: Pick<RouteParts, 'tools' | 'mcp' | 'otherAgents'>,
): void => {
  routesOf(app, 'tools').list('/v1/tools', 'listTools', {
    summary: 'The available tools',
    description:
      'Tools of MCP servers come and go with their servers; `servers` has the state of each, and of each A2A agent that is a tool.',
    items: { tools: ToolView },
    more: {
      servers: z.array(ToolServerView),
      about_tokens: z
        .number()
        .int()
        .meta({ description: 'Approximate number of tokens in each prompt for all tools that models can call.' }),
    },
    read: async (_request, { limit, after = '0' }) => {
      const all = tools.list();
      const from = Math.trunc(Number(after));
      const end = from + limit;
      const items = all.slice(from, end).map(({ origin, isCommand: _command, schema_chars: _chars, ...tool }) => ({
        ...tool,
        approvers: tool.approvers && [...tool.approvers],
        executors: tool.for_models ? tools.executorsOf(tool.name) : [],
        source: origin.kind,
        server: 'server' in origin ? origin.server : null,
      }));
      const about_tokens = all.reduce((sum, tool) => sum + (tool.for_models ? tool.about_tokens : 0), 0);
      const servers = [
        ...mcp.servers().map((server) => ({ ...server, kind: 'mcp' as const })),
        ...otherAgents.agents().map((agent) => ({ ...agent, kind: 'a2a' as const })),
      ];
      return { items, about_tokens, servers, next: end < all.length ? String(end) : null };
    },
  });

  routesOf(app, 'contracts').route('GET /v1/contracts', 'getContracts', {
    summary: 'The three contracts',
    description:
      'The JSON Schemas of all answers that a model may give: a plan, a thought, a replan. With tool calls (the native voice) it gives the same answers in another form, which stored model calls show.',
    returns: z.object({ plan: JsonSchemaView, thought: JsonSchemaView, replan: JsonSchemaView }),
    handle: async () => contractSchemas(),
  });
};

/**
 * `GET /v1/todos` and `GET /v1/schedule`: an owner's todos and events, the same in all sessions. Tools change them
 * (SPEC 8, 11).
 */
export const addTodoRoutes = (app: FastifyInstance, { ownerLists }: Pick<RouteParts, 'ownerLists'>): void => {
  const { list } = routesOf(app, 'todos');

  list('/v1/todos', 'listTodos', {
    summary: 'Your todos',
    description: 'In the order of their creation, including done ones.',
    items: { todos: TodoView },
    read: ({ owner }, page) => ownerLists.todos(owner, page),
  });

  list('/v1/schedule', 'listSchedule', {
    summary: 'The events of your schedule',
    description: 'In the order of their creation. A repeating event is listed once, with its rule.',
    items: { events: ScheduleEventView },
    read: ({ owner }, page) => ownerLists.schedule(owner, page),
  });
};
