import type { PlanItem } from '../../contracts/answer.ts';
import { fileName } from '../../contracts/file.ts';
import { OPTION_CHARS_MAX } from '../../contracts/limits.ts';
import { type Messages, messages } from '../../contracts/messages/messages.ts';
import { KEY_REFUSED, PROMPT_CUT, SCRIPT_FAULT } from '../../contracts/model-fault.ts';
import { isOtherLanguage } from '../../contracts/other-language.ts';
import type { TaskContext, TaskSnapshot } from '../../contracts/task.ts';
import { plainLine } from '../../contracts/text.ts';
import type { TurnStatus, TurnView } from '../../contracts/turn-view.ts';
import { pendingAction } from '../../machines/approvals.ts';
import { completedItems, isOpen } from '../../machines/plan-items.ts';
import { allItems, itemCounts, nextItem, planMark } from './items.ts';

/** Most items in a reply that is built without a model; the newest are kept. */
const REPLY_ITEMS_MAX = 30;

/** Longest step and longest result of one listed item, in characters. */
const STEP_SHOWN_MAX = 160;
const RESULT_SHOWN_MAX = 240;

/** Longest detail of a pause in a reply, in characters: enough of a model's error or a verifier's output. */
const DETAIL_CHARS_MAX = 600;

/**
 * The reply of a turn whose task is suspended or ended. `question` is bare; `output` is the text for the user, with
 * `options` listed below it.
 */
export type Reply = Pick<TurnView, 'status' | 'question' | 'options'> & { output: string };

type Texts = Messages['replies'];

const endedLines = (items: PlanItem[], texts: Texts): string[] => {
  const shown = items.slice(-REPLY_ITEMS_MAX);
  const lines = shown.map(({ step, status, result }) => {
    const text = plainLine(step, STEP_SHOWN_MAX);
    const ended = result === null ? text : texts.ended(text, plainLine(result, RESULT_SHOWN_MAX));
    return `- ${planMark(status)} ${ended}`;
  });
  return shown.length < items.length ? [`- ${texts.more(items.length - shown.length)}`, ...lines] : lines;
};

/** The item in progress and its last success, which would otherwise be invisible. */
const underWayLines = (context: TaskContext, texts: Texts): string[] => {
  const item = nextItem(context);
  if (item?.status !== 'in_progress') return [];
  const success = context.observations.findLast((seen) => seen.ok && seen.item_id === item.id);
  if (success === undefined) return [];
  const action = plainLine(`${success.tool} -> ${success.input}`, STEP_SHOWN_MAX);
  return [
    `- [→] ${texts.underWay(plainLine(item.step, STEP_SHOWN_MAX))}`,
    `  ${texts.lastSuccess(action, plainLine(success.result, RESULT_SHOWN_MAX))}`,
  ];
};

const leftLines = (context: TaskContext, texts: Texts): string[] => {
  const open = context.plan_items.filter(isOpen);
  const steps = open.slice(0, REPLY_ITEMS_MAX).map(({ step }) => plainLine(step, STEP_SHOWN_MAX));
  if (open.length > steps.length) steps.push(texts.more(open.length - steps.length));
  if (steps.length > 0) return [texts.left(steps.join(' · '))];
  const { done, total } = itemCounts(context);
  const isOnlyAnswerMissing = total > 0 && done === total && context.pause_reason !== 'verification_failed';
  return isOnlyAnswerMissing ? [texts.onlyAnswerMissing] : [];
};

/** The fault that kept a model from answering, if only the operator can fix it; null: any other. */
const operatorsPart = (reason: string, { keyRefused, promptCut, scriptFault }: Texts): string | null => {
  if (reason.startsWith(`${SCRIPT_FAULT}: `))
    return scriptFault(plainLine(reason.slice(SCRIPT_FAULT.length + 2), DETAIL_CHARS_MAX));
  if (reason.includes(KEY_REFUSED)) return keyRefused;
  return reason.includes(PROMPT_CUT) ? promptCut : null;
};

/**
 * The three parts of a reply without a model (SPEC 4): what is done, why it is not finished, and the next step; built
 * from the snapshot alone.
 */
const threeParts = (context: TaskContext, texts: Texts, why: string, next: string): string => {
  const completed = completedItems(context);
  const blocked = allItems(context).filter(({ status }) => status === 'blocked');
  return [
    `## ${texts.done}`,
    ...(completed.length === 0 ? [texts.nothingDone] : endedLines(completed, texts)),
    ...underWayLines(context, texts),
    '',
    `## ${texts.why}`,
    why,
    ...endedLines(blocked, texts),
    ...leftLines(context, texts),
    '',
    `## ${texts.next}`,
    next,
  ].join('\n');
};

/** The reply of a task that is suspended or ended (SPEC 4, 6, 11). Calls no model. Throws for a running task. */
export const replyOf = (task: TaskSnapshot): Reply => {
  const reply = settledReply(task);
  return { ...reply, output: replyStart(task.context) + reply.output };
};

/** The fixed beginning of a task's next reply. */
export const replyStart = (task: TaskContext): string =>
  [turnLine(task), unseenLine(task)].map((line) => (line === null ? '' : `${line}\n\n`)).join('');

/** A line about the turn before, if the user should know. */
const turnLine = ({ taken_as_no, expired_question, paused_task, language }: TaskContext): string | null => {
  const texts = messages(language).replies;
  if (taken_as_no) return texts.takenAsNo;
  if (paused_task === null) return null;
  const goal = plainLine(paused_task.goal);
  return expired_question === null
    ? texts.leftBehind(goal, paused_task.task_id)
    : texts.noAnswer(plainLine(expired_question, STEP_SHOWN_MAX), paused_task.task_id);
};

/** The user's files that the model could not look at. */
const unseenLine = ({ unseen_files, language }: TaskContext): string | null => {
  const names = unseen_files.filter(({ is_said }) => !is_said).map((file) => plainLine(fileName(file), STEP_SHOWN_MAX));
  return names.length === 0 ? null : messages(language).replies.unseenFiles(names);
};

const settledReply = ({ state, context }: TaskSnapshot): Reply => {
  const texts = messages(context.language).replies;
  const told = (status: TurnStatus, output: string): Reply => ({ status, output, question: null, options: null });
  switch (state) {
    case 'done':
      return told(context.outcome === 'failed' ? 'failed' : 'answered', context.pending_final_response ?? '');
    case 'awaiting_user': {
      const question = context.last_ask_user_question ?? '';
      const options = context.question_options.length === 0 ? null : context.question_options;
      // A tool's input and a server's words may end in anything, so the text after it is set apart.
      const isTools = context.awaiting === 'tool';
      const gap = pendingAction(context) === null && !isTools ? '' : '\n';
      // A plan's question names its choices itself, below its numbered steps.
      const shown = context.awaiting === 'confirm_plan' ? [] : (options ?? []);
      const listed = shown.map((option, i) => `\n${i + 1}. ${plainLine(option, OPTION_CHARS_MAX)}`).join('');
      // The prefix is in English or Chinese and would not fit a question in another language.
      const asked = isTools || isOtherLanguage(context.goal) ? question : texts.confirm(question);
      return { status: 'asking', output: asked + gap + listed, question, options };
    }
    case 'paused': {
      const reason = context.pause_reason;
      if (reason === null) throw new Error(`Task ${context.task_id} is paused for no reason`);
      const detail = context.pause_detail === null ? null : plainLine(context.pause_detail, DETAIL_CHARS_MAX);
      const why = texts.paused[reason](context, detail);
      const parts = threeParts(context, texts, why, texts.toContinue[reason](context));
      const remedy = reason === 'model_unavailable' ? operatorsPart(context.pause_detail ?? '', texts) : null;
      return told('paused', remedy === null ? parts : `${remedy}\n\n${parts}`);
    }
    case 'failed':
      return told('failed', threeParts(context, texts, texts.failed(context), texts.afterFailure));
    case 'cancelled':
      return told('cancelled', texts.cancelled(plainLine(context.goal, STEP_SHOWN_MAX)));
    default:
      throw new Error(`Task ${context.task_id} is in '${state}' and has no reply yet`);
  }
};
