import type { JsonSchema } from '../../../contracts/answer.ts';
import { hasOwnFields } from '../../../contracts/calls.ts';
import type { ToolUsage } from '../port.ts';
import type { WireTool } from './prompt-text.ts';

const text = (description: string) => ({ type: 'string', description });

const list = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

const ITEM = {
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      properties: {
        id: text('Its name in this plan.'),
        step: text('What is to be done.'),
        depends_on: list('Ids of items that must be completed first.'),
        executor: text('Who works on it; default: you, with every tool.'),
        tools: list('The only tools that it may use.'),
        expected: text('What it should give.'),
      },
      required: ['id', 'step'],
    },
  ],
};

/** The calls that say what the three contracts say (SPEC 5): the same for every task. */
export const CONTRACT_CALLS: readonly WireTool[] = [
  {
    name: 'plan',
    description:
      'Gives the work still to do as items, one piece of work each. At the beginning it is the plan of the task; later it replaces what is left of it: keep the ids of items that stay, and leave out what is completed. Use it only for a task of several steps.',
    schema: {
      type: 'object',
      properties: {
        items: { type: 'array', items: ITEM, description: 'A step each, as its text or as an object.' },
        goal: text('What the task is to reach, where the words of the user leave it open.'),
      },
      required: ['items'],
    },
  },
  {
    name: 'item_done',
    description:
      'Ends the current item of the plan, not the task. Call it as soon as the item is done or can not be done. Unless the plan has to change, say "plan": "unchanged" and go on with the next item in the same message.',
    schema: {
      type: 'object',
      properties: {
        result: text(
          'What came of it, with every value that later items or the answer need: they see this and not your thoughts.',
        ),
        outcome: {
          type: 'string',
          enum: ['completed', 'blocked'],
          description: '"blocked": it could not be done, and the result says why.',
        },
        plan: { type: 'string', enum: ['unchanged'], description: 'The rest of the plan stays as it is.' },
      },
      required: ['result'],
    },
  },
  {
    name: 'finish',
    description:
      'Ends the task with the answer to the user. Call it when nothing is left to do, or at once where nothing has to be done. Do not call it while items are open that the user asked for.',
    schema: {
      type: 'object',
      properties: {
        response: text('The whole answer, as the user reads it: what was found or made, not that it was.'),
        answer: { type: 'object', description: 'Only where the task gives a JSON Schema for it.' },
        outcome: {
          type: 'string',
          enum: ['completed', 'failed'],
          description: '"failed": the task is given up, and the response says why and what the user can do.',
        },
      },
      required: ['response'],
    },
  },
  {
    name: 'ask_user',
    description: 'Asks the user one question that only they can answer; the task waits for them, which may take days.',
    schema: {
      type: 'object',
      properties: {
        question: text('One question.'),
        options: list('Up to 10 short answers to choose from. The user may always answer otherwise.'),
      },
      required: ['question'],
    },
  },
];

/** The schema of a call whose one field is a tool's whole input. */
const inputAlone = (input: unknown): JsonSchema => ({ type: 'object', properties: { input }, required: ['input'] });

/** A schema that stands in that field: its references lead to where it is now. */
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

/** The schema of a tool's call: its own, where its fields can be those of the call. */
const callSchema = ({ usage, schema }: ToolUsage): JsonSchema => {
  if (schema === undefined) return inputAlone({ type: 'string', description: `A command line, one of:\n${usage}` });
  return hasOwnFields(schema) ? schema : inputAlone(movedToInput(schema));
};

/** All tools of a prompt: the contracts' calls first, then the task's own by name. */
export const wireTools = (tools: readonly ToolUsage[]): WireTool[] => [
  ...CONTRACT_CALLS,
  ...tools
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((tool) => ({ name: tool.name, description: tool.description, schema: callSchema(tool) })),
];
