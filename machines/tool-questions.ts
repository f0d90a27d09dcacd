import type { EventOf } from '../contracts/event.ts';
import { OPTION_CHARS_MAX, OPTIONS_MAX } from '../contracts/limits.ts';
import { messages } from '../contracts/messages/messages.ts';
import type { TaskContext } from '../contracts/task.ts';
import type {
  FormField,
  FormSchema,
  PendingToolQuestion,
  ToolAnswer,
  ToolRequest,
} from '../contracts/tool-question.ts';
import { choicesOf, readForm, takesAnyText } from './form.ts';
import { chosenOption } from './options.ts';
import { agreesToPlan, isNo } from './phrases.ts';

/** A call whose user is asked, and what is open of it. */
interface OpenRequest {
  asked: PendingToolQuestion;
  request: ToolRequest;
}

/** The request that a call still waits for; null: none. */
export const openRequest = ({ tool_question: asked }: Pick<TaskContext, 'tool_question'>): OpenRequest | null => {
  const request = asked?.requests[asked.answers.length];
  return asked === null || request === undefined ? null : { asked, request };
};

/** The call that waits for its user, and what it asks now; null: none waits. */
export const pendingToolQuestion = (context: Pick<TaskContext, 'awaiting' | 'tool_question'>): OpenRequest | null =>
  context.awaiting === 'tool' ? openRequest(context) : null;

/** The server whose sign-in the task waits for; null: it waits for none. */
export const signInAsked = (context: Pick<TaskContext, 'awaiting' | 'tool_question'>): string | null => {
  const pending = pendingToolQuestion(context);
  return pending?.request.kind === 'sign_in' ? pending.asked.server : null;
};

/** An answer as it was read; `remark`: words beside a no, for the model. */
export type ReadAnswer =
  | { answer: ToolAnswer; remark?: string }
  /** The answer does not fit the form, which is asked again with what is wrong. */
  | { faults: string[] };

/** True for a whole text that refuses the request. To a field that takes any text "no" may be the value. */
const refuses = (request: ToolRequest, said: string, declined: string): boolean => {
  if (chosenOption([declined], said) === declined || DECLINES.includes(said.toLowerCase())) return true;
  return isNo(said) && !(request.kind === 'form' && (takesAnyText(request.schema) || hasOneYesOrNo(request.schema)));
};

const DECLINES: readonly string[] = ['decline', 'refuse', '拒绝', '拒絕', '不提供'];

const hasOneYesOrNo = ({ properties }: FormSchema): boolean => {
  const [field, ...others] = Object.values(properties);
  return others.length === 0 && field?.type === 'boolean';
};

/** Words of who has been to the page: that it is done. */
const DONE = /^(i('m| am)? |i have |i've )?(done|finished|ready|signed in|logged in)[.!\s]*$/i;
const DONE_ZH = /^(我)?(已经|已)?(完成|做完|弄好|好|登录|登陆|登入|搞定)了?[。！\s]*$/;

const isDone = (text: string): boolean => agreesToPlan(text) || DONE.test(text) || DONE_ZH.test(text);

/** The user's answer as a response to the open request (SPEC 6). Pure; throws if none is open. */
export const readToolAnswer = (context: TaskContext, event: EventOf<'answer.received'>): ReadAnswer => {
  const pending = openRequest(context);
  if (pending === null) throw new Error('no tool asks anything');
  const { request } = pending;
  const { key, message } = request;
  const { declined } = messages(context.language).forms;
  const said = chosenOption(context.question_options, event.text).trim();
  if (event.signed_in !== undefined) return { answer: { key, message, action: 'accept' } };
  if (refuses(request, said, declined)) return { answer: { key, message, action: 'decline' } };
  if (request.kind === 'form') {
    const read = readForm(request.schema, event.text, context.language);
    return 'faults' in read ? read : { answer: { key, message, action: 'accept', content: read.content } };
  }
  if (isDone(said)) return { answer: { key, message, action: 'accept' } };
  return { answer: { key, message, action: 'decline' }, remark: said };
};

const fieldLine = (name: string, field: FormField, isRequired: boolean, texts: Texts): string => {
  const choices = choicesOf(field).map(({ const: value, title }) => title ?? value);
  const notes = [
    field.description,
    field.type === 'string' && field.format !== undefined ? texts.formats[field.format] : undefined,
    field.type === 'number' || field.type === 'integer' ? texts[field.type] : undefined,
    field.type === 'boolean' ? texts.yesOrNo : undefined,
    choices.length > 0 ? texts[field.type === 'array' ? 'someOf' : 'oneOf'](choices) : undefined,
    isRequired ? undefined : texts.optional,
    field.default === undefined ? undefined : texts.otherwise(String(field.default)),
  ].filter((note) => note !== undefined);
  const label = field.title === undefined || field.title === name ? name : `${name} (${field.title})`;
  return `- ${label}${notes.length === 0 ? '' : `: ${notes.join('; ')}`}`;
};

type Texts = ReturnType<typeof messages>['forms'];

/** The choices of a form with one field, where a list can show them all. */
const shownChoices = ({ properties }: FormSchema): string[] => {
  const [field, ...others] = Object.values(properties);
  if (field?.type !== 'string' || others.length > 0) return [];
  const labels = choicesOf(field).map(({ const: value, title }) => title ?? value);
  const isListed = labels.length < OPTIONS_MAX && labels.every((label) => label.length <= OPTION_CHARS_MAX);
  return isListed && new Set(labels).size === labels.length ? labels : [];
};

const formParts = (schema: FormSchema, language: TaskContext['language']): { lines: string[]; options: string[] } => {
  const texts = messages(language).forms;
  const { approved } = messages(language).questions;
  const names = Object.entries(schema.properties);
  if (names.length === 0) return { lines: [], options: [approved, texts.declined] };
  const choices = shownChoices(schema);
  if (choices.length > 0) return { lines: [], options: [...choices, texts.declined] };
  const lines = names.map(([name, field]) => fieldLine(name, field, schema.required.includes(name), texts));
  return { lines: [lines.join('\n'), names.length === 1 ? texts.sayIt : texts.sayAll], options: [] };
};

/** A request of a server as a question, with its choices (SPEC 6). The server's words stand apart from ours. */
export const toolQuestion = (
  { language }: TaskContext,
  tool: string,
  { server, faults = [] }: PendingToolQuestion,
  request: ToolRequest,
): { question: string; options: string[] } => {
  const texts = messages(language).forms;
  const wrong = faults.length === 0 ? [] : [texts.doesNotFit(faults.join('\n'))];
  if (request.kind === 'form') {
    const { lines, options } = formParts(request.schema, language);
    const parts = [...wrong, texts.asks(server, tool), request.message, ...lines, texts.whereItGoes(server)];
    return { question: parts.join('\n\n'), options };
  }
  const asks =
    request.kind === 'link' ? texts.sendsYou(server, tool, request.host) : texts.wantsSignIn(server, request.host);
  const parts = [asks, request.message, request.url, request.kind === 'link' ? texts.thenDone : texts.thenSignedIn];
  return { question: parts.filter((part) => part !== '').join('\n\n'), options: [texts.done, texts.declined] };
};
