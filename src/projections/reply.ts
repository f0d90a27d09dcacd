import type { TurnStatus } from '../../contracts/http.ts';
import type { PlanItem } from '../../contracts/plan.ts';
import type { TaskContext, TaskSnapshot } from '../../contracts/task.ts';
import { nextItem, uncompletedItems } from './item-counts.ts';
import { oneLine } from './one-line.ts';
import { type ReplyWords, replyWords } from './reply-words.ts';

/** Items listed in a reply that is built without a model: more than a person reads. The newest are kept. */
const REPLY_ITEMS_MAX = 30;

/** Longest step and longest result of one listed item, in characters. */
const STEP_SHOWN_MAX = 160;
const RESULT_SHOWN_MAX = 240;

/** What a turn is answered with when its task comes to rest. `question` is bare, `output` is what the user reads. */
export interface Reply {
  status: TurnStatus;
  output: string;
  question: string | null;
}

const completedLines = (items: PlanItem[], words: ReplyWords): string[] => {
  const shown = items.slice(-REPLY_ITEMS_MAX);
  const lines = shown.map(({ step, result }) => {
    const text = oneLine(step, STEP_SHOWN_MAX);
    return result === null ? `- [✓] ${text}` : `- [✓] ${words.completed(text, oneLine(result, RESULT_SHOWN_MAX))}`;
  });
  return shown.length < items.length ? [`- ${words.more(items.length - shown.length)}`, ...lines] : lines;
};

/** The item that was under way, and the last thing that went well on it: work that would be lost from sight. */
const underWayLines = (context: TaskContext, words: ReplyWords): string[] => {
  const item = nextItem(context);
  if (item?.status !== 'in_progress') return [];
  const success = context.observations.findLast((seen) => seen.ok && seen.item_id === item.id);
  if (success === undefined) return [];
  const action = oneLine(`${success.tool} -> ${success.input}`, STEP_SHOWN_MAX);
  return [
    `- [→] ${words.underWay(oneLine(item.step, STEP_SHOWN_MAX))}`,
    `  ${words.lastSuccess(action, oneLine(success.result, RESULT_SHOWN_MAX))}`,
  ];
};

const doneLines = (context: TaskContext, words: ReplyWords): string[] => {
  const lines = [...completedLines(context.completed_items, words), ...underWayLines(context, words)];
  return context.completed_items.length === 0 ? [words.nothingDone, ...lines] : lines;
};

const leftLines = (context: TaskContext, words: ReplyWords): string[] => {
  const open = uncompletedItems(context).filter((item) => item.status !== 'dropped');
  const steps = open.slice(0, REPLY_ITEMS_MAX).map(({ step }) => oneLine(step, STEP_SHOWN_MAX));
  if (open.length > steps.length) steps.push(words.more(open.length - steps.length));
  return steps.length === 0 ? [] : [words.left(steps.join(' · '))];
};

/** What is done, why it is not finished, what to do next (SPEC 4): told from the snapshot alone, without a model. */
const threeParts = (context: TaskContext, words: ReplyWords, why: string, next: string): string =>
  [
    `## ${words.done}`,
    ...doneLines(context, words),
    '',
    `## ${words.why}`,
    why,
    ...leftLines(context, words),
    '',
    `## ${words.next}`,
    next,
  ].join('\n');

/** The reply of a task at rest (SPEC 4, 6, 11). Calls no model. Throws for a task that still works: it has no reply yet. */
export const replyOf = ({ state, context }: TaskSnapshot): Reply => {
  const words = replyWords[context.language];
  switch (state) {
    case 'done':
      return { status: 'answered', output: context.pending_final_response ?? '', question: null };
    case 'awaiting_user': {
      const question = context.last_ask_user_question ?? '';
      return { status: 'asking', output: words.confirm(question), question };
    }
    case 'paused': {
      const reason = context.pause_reason;
      if (reason === null) throw new Error(`Task ${context.task_id} is paused for no reason`);
      const why = words.pausedBecause(reason, context);
      return {
        status: 'paused',
        output: threeParts(context, words, why, words.toGoOn(reason, context)),
        question: null,
      };
    }
    case 'failed': {
      const output = threeParts(context, words, words.failedBecause(context), words.afterFailure);
      return { status: 'failed', output, question: null };
    }
    case 'cancelled':
      return { status: 'cancelled', output: words.cancelled(oneLine(context.goal, STEP_SHOWN_MAX)), question: null };
    case 'planning':
    case 'replanning':
    case 'thinking':
    case 'acting':
    case 'verifying':
      throw new Error(`Task ${context.task_id} is in '${state}' and has no reply yet`);
    default:
      return state satisfies never;
  }
};
