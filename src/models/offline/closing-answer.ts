import { RESPONSE_CHARS_MAX } from '../../../contracts/limits.ts';
import type { PlanItem } from '../../../contracts/plan.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { cutText } from '../../../machines/cut-text.ts';
import { type OfflineMessages, offlineMessages } from './messages.ts';

/** Characters of one item's result in an answer that sums up several. */
const RESULT_CHARS_MAX = 4_000;

/** Characters of a remark that is quoted back. */
const REMARK_CHARS_MAX = 200;

const isDone = ({ result }: PlanItem, messages: OfflineMessages): boolean =>
  result?.startsWith(messages.notDone('')) !== true;

const summary = (items: PlanItem[], messages: OfflineMessages): string => {
  const [only] = items;
  if (items.length === 1 && only !== undefined) {
    const result = only.result ?? messages.noResult;
    return isDone(only, messages) ? messages.done(result) : result;
  }
  const done = items.filter((item) => isDone(item, messages)).length;
  const lines = items.map((item, i) =>
    messages.item(
      i + 1,
      item.step,
      cutText(item.result ?? messages.noResult, RESULT_CHARS_MAX).replace(/\n/g, '\n   '),
    ),
  );
  return [messages.doneOf(done, items.length), ...lines].join('\n');
};

/**
 * The answer that ends a task: what came of each item, what stayed undone, and that the offline model says so. It claims nothing
 * that no result shows. `unused` is what the user said and no rule understood.
 */
export const closingAnswer = (task: TaskContext, unused: string[]): string => {
  const messages = offlineMessages[task.language];
  const items = task.past_items.map((item) =>
    item.status === 'blocked' ? { ...item, result: messages.notDone(messages.stuck) } : item,
  );
  if (items.length === 0) return messages.cannot;
  const parts = [
    summary(items, messages),
    ...unused.map((text) => messages.unused(cutText(text, REMARK_CHARS_MAX))),
    ...(task.verify_failures > 0 ? [messages.unverified] : []),
  ].join('\n');
  return `${cutText(parts, RESPONSE_CHARS_MAX - messages.signature.length - 2)}\n\n${messages.signature}`;
};
