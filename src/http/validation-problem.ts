import type { FastifyError } from 'fastify';
import type { Problem } from '../../contracts/http.ts';
import { problemOf } from './problem.ts';

/** Faults listed in one reply: a caller that sends more of them won't read them all. */
const FAULTS_LISTED_MAX = 20;

/** Longest path or message of a fault, in characters: both can quote what the caller sent. */
const FAULT_CHARS_MAX = 200;

type Fault = NonNullable<Problem['errors']>[number];

/** Where the framework found the fault, in a caller's words. */
const places: Record<string, string> = { querystring: 'query', params: 'path' };

const cut = (text: string): string => text.slice(0, FAULT_CHARS_MAX);

const faultsOf = (
  place: string,
  { instancePath, message = 'is invalid', params }: NonNullable<FastifyError['validation']>[number],
): Fault[] => {
  const path = `${place}${instancePath === '/' ? '' : instancePath.replaceAll('/', '.')}`;
  const unknown = Array.isArray(params['keys']) ? params['keys'].slice(0, FAULTS_LISTED_MAX) : [];
  if (unknown.length > 0)
    return unknown.map((key) => ({ path: cut(`${path}.${key}`), message: 'is not a known field' }));
  return [{ path: cut(path), message: cut(message) }];
};

/** A request that does not fit its schema, fault by fault: `{path: "body.input", message}` (SPEC 11). */
export const validationProblem = ({ validation = [], validationContext = 'body' }: FastifyError): Problem => {
  const place = places[validationContext] ?? validationContext;
  const faults = validation.flatMap((fault) => faultsOf(place, fault)).slice(0, FAULTS_LISTED_MAX);
  const detail = faults.map(({ path, message }) => `${path}: ${message}`)[0] ?? `The ${place} is invalid`;
  return problemOf(place === 'path' ? 'INVALID_SESSION_ID' : 'INVALID_REQUEST', detail, faults);
};
