import { createHash } from 'node:crypto';
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  onSendAsyncHookHandler,
  RouteShorthandOptions,
} from 'fastify';
import { z } from 'zod';
import { AnyOwner } from '../../../contracts/access.ts';
import { Problem } from '../../../contracts/http.ts';
import { SessionId } from '../../../contracts/ids.ts';
import { CURSOR, ITEMS_DEFAULT, ITEMS_MAX, type Page, type PageRequest } from '../../lib/page.ts';
import { PROBLEM_JSON } from '../server/problem.ts';

export const NDJSON = 'application/x-ndjson';

export const EVENT_STREAM = 'text/event-stream';

const content = <Value extends z.ZodType>(description: string, type: string, schema: Value) => ({
  description,
  content: { [type]: { schema } },
});

const problem = (description: string) => content(description, PROBLEM_JSON, Problem);

/** Problems that any route can return, for the API's description. */
const problems = {
  '4xx': problem('The request is refused; `type` says why'),
  '5xx': problem('The service cannot serve the request now'),
} as const;

export const json = <Value extends z.ZodType>(description: string, value: Value) =>
  content(description, 'application/json', value);

/** A reply without a body. */
export const nothing = (description: string) => z.null().meta({ description });

/** A body of text other than JSON. */
export const textOf = (description: string, type: string) => content(description, type, z.string());

/**
 * A sequence of values, sent as lines (`NDJSON`) or server-sent events (`EVENT_STREAM`), described as a list (OpenAPI
 * 3.2).
 */
export const sequenceOf = <Item extends z.ZodType>(description: string, type: string, item: Item) =>
  content(description, type, z.array(item));

const param = (description: string) => z.string().meta({ description });

/**
 * Parameters of addresses. Sessions and owners have checked names. Other ids may be any text: a malformed id is one
 * that does not exist.
 */
const PARAMS = {
  session_id: SessionId.meta({ description: 'The name of the session.' }),
  task_id: param('The id of the task.'),
  turn_id: param('The id of the turn.'),
  effect_id: param('The id of the effect, as its trace entry has it.'),
  plan_id: param("The plan's name in its session."),
  step_index: param('The number of the step, from 0.'),
  server: param('The configured name of the MCP server.'),
  approval_id: param('The id of the approval.'),
  callback_id: param('The id of the callback.'),
  fact_id: param('The number of the fact.'),
  goal_id: param('The number of the goal.'),
  rerun_id: param('The id of the rerun.'),
  lane: param('`again` or `candidate`.'),
  key_id: param('The id of the key.'),
  owner: AnyOwner.meta({ description: 'Whose quota it is.' }),
  user: param('The user as listed, or by the name that the front end uses: `{owner of its key}~{name}`.'),
  '*': param('The path of the file.'),
};

const paramsIn = (path: string) => {
  const names = path.match(/(?<=:)\w+|\*/g) ?? [];
  return names.length === 0
    ? {}
    : { params: z.object(Object.fromEntries(names.map((name) => [name, PARAMS[name as keyof typeof PARAMS]]))) };
};

/** A seq in a query or a header. */
export const seqParam = (description: string) =>
  z.coerce.number().int().min(0, 'must be the seq of an entry, 0 for the beginning').optional().meta({ description });

/** The query of every list: which page it returns (SPEC 11). */
const Paging = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1, `must be 1 to ${ITEMS_MAX}`)
    .max(ITEMS_MAX, `must be 1 to ${ITEMS_MAX}`)
    .optional()
    .meta({ description: `The most items to return, up to ${ITEMS_MAX}; default ${ITEMS_DEFAULT}.` }),
  cursor: z
    .string()
    .regex(CURSOR, 'must be the `next` of another page')
    .optional()
    .meta({ description: 'The `next` of the page before; without it, the first page.' }),
});

const nextCursor = z.string().nullable().meta({ description: 'The `cursor` of the next page; null at the end.' });

type RouteRequest<Query, Body = unknown> = Omit<FastifyRequest, 'params' | 'query' | 'body'> & {
  params: Record<keyof typeof PARAMS, string>;
  query: Query;
  body: Body;
};

/**
 * A route that replies with one JSON value, or with 204 if it has no `returns`. A route with its own `schema.response`
 * sends its reply itself.
 */
interface Operation<Query extends z.ZodType, Body extends z.ZodType, Value extends z.ZodType> {
  summary: string;
  description: string;
  schema?: FastifySchema;
  options?: RouteShorthandOptions;
  query?: Query;
  body?: Body;
  returns?: Value;
  /** The status of success; default 200. */
  status?: 201 | 202;
  success?: string;
  handle(
    request: RouteRequest<z.output<Query>, z.output<Body>>,
    reply: FastifyReply,
  ): Promise<z.output<Value> | FastifyReply>;
}

/**
 * A route that replies with a page of a list. `items` has the list's name and the schema of one item; `more` has
 * further fields of the reply.
 */
interface Listing<Item extends z.ZodType, Query extends z.ZodRawShape, More extends z.ZodRawShape> {
  summary: string;
  description: string;
  items: Record<string, Item>;
  more?: More;
  /** The reply has an `etag`, and is 304 for a caller that already has it. */
  isTagged?: boolean;
  /** Query parameters in addition to, or in place of, those of every list. */
  query?: Query;
  read(
    request: RouteRequest<z.output<z.ZodObject<Query>>>,
    page: PageRequest,
  ): Promise<Page<z.output<Item>> & { [Name in keyof NoInfer<More>]: z.output<More[Name]> }>;
}

type NoShape = Record<never, z.ZodType>;

/** Gives a reply the `etag` of its body, and sends no body to a caller that already has it. */
const tagged: onSendAsyncHookHandler = async ({ headers }, reply, payload) => {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
  const tag = `"${createHash('sha256').update(payload).digest('base64url')}"`;
  reply.header('etag', tag);
  return headers['if-none-match'] === tag ? void reply.code(304) : payload;
};

/**
 * Adds routes with one tag, each with its address, its name in clients, its input and its output. Refuses query
 * parameters that a route does not name (SPEC 11).
 */
export const routesOf = (app: FastifyInstance, tag: string, config: FastifyContextConfig = {}) => {
  const route = <Query extends z.ZodType, Body extends z.ZodType, Value extends z.ZodType = z.ZodVoid>(
    address: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
    operationId: string,
    operation: Operation<Query, Body, Value>,
  ): void => {
    const { summary, description, schema, options, query, body, returns, success = 'Success', handle } = operation;
    const [method = '', url = ''] = address.split(' ');
    const { status = returns === undefined ? 204 : 200 } = operation;
    const reply = returns === undefined ? nothing(success) : json(success, returns);
    const response = schema?.response ?? { [status]: reply };
    const described: FastifySchema = {
      operationId,
      summary,
      tags: [tag],
      querystring: query ?? z.strictObject({}),
      description,
      ...paramsIn(url),
      ...(body !== undefined && { body }),
      ...schema,
      response: { ...response, ...problems },
    };
    app.route({
      method,
      url,
      config,
      ...options,
      schema: described,
      handler: async (request, reply) => {
        const value = handle(request as never, reply);
        return schema?.response === undefined ? reply.code(status).send((await value) ?? null) : value;
      },
    });
  };
  const list = <Item extends z.ZodType, Query extends z.ZodRawShape = NoShape, More extends z.ZodRawShape = NoShape>(
    path: `/${string}`,
    operationId: string,
    { summary, description, items, more, query, isTagged, read }: Listing<Item, Query, More>,
  ): void => {
    const [[name, item]] = Object.entries(items) as [[string, Item]];
    const Listed: z.ZodType = z.object({ ...more, [name]: z.array(item), next: nextCursor });
    route(`GET ${path}`, operationId, {
      summary,
      description,
      query: Paging.extend(query ?? {}),
      returns: Listed,
      ...(isTagged && { options: { onSend: tagged } }),
      handle: async (request) => {
        const { limit = ITEMS_DEFAULT, cursor: after } = request.query;
        const { items: page, ...rest } = await read(request as never, { limit, after });
        return { [name]: page, ...rest };
      },
    });
  };
  return { route, list };
};
