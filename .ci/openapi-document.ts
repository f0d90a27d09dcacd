import { z } from 'zod';
import * as answer from '../contracts/answer.ts';
import * as by from '../contracts/by.ts';
import * as callback from '../contracts/callback.ts';
import * as event from '../contracts/event.ts';
import * as feedback from '../contracts/feedback.ts';
import * as http from '../contracts/http.ts';
import * as modelCall from '../contracts/model-call.ts';
import * as namedPlan from '../contracts/named-plan.ts';
import * as serviceLimits from '../contracts/service-limits.ts';
import * as stream from '../contracts/stream.ts';
import * as task from '../contracts/task.ts';
import * as trace from '../contracts/trace.ts';
import * as turnView from '../contracts/turn-view.ts';
import * as usage from '../contracts/usage.ts';

/** Contracts whose schemas the API's description names once and refers to; what no route refers to is left out of it. */
const CONTRACTS: object[] = [
  ...[
    answer,
    by,
    callback,
    event,
    feedback,
    http,
    modelCall,
    namedPlan,
    serviceLimits,
    stream,
    task,
    trace,
    turnView,
    usage,
  ],
];

const isNamed = (value: unknown): value is z.ZodType =>
  [z.ZodObject, z.ZodEnum, z.ZodUnion, z.ZodRecord].some((kind) => value instanceof kind);

/** The name of a schema in the description: `TurnView` is a `Turn`. */
const nameOf = (name: string): string =>
  ({ NextAction: 'Action', DecisionRequest: 'Decision' })[name] ?? name.replace(/View$/, '');

/** A callback's type as the name of its body: `turn.finished` is `TurnFinished`. */
const bodyName = (type: string): string => type.replaceAll(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase());

const named: Record<string, z.ZodType> = Object.fromEntries([
  ...CONTRACTS.flatMap((exports) => Object.entries(exports))
    .filter(([, value]) => isNamed(value))
    .map(([name, schema]) => [nameOf(name), schema]),
  ...Object.entries(callback.callbackBodies).map(([type, schema]) => [bodyName(type), schema]),
]);

/** Fields of an entry of no task, in place of those of a task: typed clients would refuse one whose property can only be null. */
const inNoTask = {
  task_id: { type: ['string', 'null'] },
  state: { type: undefined, anyOf: [{ $ref: '#/components/schemas/TaskState' }, { type: 'null' }] },
  step_count: { type: ['integer', 'null'] },
};

/** Names the schemas in zod's global registry. Not to be called in a service: contracts that a model is given have no names in them. */
export const nameSchemas = (): void => {
  for (const [field, meta] of Object.entries(inNoTask))
    z.globalRegistry.add(trace.SessionTraceEntry.shape[field as keyof typeof inNoTask], meta);
  for (const [id, schema] of Object.entries(named)) z.globalRegistry.add(schema, { ...schema.meta(), id });
};

interface Operation {
  requestBody?: { required?: boolean; content: Record<string, { schema?: { anyOf?: { type?: string }[] } }> };
  callbacks?: object;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: object;
  components: { schemas: Record<string, unknown> };
}

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** Whether two schemas say the same, where one refers to what is read and the other to what is written. */
const areSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one).replaceAll('Input"', '"') === JSON.stringify(other).replaceAll('Input"', '"');

/** Keeps the schemas that are referred to, as read (`TaskInput`) and as written (`Task`); one that is only read, or is the same both times, has the plain name. */
const keepUsedSchemas = ({ paths, webhooks, components }: OpenApi): OpenApi => {
  const used = new Map<string, unknown>();
  const use = (user: unknown): void => {
    for (const [, name = ''] of JSON.stringify(user).matchAll(REFERENCE)) {
      if (used.has(name)) continue;
      used.set(name, components.schemas[name]);
      use(used.get(name));
    }
  };
  use([paths, webhooks]);
  const plainName = (name: string): string => {
    const plain = name.replace(/Input$/, '');
    return !used.has(plain) || areSame(used.get(plain), used.get(name)) ? plain : name;
  };
  const schemas = Object.fromEntries([...used].map(([name, schema]) => [plainName(name), schema]));
  const kept = JSON.stringify({ paths, webhooks, components: { ...components, schemas } });
  return JSON.parse(kept.replaceAll(REFERENCE, (_, name) => `"#/components/schemas/${plainName(name)}"`));
};

/** Says of a body that may be null that it need not be sent, and never is null where it is. */
const makeBodyOptional = (operation: Operation): void => {
  const content = operation.requestBody?.content['application/json'];
  const [value, nothing] = content?.schema?.anyOf ?? [];
  if (value !== undefined && nothing?.type === 'null')
    operation.requestBody = { required: false, content: { 'application/json': { schema: value as object } } };
};

/** A description of each event that is posted to the webhook of the service. */
const EVENTS: Record<callback.CallbackType, string> = {
  'turn.finished': 'A turn is finished',
  'question.asked': 'A task waits for an answer: send it as a turn of its session',
  'approval.requested': 'An action waits for a yes, by words or by a `decision`',
  'task.paused': 'A task is paused; "continue" as a turn of its session lets it go on',
  'reminder.due': 'A reminder has come due',
  'audit.root': 'The root of a day of the audit; posted to TRIPACT_AUDIT_WEBHOOK alone',
};

const header = (name: string, required: boolean, description: string) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

const post = (operationId: string, schema: string, summary: string) => ({
  post: {
    operationId,
    summary,
    description:
      'Posted by the service in the form of Standard Webhooks, at least once: again and again until it is accepted, or given up (`GET /v1/callbacks`).',
    tags: ['callbacks'],
    security: [],
    parameters: [
      header('webhook-id', true, 'Names the event: the same at every post of it, so that repeats can be dropped.'),
      header('webhook-timestamp', true, 'When it was posted, in seconds since 1970.'),
      header('webhook-signature', false, 'By Standard Webhooks; there where the service has a secret.'),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
    },
    responses: {
      '2XX': { description: 'It is accepted, and not posted again' },
      '410': { description: 'It is not wanted, and not posted again' },
      default: { description: 'It is posted again later' },
    },
  },
});

/** Completes the description of the routes: by what the service posts (OpenAPI 3.1), with optional bodies and the schemas that are used. */
export const completed = (routes: object): object => {
  const description = routes as OpenApi;
  for (const operation of Object.values(description.paths).flatMap(Object.values)) makeBodyOptional(operation);
  description.webhooks = Object.fromEntries(
    Object.entries(EVENTS).map(([type, summary]) => [type, post(`on${bodyName(type)}`, bodyName(type), summary)]),
  );
  const own = post('onOwnTurnFinished', 'Turn', 'The turn is finished');
  description.paths['/v1/sessions/{session_id}/turns']!.post!.callbacks = {
    finished: { '{$request.body#/callback_url}': own },
  };
  return { ...description, ...keepUsedSchemas(description) };
};
