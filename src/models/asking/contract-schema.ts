import type { JsonSchema } from '../../../contracts/answer.ts';
import { allowedTools, hasOpenItems } from '../../../machines/plan-items.ts';
import { actionsAtOnce, sideBySideTools } from '../../../machines/side-by-side.ts';
import type { ModelRequest } from '../port.ts';

const STRING: JsonSchema = { type: 'string' };
const NULL: JsonSchema = { type: 'null' };
const STRING_OR_NULL: JsonSchema = { anyOf: [STRING, NULL] };
const NAMES_OR_NULL: JsonSchema = { anyOf: [{ type: 'array', items: STRING }, NULL] };

/** An object whose keys are all required, as structured output demands. Optional values may be null. */
const objectOf = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const oneOf = (...values: string[]): JsonSchema => ({ type: 'string', enum: values });

const ITEMS: JsonSchema = {
  type: 'array',
  items: {
    anyOf: [
      STRING,
      objectOf({
        id: STRING,
        step: STRING,
        depends_on: NAMES_OR_NULL,
        executor: STRING_OR_NULL,
        tools: NAMES_OR_NULL,
        expected: STRING_OR_NULL,
      }),
    ],
  },
};

const NO_ITEMS: JsonSchema = { type: 'array', items: STRING };

const planSchema = (): JsonSchema => objectOf({ status: oneOf('planned'), goal: STRING_OR_NULL, plan: ITEMS });

/** A variant for each status that the thought may have now, with the allowed tools. */
const thoughtSchema = ({ task, may }: ModelRequest): JsonSchema => {
  const beside = actionsAtOnce(task) > 1 ? sideBySideTools(task) : [];
  const noMore: Record<string, JsonSchema> = beside.length === 0 ? {} : { more_actions: NULL };
  const nothing = { next_action: NULL, ...noMore, question: NULL, options: NULL, response: NULL, outcome: NULL };
  const action = (tools: string[]): JsonSchema => objectOf({ tool: oneOf(...tools), input: STRING });
  const more: Record<string, JsonSchema> =
    beside.length === 0 ? {} : { more_actions: { anyOf: [{ type: 'array', items: action(beside) }, NULL] } };
  const variants = {
    continue: objectOf({
      status: oneOf('continue'),
      current_step: STRING,
      ...nothing,
      next_action: action(allowedTools(task)),
      ...more,
    }),
    ask_user: objectOf({
      status: oneOf('ask_user'),
      current_step: STRING,
      ...nothing,
      question: STRING,
      options: NAMES_OR_NULL,
    }),
    done: objectOf({
      status: oneOf('done'),
      current_step: STRING_OR_NULL,
      ...nothing,
      response: STRING_OR_NULL,
      outcome: { anyOf: [oneOf('completed', 'blocked'), NULL] },
    }),
  };
  return { anyOf: may.map((status) => variants[status]) };
};

/** A variant for each status; null if the task's own answer schema cannot be expressed. */
const replanSchema = ({ task }: ModelRequest): JsonSchema | null => {
  const { answer_schema } = task;
  if (answer_schema !== null && !isCompilable(answer_schema)) return null;
  const answer: Record<string, JsonSchema> =
    answer_schema === null ? {} : { answer: { anyOf: [compilable(answer_schema), NULL] } };
  const noAnswer: Record<string, JsonSchema> = answer_schema === null ? {} : { answer: NULL };
  const going = (status: string, plan: JsonSchema): JsonSchema =>
    objectOf({ status: oneOf(status), plan, response: NULL, outcome: NULL, ...noAnswer });
  const done = objectOf({
    status: oneOf('done'),
    plan: NO_ITEMS,
    response: STRING,
    outcome: { anyOf: [oneOf('completed', 'failed'), NULL] },
    ...answer,
  });
  const keep = hasOpenItems(task) ? [going('keep', NO_ITEMS)] : [];
  return { anyOf: [going('replanned', ITEMS), ...keep, done] };
};

/**
 * The structured-output schema of the due contract (SPEC 5), as strict as a schema can be; null: none. An answer must
 * still be validated against its contract.
 */
export const structuredSchema = (request: ModelRequest): JsonSchema | null => {
  switch (request.contract) {
    case 'plan':
      return planSchema();
    case 'thought':
      return thoughtSchema(request);
    case 'replan':
      return replanSchema(request);
    default:
      return request.contract satisfies never;
  }
};

/**
 * True for a schema that lists its properties: structured output supports neither arbitrary keys nor lists of anything.
 */
const isCompilable = (schema: JsonSchema): boolean => {
  const { type, properties = {}, additionalProperties, items, oneOf: either, anyOf = either } = schema;
  const types = [type].flat();
  const inside = Object.values(properties as Record<string, JsonSchema>);
  if (anyOf !== undefined) return (anyOf as JsonSchema[]).every(isCompilable);
  if (type === undefined) return 'enum' in schema || 'const' in schema;
  if (types.includes('array') && (items === undefined || !isCompilable(items as JsonSchema))) return false;
  if (!types.includes('object')) return true;
  return inside.length > 0 && typeof additionalProperties !== 'object' && inside.every(isCompilable);
};

/** Keeps the keywords that structured output supports. For any other, a server refuses the whole request. */
const compilable = (schema: JsonSchema): JsonSchema => {
  const { oneOf: either, anyOf = either, items, properties, required } = schema;
  const plain = ['type', 'const', 'enum'].filter((keyword) => schema[keyword] !== undefined);
  return {
    ...Object.fromEntries(plain.map((keyword) => [keyword, schema[keyword]])),
    ...(anyOf !== undefined && { anyOf: (anyOf as JsonSchema[]).map(compilable) }),
    ...(items !== undefined && { items: compilable(items as JsonSchema) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Record<string, JsonSchema>).map(([name, child]) => [name, compilable(child)]),
      ),
      required: required ?? [],
      additionalProperties: false,
    }),
  };
};
