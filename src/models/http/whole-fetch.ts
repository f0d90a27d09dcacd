import { MCP_MESSAGE_VALUES_MAX } from '../../../contracts/limits.ts';
import { createMessageMeter } from '../../message-meter.ts';
import { createHttpFetch } from './http-fetch.ts';
import { NoAnswer, readBody } from './no-answer.ts';
import { parseBody } from './parse-body.ts';

/** Body of an error response that the SDK may parse: broken off, too long or no JSON is left empty, a page as its first tag. */
const errorBody = async (response: Response): Promise<string> => {
  const body = await response.text().catch(() => '');
  try {
    parseBody(body);
    return body;
  } catch {
    return body.trimStart().startsWith('<') ? '<html>' : '';
  }
};

/** Throws `NoAnswer` for a body of far more values than an answer has: the SDK validates each, and explains each that is wrong. */
const checkValues = (body: string): void => {
  if (body.length <= MCP_MESSAGE_VALUES_MAX) return;
  try {
    createMessageMeter('body')(Buffer.from(body));
  } catch (cause) {
    throw new NoAnswer((texts) => texts.tooManyValues(MCP_MESSAGE_VALUES_MAX), { cause });
  }
};

/**
 * A `fetch` for SDKs that read whole JSON bodies, with the watch of `createHttpFetch`: silence, length, brackets and values. A response comes
 * only when all of it is here and parses; what is no JSON rejects with `NoAnswer`. It never streams.
 */
export const createWholeFetch = (idleMs: number): typeof fetch => {
  const watched = createHttpFetch(idleMs);
  return async (input, init) => {
    const response = await watched(input, init);
    const { status, statusText, headers } = response;
    if (!response.ok) return new Response(await errorBody(response), { status, statusText, headers });
    const body = await readBody(response);
    checkValues(body);
    parseBody(body);
    return new Response(body, { status, statusText, headers });
  };
};
