import type { JsonSchema } from '../../../contracts/answer.ts';
import { hasOwnFields } from '../../../contracts/calls.ts';
import type { ToolUsage, WireTool } from '../port.ts';

const TEXT = { type: 'string' };

const text = (description: string) => ({ type: 'string', description });

const list = (description: string) => ({ type: 'array', items: TEXT, description });

const ITEM = {
  anyOf: [
    TEXT,
    {
      type: 'object',
      properties: {
        id: TEXT,
        step: TEXT,
        depends_on: list('Ids of items that come first.'),
        executor: TEXT,
        tools: list('The only tools for it.'),
        expected: TEXT,
      },
      required: ['id', 'step'],
    },
  ],
};

/** The calls by which a model answers the three contracts (SPEC 5): the same for every task. */
export const CONTRACT_CALLS: readonly WireTool[] = [
  {
    name: 'plan',
    description:
      'Makes the plan: the items still to do. A later plan replaces what is left: keep the ids of items that stay, and leave out what is completed.',
    schema: {
      type: 'object',
      properties: {
        items: { type: 'array', items: ITEM },
        goal: TEXT,
      },
      required: ['items'],
    },
  },
  {
    name: 'item_done',
    description: "Ends the current item, not the task, as soon as it is done or can't be done.",
    schema: {
      type: 'object',
      properties: {
        result: text('What came of it, with every value that later items or the answer need.'),
        outcome: {
          type: 'string',
          enum: ['completed', 'blocked'],
          description: '"blocked": the result says why.',
        },
        plan: { type: 'string', enum: ['unchanged'] },
      },
      required: ['result'],
    },
  },
  {
    name: 'finish',
    description: 'Ends the task. Never call it while items are open that the user asked for.',
    schema: {
      type: 'object',
      properties: {
        response: text('The whole answer to the user: what was found or made, not that it was.'),
        answer: { type: 'object', description: 'Only where the task has a JSON Schema for it.' },
        outcome: {
          type: 'string',
          enum: ['completed', 'failed'],
          description: '"failed": the response says why, and what the user can do.',
        },
      },
      required: ['response'],
    },
  },
  {
    name: 'ask_user',
    description: 'Asks the user one question that only they can answer, and waits for them.',
    schema: {
      type: 'object',
      properties: { question: TEXT, options: list('Up to 10 short answers.') },
      required: ['question'],
    },
  },
];

/** The schema of a call whose single field is a tool's whole input. */
const inputAlone = (input: unknown): JsonSchema => ({ type: 'object', properties: { input }, required: ['input'] });

/** A schema nested in that field, with its references adjusted to the new location. */
const movedToInput = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(movedToInput);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? inner.replace(/^#/, '#/properties/input') : movedToInput(inner),
    ]),
  );
};

/** The schema of a tool's call: the tool's own, if its fields can be the call's parameters. */
const callSchema = ({ usage, schema }: ToolUsage): JsonSchema => {
  if (schema === undefined) return inputAlone({ type: 'string', description: `A command line, one of:\n${usage}` });
  return hasOwnFields(schema) ? schema : inputAlone(movedToInput(schema));
};

/** All tools of a prompt: the contracts' calls first, then the task's own tools by name. */
export const wireTools = (tools: readonly ToolUsage[]): WireTool[] => [
  ...CONTRACT_CALLS,
  ...tools
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((tool) => ({ name: tool.name, description: tool.description, schema: callSchema(tool) })),
];
