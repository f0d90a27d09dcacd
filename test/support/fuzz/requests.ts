import fc from 'fast-check';
import { brokenValues, type Definitions, HOSTILE_TEXTS, type Schema, validValues } from './values.ts';

/** A parameter of an operation. */
interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  schema: Schema;
}

/** One method of one address, as a description has it. */
interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

/** An OpenAPI description as `GET /openapi.json` gives it. */
export interface Description {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

/** Part of a path: as it stands, or the `nth` id of that name that the service gave. */
export type Segment = string | { nth: number; name: string };

/** One request of the fuzzer, before ids of the service are filled in. */
export interface FuzzRequest {
  method: string;
  /** With its parameters in braces, as `/v1/turns/{turn_id}`. */
  path: string;
  /** The described ones, one of which it must get. */
  responses: Operation['responses'];
  segments: readonly Segment[];
  query: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

/** Few sessions, so that requests meet. */
const SESSIONS = ['f1', 'f2', 'f3', 'f4', 'f5'];

const HOSTILE_SEGMENTS = [
  ...['%', '%zz', '%ff', '%c0%af', '%00', '%2f', '%252e', '__proto__', 'a%20b', 'x'.repeat(9_000), '-1', 'null'],
  ...['task_', '{task_id}', ':id', ';a=b', "'"],
];

const HOSTILE_QUERIES = ['unknown=1', 'limit=0', 'limit=1&limit=2', 'limit[]=1', '__proto__=1', '%', '&&&='];

/** Headers that a service has to cope with, most of them no part of any operation. */
const ODD_HEADERS: readonly Record<string, string>[] = [
  ...[{ accept: 'text/event-stream' }, { accept: `${'a/b,'.repeat(500)}*/*` }, { prefer: 'respond-async, wait=0;x="' }],
  ...[{ 'idempotency-key': 'k1' }, { 'last-event-id': '9'.repeat(30) }, { 'content-type': 'text/plain' }],
  ...[{ 'content-encoding': 'gzip' }, { origin: 'https://evil.example' }, { authorization: 'Bearer nobody' }],
  ...[{ 'accept-language': 'zh-CN,zh;q=0.9' }, { range: 'bytes=0-0,5-' }],
];

/** Bodies that are no JSON, or JSON that no service should have to parse. */
const HOSTILE_BODIES = [
  ...['', 'null', '[]', 'NaN', '{"input":"a","input":"b"}', '{"__proto__":{"input":"x"},"input":"y"}', '\ufeff{}'],
  ...['{"input":"\\ud800"}', '['.repeat(100_000), `{"input":"${'x'.repeat(300_000)}"}`, '{"v":1}\n'.repeat(2_000)],
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const encoded = (value: unknown): string => encodeURIComponent(textOf(value).toWellFormed());

/** One of several, each so often. */
const weighted = <Value>(...choices: [weight: number, arbitrary: fc.Arbitrary<Value>][]): fc.Arbitrary<Value> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const segments = ({ name, schema }: Parameter, root: Definitions): fc.Arbitrary<Segment> => {
  const known = fc.nat(30).map((nth) => (name === 'step_index' ? String(nth % 6) : { nth, name }));
  return weighted<Segment>(
    [8, name === 'session_id' ? fc.constantFrom(...SESSIONS) : known],
    [1, validValues(schema, root).map(encoded)],
    [1, fc.constantFrom(...HOSTILE_SEGMENTS)],
  );
};

const requestsTo = (
  path: string,
  method: string,
  { parameters = [], requestBody, responses }: Operation,
  root: Definitions,
): fc.Arbitrary<FuzzRequest> => {
  const [[mediaType, { schema = {} } = {}] = []] = Object.entries(requestBody?.content ?? {});
  // Only JSON is made after its schema; what is described as a list of entries and sent as lines is any text here.
  const bodySchema = mediaType === 'application/json' ? schema : {};
  const valuesIn = (place: Parameter['in']) =>
    parameters
      .filter((each) => each.in === place)
      .map(({ name, schema }) =>
        weighted([3, validValues(schema, root)], [1, brokenValues(schema, root)]).map(
          (value) => [name, value] as const,
        ),
      );
  const parts = path.split('/').map((part) => {
    const parameter = parameters.find((each) => each.in === 'path' && `{${each.name}}` === part);
    return parameter === undefined ? fc.constant<Segment>(part) : segments(parameter, root);
  });
  const queries = fc.oneof(
    ...valuesIn('query').map((pair) => pair.map(([name, value]) => `${name}=${encoded(value)}`)),
    fc.constantFrom(...HOSTILE_QUERIES),
  );
  const headers = fc.oneof(
    ...valuesIn('header').map((pair) =>
      pair.map(([name, value]) => ({ [name]: textOf(value).replace(/[^\x20-\x7e]/g, '?') })),
    ),
    fc.constantFrom(...ODD_HEADERS),
  );
  const valid = validValues(bodySchema, root).map((value) => JSON.stringify(value) ?? '');
  const bodies = weighted<string | null>(
    [6, valid],
    [3, brokenValues(bodySchema, root).map((value) => JSON.stringify(value) ?? '')],
    [1, fc.constantFrom(...HOSTILE_BODIES, ...HOSTILE_TEXTS)],
    [1, fc.tuple(valid, fc.nat(60)).map(([text, at]) => text.slice(0, at))],
    [1, fc.constant(null)],
  );
  return fc
    .record({
      segments: fc.tuple(...parts),
      query: weighted([3, fc.constant('')], [1, queries]),
      more: weighted<Record<string, string>>([3, fc.constant({})], [2, headers]),
      body: mediaType === undefined ? fc.constant(null) : bodies,
    })
    .map(({ more, ...request }) => {
      const typed = mediaType !== undefined && request.body !== null && { 'content-type': mediaType };
      return { method, path, responses, headers: { ...typed, ...more }, ...request };
    });
};

/** Requests of every kind to the operations of a description; every so many of them a turn, which the service is for. */
export const fuzzRequests = ({ paths, components }: Description): fc.Arbitrary<FuzzRequest> =>
  weighted(
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [number, fc.Arbitrary<FuzzRequest>] => [
        method === 'post' && path.endsWith('/turns') ? 6 : 1,
        requestsTo(path, method, operation, components?.schemas ?? {}),
      ]),
    ),
  );
