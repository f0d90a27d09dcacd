import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type ErrorCode, errorStatus, problemType } from '../../../contracts/error-code.ts';
import type { Description } from './api.ts';
import type { Exchange, WireResponse } from './exchange.ts';

/** What is wrong with one response, in words; null where all is right. */
export type CheckResponse = (exchange: Exchange) => string | null;

/** The status of every type that a problem may have. A fault of the protocol has no code of its own. */
const problemStatus: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(errorStatus).map(([code, status]) => [problemType(code as ErrorCode), status]),
);

const mediaTypeOf = ({ headers }: WireResponse): string => headers['content-type']?.split(';')[0]?.trim() ?? '';

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

const pointer = (...names: string[]): string =>
  names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

/** Makes the check of all responses against a description: statuses, media types, schemas, and problems. */
export const responseCheck = (description: Description): CheckResponse => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(description, 'api');
  const schemaAt = (...names: string[]): ValidateFunction => {
    const found = ajv.getSchema(`api#${pointer(...names)}`);
    if (found === undefined) throw new Error(`no schema at ${names.join(' ')}`);
    return found;
  };
  const isProblem = schemaAt('components', 'schemas', 'Problem');

  const problemFault = (response: WireResponse): string | null => {
    if (mediaTypeOf(response) !== 'application/problem+json') return `${mediaTypeOf(response)} is no problem`;
    const problem = parsed(response.body) as { type: string; status: number };
    if (!isProblem(problem)) return ajv.errorsText(isProblem.errors);
    if (problem.status !== response.status) return `the problem says ${problem.status}`;
    if (problem.type === 'about:blank') return null;
    if (problemStatus[problem.type] === undefined) return `unknown type ${problem.type}`;
    return problemStatus[problem.type] === response.status ? null : `${problem.type} has another status`;
  };

  return ({ request, response }) => {
    if (response === null) return request.isBrokenMessage ? null : 'closed without a response';
    const { status } = response;
    if (status >= 500 && status !== 503) return 'the service failed';
    // Headers that are too long are refused before the method is known.
    if (request.method === 'HEAD' && status !== 431) return response.body === '' ? null : 'a body to HEAD';
    // What Node's parser refuses never reaches a route: it has a bare error.
    if (request.isBrokenMessage || status === 431) return null;
    if (status >= 400) return problemFault(response);
    const { operation } = request;
    if (operation === null) return null;
    const mediaTypes = operation.responses[status];
    if (mediaTypes === undefined) return 'the status is not documented';
    if (status === 204) return response.body === '' ? null : 'a body to 204';
    const mediaType = mediaTypeOf(response);
    // The stream of a turn that is posted is described with the turn's events, at their own address.
    if (mediaType === 'text/event-stream' && request.method === 'POST' && operation.path.endsWith('/turns'))
      return null;
    if (mediaTypes.length > 0 && !mediaTypes.includes(mediaType)) return `${mediaType} is not documented`;
    if (mediaType !== 'application/json') return null;
    const { path, method } = operation;
    const validate = schemaAt(
      ...['paths', path, method.toLowerCase(), 'responses', String(status), 'content', mediaType, 'schema'],
    );
    return validate(parsed(response.body)) ? null : ajv.errorsText(validate.errors);
  };
};
