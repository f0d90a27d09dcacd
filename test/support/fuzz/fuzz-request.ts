import fc from 'fast-check';
import type { Description, Operation, Parameter } from './api.ts';
import { operationsOf } from './api.ts';
import { hostileBodies, hostileSegments, shortBodies } from './hostile-values.ts';
import { brokenValues, type Definitions, validValues } from './schema-values.ts';

/** Part of a path: as it stands, or the `nth` id of that name that the service gave. */
export type Segment = { text: string } | { nth: number; name: string };

/** One request of the fuzzer, before ids of the service are filled in. */
export interface FuzzRequest {
  /** Whose responses it must get; null where it is no operation of the description. */
  operation: Operation | null;
  method: string;
  segments: readonly Segment[];
  query: string;
  headers: readonly (readonly [string, string])[];
  body: Buffer | null;
  /** True where the message itself is broken, so that the connection may also just be closed. */
  isBrokenMessage: boolean;
}

/** Few sessions, so that requests meet. */
const SESSIONS = ['f1', 'f2', 'f3', 'f4', 'f5'];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

/** Header fields that a server has to cope with, most of them no part of any operation. */
const oddHeaders: readonly (readonly [string, string])[] = [
  ['accept', 'text/event-stream'],
  ['accept', 'application/json;q=0, */*'],
  ['accept', `${'a/b,'.repeat(500)}*/*`],
  ['prefer', 'respond-async'],
  ['prefer', 'respond-async, wait=0;x="'],
  ['prefer', ', '.repeat(2_000)],
  ['idempotency-key', 'k1'],
  ['idempotency-key', 'ü'],
  ['last-event-id', '-1'],
  ['last-event-id', '9'.repeat(30)],
  ['content-type', 'text/plain'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', 'multipart/form-data; boundary='],
  ['content-encoding', 'gzip'],
  ['origin', 'https://evil.example'],
  ['origin', 'null'],
  ['authorization', 'Bearer nobody'],
  ['cookie', 'a=b; '.repeat(200)],
  ['x-request-id', 'x\ty'],
  ['x-request-id', 'a'.repeat(5_000)],
  ['x-http-method-override', 'DELETE'],
  ['if-none-match', '*'],
  ['range', 'bytes=0-0,5-'],
  ['forwarded', 'for="[::1]";host=evil'],
  ['accept-language', 'zh-CN,zh;q=0.9'],
];

/** Fields that make the message itself odd or broken. */
const framingHeaders: readonly (readonly [string, string])[] = [
  ['expect', '100-continue'],
  ['expect', 'something-else'],
  ['connection', 'upgrade'],
  ['upgrade', 'websocket'],
  ['transfer-encoding', 'chunked'],
  ['transfer-encoding', 'gzip, chunked'],
  ['content-length', '5'],
  ['content-length', '-1'],
  ['content-length', '99999999999'],
  ['host', 'evil.example'],
  ['host', ''],
  ['x\u0000y', 'z'],
  ['x', 'a\u0000b'],
  ['te', 'trailers'],
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const encoded = (value: unknown): string => encodeURIComponent(textOf(value).toWellFormed());

const segmentOf = ({ name, schema }: Parameter, root: Definitions): fc.Arbitrary<Segment> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary:
        name === 'session_id'
          ? fc.constantFrom(...SESSIONS).map((text) => ({ text }))
          : fc.nat(30).map((nth) => (name === 'step_index' ? { text: String(nth % 6) } : { nth, name })),
    },
    { weight: 1, arbitrary: validValues(schema, root).map((value) => ({ text: encoded(value) })) },
    { weight: 1, arbitrary: hostileSegments.map((text) => ({ text })) },
  );

const pathOf = ({ path, parameters }: Operation, root: Definitions): fc.Arbitrary<Segment[]> =>
  fc.tuple(
    ...path.split('/').map((part) => {
      const parameter = parameters.find((each) => each.in === 'path' && `{${each.name}}` === part);
      return parameter === undefined ? fc.constant<Segment>({ text: part }) : segmentOf(parameter, root);
    }),
  );

const parameterValues = ({ schema }: Parameter, root: Definitions): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: validValues(schema, root) }, { weight: 1, arbitrary: brokenValues(schema, root) });

const queryOf = ({ parameters }: Operation, root: Definitions): fc.Arbitrary<string> => {
  const known = parameters.filter((each) => each.in === 'query');
  const one = fc.oneof(
    ...known.map((each) => parameterValues(each, root).map((value) => `${each.name}=${encoded(value)}`)),
    fc.constantFrom('', 'unknown=1', 'limit=0', 'limit=1&limit=2', 'limit[]=1', '__proto__=1', '%', '&&&=', '?'),
  );
  return fc.oneof({ weight: known.length > 0 ? 2 : 12, arbitrary: fc.constant('') }, { weight: 2, arbitrary: one });
};

const headersOf = (
  { parameters }: Operation,
  root: Definitions,
): fc.Arbitrary<readonly (readonly [string, string])[]> => {
  const known = parameters.filter((each) => each.in === 'header');
  const one = fc.oneof(
    ...known.map((each) =>
      parameterValues(each, root).map((value) => [each.name, textOf(value).replace(/[^\x20-\x7e]/g, '?')] as const),
    ),
    fc.constantFrom(...oddHeaders),
  );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<readonly (readonly [string, string])[]>([]) },
    { weight: 2, arbitrary: fc.array(one, { maxLength: 3 }) },
  );
};

const jsonOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? '');

const bodyOf = ({ body }: Operation, root: Definitions): fc.Arbitrary<Buffer | null> => {
  if (body === null)
    // Short ones only: a server may hang up on what it never asked for, and its reply can be lost by that.
    return fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: shortBodies });
  return fc.oneof(
    { weight: 6, arbitrary: validValues(body.schema, root).map(jsonOf) },
    { weight: 3, arbitrary: brokenValues(body.schema, root).map(jsonOf) },
    { weight: 1, arbitrary: hostileBodies },
    {
      weight: 1,
      arbitrary: fc
        .tuple(validValues(body.schema, root), fc.nat(60))
        .map(([value, at]) => jsonOf(value).subarray(0, at)),
    },
    { weight: 1, arbitrary: fc.constant(null) },
  );
};

const requestTo = (operation: Operation, root: Definitions): fc.Arbitrary<FuzzRequest> =>
  fc
    .record({
      segments: pathOf(operation, root),
      query: queryOf(operation, root),
      more: headersOf(operation, root),
      body: bodyOf(operation, root),
      framing: fc.oneof(
        { weight: 25, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constantFrom(...framingHeaders) },
      ),
    })
    .map(({ segments, query, more, body, framing }) => {
      const type = operation.body?.mediaType;
      const hasType = more.some(([name]) => name === 'content-type');
      const headers = [...(type === undefined || hasType ? [] : [['content-type', type] as const]), ...more];
      return {
        ...{ operation, method: operation.method, segments, query, body },
        headers: framing === null ? headers : [...headers, framing],
        isBrokenMessage: framing !== null,
      };
    });

/** Requests to addresses and with methods that the description does not have. */
const elsewhere = (operations: readonly Operation[], root: Definitions): fc.Arbitrary<FuzzRequest> =>
  fc.record({
    operation: fc.constant(null),
    method: fc.constantFrom(...METHODS),
    segments: fc.oneof(
      fc.oneof(...operations.map((operation) => pathOf(operation, root))),
      fc
        .array(
          fc.oneof(
            fc.constantFrom(
              'v1',
              'sessions',
              'docs',
              'static',
              'index.html',
              'openapi.json',
              'metrics',
              'turns',
              'v2',
              '',
            ),
            hostileSegments,
          ),
          { minLength: 1, maxLength: 5 },
        )
        .map((texts) => [{ text: '' }, ...texts.map((text) => ({ text }))]),
    ),
    query: fc.constantFrom('', '', 'a=1', '%'),
    headers: fc.array(fc.constantFrom(...oddHeaders), { maxLength: 2 }),
    body: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: hostileBodies }),
    isBrokenMessage: fc.constant(false),
  });

/** Requests of every kind to the service that the description is of: most to its operations, some beside them. */
export const fuzzRequests = (description: Description): fc.Arbitrary<FuzzRequest> => {
  const operations = operationsOf(description);
  const root = description.components?.schemas ?? {};
  // Turns are what the service is for.
  const weightOf = ({ method, path }: Operation): number => (method === 'POST' && path.endsWith('/turns') ? 6 : 1);
  return fc.oneof(
    ...operations.map((operation) => ({ weight: weightOf(operation), arbitrary: requestTo(operation, root) })),
    { weight: 2, arbitrary: elsewhere(operations, root) },
  );
};
