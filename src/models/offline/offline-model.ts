import type {
  JsonSchema,
  PlanAnswer,
  PlanItem,
  ReplanAnswer,
  TaskOutcome,
  ThoughtAnswer,
} from '../../../contracts/answer.ts';
import { fileName } from '../../../contracts/file.ts';
import {
  PLAN_ITEMS_READ_MAX,
  QUESTION_CHARS_MAX,
  RESPONSE_CHARS_MAX,
  STEP_CHARS_MAX,
} from '../../../contracts/limits.ts';
import { cutText, type Language, plainLine } from '../../../contracts/text.ts';
import { shapeFault } from '../../../machines/answer-shape.ts';
import { isYes } from '../../../machines/phrases.ts';
import { allowedTools, completedItems, isLooking } from '../../../machines/plan-items.ts';
import { filesSent } from '../../../machines/unseen-files.ts';
import type { WhenContext } from '../../when/read-when.ts';
import type { Model, ModelRequest } from '../port.ts';
import { requestOf, workOn } from './carry-out.ts';
import { offlineMessages } from './messages.ts';
import { requestsIn, splitParts } from './split-parts.ts';
import { isGreeting, isThanks, understand } from './understand.ts';
import { contextOf, type Need, type OfflineMessages, type Outcome, progressOf, type WorkContext } from './work.ts';

/** The common form of equivalent steps: the machine treats an item that repeats a completed one as done (SPEC 3). */
const sameness = (step: string): string => step.toLowerCase();

const around = ({ task, now, timezone }: ModelRequest): WhenContext => ({ now, timezone, language: task.language });

/**
 * Texts as plan items, each once, with ids that are stable across readings; none if no text requests one of these
 * tools.
 */
const partsOf = (texts: string[], idPrefix: string, context: WhenContext) => {
  const steps = new Map<string, string>();
  for (const text of texts.map((each) => cutText(each, STEP_CHARS_MAX)))
    if (!steps.has(sameness(text))) steps.set(sameness(text), text);
  const parts = [...steps.values()].map((step, i) => ({ id: `${idPrefix}-${i + 1}`, step }));
  return parts.some(({ step }) => understand(step, context) !== null) ? parts : [];
};

export const goalParts = (goal: string, context: WhenContext) => partsOf(splitParts(goal, context), 'part', context);

/** An item for each request in the goal, in the user's words; none if the offline model cannot help. */
const plan = (model: ModelRequest): PlanAnswer => ({
  status: 'planned',
  goal: undefined,
  // It has nothing to look at first.
  plan: isLooking(model.task) ? [] : goalParts(model.task.goal, around(model)).slice(0, PLAN_ITEMS_READ_MAX),
});

const NOTHING = { next_action: null, question: null, response: null };

const ended = (step: string, { isDone, text }: Outcome, { messages }: WorkContext): ThoughtAnswer => ({
  ...NOTHING,
  status: 'done',
  current_step: step,
  response: isDone ? text : messages.notDone(text),
  ...(!isDone && { outcome: 'blocked' }),
});

/** The reason why a need cannot be met: the item may not use the tool, or nothing may be called or asked now. */
const obstacle = (need: Need, { may, task }: ModelRequest, { messages }: WorkContext): string | null => {
  if ('ask' in need) return may.includes('ask_user') ? null : messages.mayNotAsk(need.ask.text);
  const { tool } = need.call;
  return may.includes('continue') && allowedTools(task).includes(tool) ? null : messages.mayNotAct(tool);
};

/**
 * The next tool call of an item, a question for missing information, or the item's conclusion. Never uses a status that
 * `may` excludes.
 */
const think = (model: ModelRequest): ThoughtAnswer => {
  const item = model.task.plan_items.find(({ id }) => id === model.item_id);
  if (item === undefined)
    // If no replan follows, this is the answer.
    return { ...NOTHING, status: 'done', current_step: null, response: closingAnswer(model, []).response };
  const context = contextOf(model, item);
  const progress = progressOf(workOn(context), context);
  if ('outcome' in progress) return ended(item.step, progress.outcome, context);
  const { need } = progress;
  const text = obstacle(need, model, context);
  if (text !== null) return ended(item.step, { isDone: false, text }, context);
  if ('call' in need) return { ...NOTHING, status: 'continue', current_step: item.step, next_action: need.call };
  const { options } = need.ask;
  const question = cutText(need.ask.text, QUESTION_CHARS_MAX);
  return { ...NOTHING, status: 'ask_user', current_step: item.step, question, ...(options.length > 0 && { options }) };
};

/**
 * The user's words that do not answer a question about an item: a steer, a change to the plan, another request in an
 * answer.
 */
const remarks = (model: ModelRequest) => {
  const { task } = model;
  const context = around(model);
  const hasAnswers = task.clarification_history.some(({ question }) => question !== null);
  const usedQuestions = (hasAnswers ? [...task.plan_items, ...task.past_items] : []).flatMap((item) => {
    const work = contextOf(model, item);
    return progressOf(workOn(work), work).usedQuestions;
  });
  return task.clarification_history.flatMap(({ question, text }, i) => {
    const isAnswer = question !== null && usedQuestions.includes(question);
    const texts = isAnswer ? requestsIn(text, context).requests : splitParts(text, context);
    const parts = partsOf(texts, `remark-${i + 1}`, context);
    return isYes(text) || (isAnswer && parts.length === 0) ? [] : [{ text, parts }];
  });
};

const RESULT_CHARS_MAX = 4_000;

const REMARK_CHARS_MAX = 200;

const isDone = ({ status }: PlanItem): boolean => status === 'completed';

/** True for an item that only gave information. */
const isReport = (item: PlanItem, model: ModelRequest): boolean =>
  ['list', undefined].includes(requestOf(contextOf(model, item))?.kind);

const summary = (items: PlanItem[], model: ModelRequest, messages: OfflineMessages): string => {
  const [only] = items;
  if (items.length === 1 && only !== undefined) {
    const result = only.result ?? messages.noResult;
    return isDone(only) && !isReport(only, model) ? messages.done(result) : result;
  }
  const lines = items.map((item, i) =>
    messages.item(
      i + 1,
      item.step,
      cutText(item.result ?? messages.noResult, RESULT_CHARS_MAX).replace(/\n/g, '\n   '),
    ),
  );
  return [messages.doneOf(items.filter(isDone).length, items.length), ...lines].join('\n');
};

/**
 * The answer that ends a task, and its outcome. Claims nothing that no result shows. `unused`: user words that no rule
 * understood.
 */
const closingAnswer = (model: ModelRequest, unused: string[]): { response: string; outcome?: TaskOutcome } => {
  const { task } = model;
  const messages = offlineMessages(task.language);
  const items = task.past_items.map((item) =>
    item.status === 'blocked' && item.result === null ? { ...item, result: messages.notDone(messages.stuck) } : item,
  );
  const greeting = isGreeting(task.goal) ? messages.hello : messages.cannot;
  const nothing = isThanks(task.goal) ? messages.welcome : greeting;
  const remarks = unused.map((text) => messages.unused(cutText(text, REMARK_CHARS_MAX)));
  const unverified = task.verify_failures > 0 ? [messages.unverified] : [];
  const files = filesSent(task).map(({ path }) => plainLine(fileName({ path }), REMARK_CHARS_MAX));
  const unread = files.length > 0 ? [messages.unread(files)] : [];
  const said = items.length === 0 ? [nothing] : [summary(items, model, messages), ...remarks, ...unverified];
  const parts = [...said, ...unread];
  // Nothing that was requested was done, other than what the user withdrew.
  const isFailed = !items.some(isDone) && items.some(({ result }) => result !== messages.notDone(messages.declined));
  const signature = task.conversation.length > 0 ? '' : `\n\n${messages.signature}`;
  return {
    response: `${cutText(parts.join('\n'), RESPONSE_CHARS_MAX - signature.length)}${signature}`,
    ...(isFailed && { outcome: 'failed' }),
  };
};

/**
 * The rest of the plan and the requests that came since, else the answer that ends the task. Ended items are not
 * planned again, so this terminates.
 */
const replan = (model: ModelRequest): ReplanAnswer => {
  const { task } = model;
  const completed = completedItems(task);
  const stepsOf = (items: PlanItem[]): Set<string> => new Set(items.map(({ step }) => sameness(step)));
  const completedSteps = stepsOf(completed);
  const left = task.plan_items.filter(
    ({ status, step }) => (status === 'not_started' || status === 'in_progress') && !completedSteps.has(sameness(step)),
  );
  const leftSteps = stepsOf(left);
  const said = remarks(model);
  const known = new Set([...task.abandoned_items, ...[...task.past_items, ...task.plan_items].map(({ id }) => id)]);
  const planned = known.has('part-1') || isLooking(task) ? goalParts(task.goal, around(model)) : [];
  const fresh = [...planned, ...said.flatMap(({ parts }) => parts)].filter(
    ({ id, step }) => !known.has(id) && !completedSteps.has(sameness(step)) && !leftSteps.has(sameness(step)),
  );
  const coming = new Set([...left, ...completed].map(({ id }) => id));
  // Items stay unchanged, so that they keep their observations; they only depend on items that can still complete.
  const kept = left.map((item) => ({
    ...item,
    depends_on: item.depends_on.filter((id) => coming.has(id)),
    expected: item.expected ?? undefined,
  }));
  const rest = [...kept, ...fresh].slice(0, PLAN_ITEMS_READ_MAX);
  if (rest.length > 0) return { status: 'replanned', plan: rest, response: null };
  const unused = said.filter(({ parts }) => parts.length === 0).map(({ text }) => text);
  return { status: 'done', plan: [], ...inShape(task.answer_schema, closingAnswer(model, unused), task.language) };
};

/** The closing answer in the requested format: the response as its single required text. Fills in nothing else. */
const inShape = (
  schema: JsonSchema | null,
  { response, outcome }: ReturnType<typeof closingAnswer>,
  language: Language,
): Pick<ReplanAnswer, 'response' | 'outcome' | 'answer'> => {
  if (schema === null || outcome === 'failed') return { response, ...(outcome && { outcome }) };
  const [name = '', ...others] = (schema['required'] ?? []) as string[];
  const answer = name === '' ? {} : { [name]: response };
  if (others.length === 0 && shapeFault(schema, answer, language) === null) return { response, answer };
  return { response: `${response}\n${offlineMessages(language).otherShape}`, outcome: 'failed' };
};

const answers = { plan, thought: think, replan };

/**
 * The model without a key or network (SPEC 9): rules for todos and schedules. The same request always gives the same
 * text.
 */
export const createOfflineModel = (): Model => ({
  name: 'offline',
  async answer(request, signal) {
    signal.throwIfAborted();
    const text = JSON.stringify(answers[request.contract](request));
    request.onText?.(text);
    return { text, fault: 'none', usage: { input_tokens: 0, output_tokens: 0 } };
  },
});
