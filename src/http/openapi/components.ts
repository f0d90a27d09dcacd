import { z } from 'zod';
import * as answer from '../../../contracts/answer.ts';
import * as callback from '../../../contracts/callback.ts';
import * as event from '../../../contracts/event.ts';
import * as http from '../../../contracts/http.ts';
import * as modelCall from '../../../contracts/model-call.ts';
import * as namedPlan from '../../../contracts/named-plan.ts';
import * as serviceLimits from '../../../contracts/service-limits.ts';
import * as stream from '../../../contracts/stream.ts';
import * as task from '../../../contracts/task.ts';
import * as trace from '../../../contracts/trace.ts';
import * as turnView from '../../../contracts/turn-view.ts';
import * as usage from '../../../contracts/usage.ts';

/** Contracts whose schemas the API's description names once and refers to; what no route refers to is left out of it. */
const CONTRACTS: object[] = [
  ...[answer, callback, event, http, modelCall, namedPlan, serviceLimits, stream, task, trace, turnView, usage],
];

const isNamed = (value: unknown): value is z.ZodType =>
  [z.ZodObject, z.ZodEnum, z.ZodUnion, z.ZodRecord].some((kind) => value instanceof kind);

/** The name of a schema in the description: `TurnView` is a `Turn`. */
const nameOf = (name: string): string =>
  ({ NextAction: 'Action', DecisionRequest: 'Decision' })[name] ?? name.replace(/View$/, '');

/** A callback's type as the name of its body: `turn.finished` is `TurnFinished`. */
export const bodyName = (type: string): string =>
  type.replaceAll(/(?:^|\.)(\w)/g, (_, first: string) => first.toUpperCase());

const named: Record<string, z.ZodType> = Object.fromEntries([
  ...CONTRACTS.flatMap((exports) => Object.entries(exports))
    .filter(([, value]) => isNamed(value))
    .map(([name, schema]) => [nameOf(name), schema]),
  ...Object.entries(callback.callbackBodies).map(([type, schema]) => [bodyName(type), schema]),
]);

/**
 * What an entry of no task has in place of what an entry of a task has. Typed clients drop a property that can only be null
 * (`openapi-fetch` 0.17), and would refuse an entry that they were given, so these are described as they are in all entries.
 */
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
