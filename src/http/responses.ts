import { z } from 'zod';
import { Problem } from '../../contracts/http.ts';
import { PROBLEM_JSON } from './problem.ts';

const problem = (description: string) => ({ description, content: { [PROBLEM_JSON]: { schema: Problem } } });

/** What any route may answer besides its own, for the API's description. */
export const problems = {
  '4xx': problem('The request can not be served; `type` says why'),
  '5xx': problem('The service can not serve it now'),
} as const;

/** One JSON value, or a stream of server-sent events when the caller asks for it. */
export const eventStreamOf = <Value extends z.ZodType>(description: string, value: Value) => ({
  description,
  content: { 'application/json': { schema: value }, 'text/event-stream': { schema: z.string() } },
});

/** Text of another kind than JSON: a stream, or lines of JSON. */
export const textOf = (description: string, type: string) => ({
  description,
  content: { [type]: { schema: z.string() } },
});
