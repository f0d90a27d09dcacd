import {
  acceptedContent,
  type ElicitRequestFormParams,
  inputRequired,
  inputResponse,
  type PrimitiveSchemaDefinition,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { TurnRequest } from '../../../../contracts/http.ts';
import { messages } from '../../../../contracts/messages/messages.ts';
import { Language, languageOf } from '../../../../contracts/text.ts';
import type { FormField, FormSchema } from '../../../../contracts/tool-question.ts';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { decided } from '../request.ts';

/** The key of a question's answer among a client's responses. */
const ANSWER = 'answer';

const ApprovalForm = z.object({
  decision: z.enum(['approve', 'approve_always', 'reject']),
  reason: z.string().optional(),
});

/** `other` comes beside an option or in its place. */
const Answer = z.object({ answer: z.string(), other: z.string().optional() });

/** The user's word for refusing a tool's form. */
const DECLINE = 'decline';

type Choice = { const: string; title?: string | undefined };

const isTitled = (choices: readonly Choice[]): boolean => choices.some(({ title }) => title !== undefined);
const valuesOf = (choices: readonly Choice[]): string[] => choices.map((choice) => choice.const);
const titled = (choices: readonly Choice[]): { const: string; title: string }[] =>
  choices.map(({ const: value, title = value }) => ({ const: value, title }));

/** A field in the protocol's own words. Choices without labels are an enum, the only kind that older hosts know. */
const fieldOf = (field: FormField): PrimitiveSchemaDefinition => {
  if (field.type === 'array') {
    const { items, ...rest } = field;
    const { anyOf } = items;
    return {
      ...rest,
      items: isTitled(anyOf) ? { anyOf: titled(anyOf) } : { type: 'string', enum: valuesOf(anyOf) },
    } as PrimitiveSchemaDefinition;
  }
  if (field.type !== 'string' || field.oneOf === undefined) return field;
  const { type, title, description, default: chosen, oneOf } = field;
  const named = { type, title, description, default: chosen };
  return isTitled(oneOf) ? { ...named, oneOf: titled(oneOf) } : { ...named, enum: valuesOf(oneOf) };
};

const fieldsOf = ({ properties, required }: FormSchema): ElicitRequestFormParams['requestedSchema'] => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, fieldOf(field)])),
  required,
});

/** The fields that a tool asks for; null: the question is of another kind, or the form has no field. */
const toolFields = ({ tool_question }: TurnView): FormSchema | null => {
  const { schema } = tool_question ?? {};
  return schema === undefined || Object.keys(schema.properties).length === 0 ? null : schema;
};

const schemaOf = (turn: TurnView) => {
  const { approval, options, task } = turn;
  if (approval !== null) return ApprovalForm;
  const fields = toolFields(turn);
  if (fields !== null) return fieldsOf(fields);
  if (options === null) return Answer.pick({ answer: true });
  const { somethingElse, other } = messages(languageOf(task?.goal ?? '')).mcp;
  return z.object({
    answer: z.enum([...new Set([...options, somethingElse])]),
    other: z.string().optional().describe(other),
  });
};

/** The form by which a client asks its user what a turn asks. `isToolForm`: its fields are those that a tool asks for. */
export const formFor = (turn: TurnView) => ({
  inputRequests: { [ANSWER]: inputRequired.elicit({ message: turn.output ?? '', requestedSchema: schemaOf(turn) }) },
  isToolForm: turn.approval === null && toolFields(turn) !== null,
});

const isSomethingElse = (text: string): boolean =>
  Language.options.some((language) => messages(language).mcp.somethingElse === text);

type Given = Pick<TurnRequest, 'input' | 'decision'>;

/** The fields as JSON, which the task checks against their schema, or the word that gives the tool nothing. */
const toolAnswer = ({ mcpReq }: ServerContext): Given | null => {
  const response = inputResponse(mcpReq.inputResponses, ANSWER);
  if (response.kind !== 'elicit' || response.action === 'cancel') return null;
  return { input: response.action === 'decline' ? DECLINE : JSON.stringify(response.content ?? {}) };
};

/** The user's answer to a form; null if it was cancelled or is empty, or declined, unless a tool's form was. */
export const answerIn = (ctx: ServerContext, isToolForm: boolean): Given | null => {
  if (isToolForm) return toolAnswer(ctx);
  const { inputResponses } = ctx.mcpReq;
  const made = acceptedContent(inputResponses, ANSWER, ApprovalForm);
  if (made !== undefined) return decided(made.decision, made.reason);
  const given = acceptedContent(inputResponses, ANSWER, Answer);
  if (given === undefined) return null;
  // Text beside an option belongs to the answer.
  const { answer, other = '' } = given;
  const input = `${isSomethingElse(answer) ? '' : answer}\n${other}`.trim();
  return input === '' ? null : { input };
};
