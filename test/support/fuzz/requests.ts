import fc from 'fast-check';
import { type Description, type Operation, operationsOf, type Parameter } from './description.ts';
import { brokenValues, type Definitions, hostileTexts, validValues } from './values.ts';

/** Part of a path: as it stands, or the `nth` id of that name that the service gave. */
export type Segment = string | { nth: number; name: string };

/** One request of the fuzzer, before ids of the service are filled in. */
export interface FuzzRequest {
  /** Whose responses it must get. */
  operation: Operation;
  segments: readonly Segment[];
  query: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

/** Few sessions, so that requests meet. */
const SESSIONS = ['f1', 'f2', 'f3', 'f4', 'f5'];

/** Segments of a path as they go over the wire, whole or not. */
const HOSTILE_SEGMENTS = [
  ...['%', '%zz', '%ff', '%c0%af', '%00', '%2f', '%252e', '__proto__', '%F0%9F%98%80', 'a%20b', 'x'.repeat(300)],
  ...['x'.repeat(9_000), '0', '-1', '1e3', 'null', 'task_', 'turn_0', '{task_id}', ':id', ';a=b', "'"],
];

/** Headers that a service has to cope with, most of them no part of any operation. */
const ODD_HEADERS: readonly Record<string, string>[] = [
  ...[{ accept: 'text/event-stream' }, { accept: 'application/json;q=0, */*' }, { accept: `${'a/b,'.repeat(500)}*/*` }],
  ...[{ prefer: 'respond-async' }, { prefer: 'respond-async, wait=0;x="' }, { 'idempotency-key': 'k1' }],
  ...[{ 'last-event-id': '-1' }, { 'last-event-id': '9'.repeat(30) }, { 'content-type': 'text/plain' }],
  ...[{ 'content-type': 'application/json; charset=utf-16' }, { 'content-encoding': 'gzip' }, { 'if-none-match': '*' }],
  ...[{ origin: 'https://evil.example' }, { authorization: 'Bearer nobody' }, { 'x-request-id': 'x\ty' }],
  ...[{ 'accept-language': 'zh-CN,zh;q=0.9' }, { range: 'bytes=0-0,5-' }],
];

/** Bodies that are no JSON, or JSON that no service should have to parse. */
const HOSTILE_BODIES = [
  ...['', ' ', 'null', '[]', '""', 'NaN', '{"input":"a","input":"b"}', '{"__proto__":{"input":"x"},"input":"y"}'],
  ...['{"input":"\\ud800"}', '{"input":"\\u0000"}', '\ufeff{"input":"x"}', '['.repeat(100_000), '{"a":'.repeat(40_000)],
  ...[`[${'0,'.repeat(100_000)}0]`, `{"input":"${'x'.repeat(300_000)}"}`, '{"v":1}\n'.repeat(2_000)],
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const encoded = (value: unknown): string => encodeURIComponent(textOf(value).toWellFormed());

/** One of several, each so often. */
const weighted = <Value>(...choices: [weight: number, arbitrary: fc.Arbitrary<Value>][]): fc.Arbitrary<Value> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const segmentOf = ({ name, schema }: Parameter, root: Definitions): fc.Arbitrary<Segment> =>
  weighted<Segment>(
    [
      8,
      name === 'session_id'
        ? fc.constantFrom(...SESSIONS)
        : fc.nat(30).map((nth) => (name === 'step_index' ? String(nth % 6) : { nth, name })),
    ],
    [1, validValues(schema, root).map(encoded)],
    [1, fc.constantFrom(...HOSTILE_SEGMENTS)],
  );

const pathOf = ({ path, parameters }: Operation, root: Definitions): fc.Arbitrary<Segment[]> =>
  fc.tuple(
    ...path.split('/').map((part) => {
      const parameter = parameters.find((each) => each.in === 'path' && `{${each.name}}` === part);
      return parameter === undefined ? fc.constant<Segment>(part) : segmentOf(parameter, root);
    }),
  );

const valuesOf = ({ schema }: Parameter, root: Definitions): fc.Arbitrary<unknown> =>
  weighted([3, validValues(schema, root)], [1, brokenValues(schema, root)]);

const queryOf = ({ parameters }: Operation, root: Definitions): fc.Arbitrary<string> => {
  const known = parameters.filter((each) => each.in === 'query');
  const one = fc.oneof(
    ...known.map((each) => valuesOf(each, root).map((value) => `${each.name}=${encoded(value)}`)),
    fc.constantFrom('unknown=1', 'limit=0', 'limit=1&limit=2', 'limit[]=1', '__proto__=1', '%', '&&&='),
  );
  return weighted([known.length > 0 ? 2 : 12, fc.constant('')], [2, one]);
};

const headersOf = ({ parameters }: Operation, root: Definitions): fc.Arbitrary<Record<string, string>> => {
  const known = parameters.filter((each) => each.in === 'header');
  const one = fc.oneof(
    ...known.map((each) =>
      valuesOf(each, root).map((value) => ({ [each.name]: textOf(value).replace(/[^\x20-\x7e]/g, '?') })),
    ),
    fc.constantFrom(...ODD_HEADERS),
  );
  return weighted([3, fc.constant({})], [2, one]);
};

const bodyOf = ({ body }: Operation, root: Definitions): fc.Arbitrary<string | null> => {
  if (body === null) return fc.constant(null);
  const valid = validValues(body.schema, root).map(textOfJson);
  return weighted<string | null>(
    [6, valid],
    [3, brokenValues(body.schema, root).map(textOfJson)],
    [1, fc.constantFrom(...HOSTILE_BODIES, ...hostileTexts)],
    [1, fc.tuple(valid, fc.nat(60)).map(([text, at]) => text.slice(0, at))],
    [1, fc.constant(null)],
  );
};

const textOfJson = (value: unknown): string => JSON.stringify(value) ?? '';

const requestTo = (operation: Operation, root: Definitions): fc.Arbitrary<FuzzRequest> =>
  fc
    .record({
      segments: pathOf(operation, root),
      query: queryOf(operation, root),
      more: headersOf(operation, root),
      body: bodyOf(operation, root),
    })
    .map(({ more, ...request }) => {
      const type = operation.body?.mediaType;
      const headers = { ...(type !== undefined && request.body !== null && { 'content-type': type }), ...more };
      return { operation, headers, ...request };
    });

/** Requests of every kind to the operations of a description. */
export const fuzzRequests = (description: Description): fc.Arbitrary<FuzzRequest> => {
  const root = description.components?.schemas ?? {};
  // Turns are what the service is for.
  const weightOf = ({ method, path }: Operation): number => (method === 'POST' && path.endsWith('/turns') ? 6 : 1);
  return weighted(
    ...operationsOf(description).map((each): [number, fc.Arbitrary<FuzzRequest>] => [
      weightOf(each),
      requestTo(each, root),
    ]),
  );
};
