import { z } from 'zod';
import { Problem } from '../../contracts/http.ts';
import { PROBLEM_JSON } from './problem.ts';

/** The media type of a trace: one JSON object a line. */
export const NDJSON = 'application/x-ndjson';

/** The media type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream';

const content = <Value extends z.ZodType>(description: string, type: string, schema: Value) => ({
  description,
  content: { [type]: { schema } },
});

const problem = (description: string) => content(description, PROBLEM_JSON, Problem);

/** What any route may answer besides its own, for the API's description. */
export const problems = {
  '4xx': problem('The request can not be served; `type` says why'),
  '5xx': problem('The service can not serve it now'),
} as const;

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
