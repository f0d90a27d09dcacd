import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { z } from 'zod';
import { Problem } from '../../../contracts/http.ts';
import { SessionId } from '../../../contracts/ids.ts';
import { CURSOR, type Page, type PageRequest } from '../../lib/page.ts';
import { PROBLEM_JSON } from '../problem.ts';

/** The media type of a trace: one JSON object a line. */
export const NDJSON = 'application/x-ndjson';

/** The media type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream';

const content = <Value extends z.ZodType>(description: string, type: string, schema: Value) => ({
  description,
  content: { [type]: { schema } },
});

const problem = (description: string) => content(description, PROBLEM_JSON, Problem);

/** Problems of any route besides its own, for the API's description. */
const problems = {
  '4xx': problem('The request can not be served; `type` says why'),
  '5xx': problem('The service can not serve it now'),
} as const;

const noQuery = z.strictObject({});

/**
 * Describes the routes of one tag: each by its name in clients, a summary and its schemas. `config` is the same for all of them. A query parameter that
 * a route does not name is refused (SPEC 11).
 */
export const operations =
  (tag: string, config: FastifyContextConfig = {}) =>
  <const Schema extends FastifySchema>(operationId: string, summary: string, schema: Schema) => {
    const described = { operationId, summary, tags: [tag], querystring: noQuery, ...schema };
    return { config, schema: { ...described, response: { ...(schema.response as object), ...problems } } as Schema };
  };

/** One JSON value. */
export const json = <Value extends z.ZodType>(description: string, value: Value) =>
  content(description, 'application/json', value);

/** Nothing but a status. */
export const nothing = (description: string) => z.null().meta({ description });

/** Text of another kind than JSON. */
export const textOf = (description: string, type: string) => content(description, type, z.string());

/**
 * Values one after the other, described as OpenAPI 3.2 describes sequential media types: as the list of them all, each with its JSON
 * parsed. What is sent is lines (`NDJSON`) or server-sent events (`EVENT_STREAM`).
 */
export const sequenceOf = <Item extends z.ZodType>(description: string, type: string, item: Item) =>
  content(description, type, z.array(item));

/** The parameters of an address within a session. */
export const InSession = z.object({ session_id: SessionId.meta({ description: 'The name of the session.' }) });

/** The parameters of an address of one task. Any text: a malformed id is one that does not exist. */
export const OfTask = z.object({ task_id: z.string().meta({ description: 'The id of the task.' }) });

/** A seq in a query or a header: at most 15 digits, so that it is exact as a number. */
export const seqParam = (description: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be the seq of an entry: a whole number, 0 for the beginning')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 0, pattern: undefined, description });

/** Items in one reply: what a person scrolls through, and the most that a client may ask for. */
const ITEMS_DEFAULT = 50;
const ITEMS_MAX = 500;

/** The query of every list: which page of it is wanted (SPEC 11). */
export const Paging = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, `must be 1 to ${ITEMS_MAX}`)
    .transform(Number)
    .refine((limit) => limit <= ITEMS_MAX, `must be 1 to ${ITEMS_MAX}`)
    .optional()
    .meta({
      ...{ type: 'integer', minimum: 1, maximum: ITEMS_MAX, pattern: undefined },
      description: `At most so many, up to ${ITEMS_MAX}; default ${ITEMS_DEFAULT}.`,
    }),
  cursor: z
    .string()
    .regex(CURSOR, 'must be the `next` of another page')
    .optional()
    .meta({ description: 'The `next` of the page before; without it, the first page.' }),
});

const nextCursor = z.string().nullable().meta({ description: 'The `cursor` of the next page; null at the end.' });

/** The page that a list's query asks for. */
export const pageOf = ({ limit = ITEMS_DEFAULT, cursor }: z.infer<typeof Paging>): PageRequest => ({
  limit,
  after: cursor,
});

/** A page of a list, under the list's name. */
export const page = <
  Name extends string,
  Item extends z.ZodType,
  More extends z.ZodRawShape = Record<never, z.ZodType>,
>(
  name: Name,
  item: Item,
  more: More = {} as More,
) => {
  const list = { [name]: z.array(item) } as Record<Name, z.ZodArray<Item>>;
  return json(`A page of ${name}`, z.object({ ...more, ...list, next: nextCursor }));
};

/** The reply with a page. */
export const pageReply = <Name extends string, Item>(name: Name, { items, next }: Page<Item>) =>
  ({ [name]: items, next }) as Record<Name, Item[]> & { next: string | null };
