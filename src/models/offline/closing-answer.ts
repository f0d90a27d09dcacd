import { RESPONSE_CHARS_MAX } from '../../../contracts/limits.ts';
import type { PlanItem } from '../../../contracts/plan.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { cutText } from '../../../machines/cut-text.ts';
import { type Wording, wording } from './wording.ts';

/** Characters of one item's result in an answer that sums up several. */
const RESULT_CHARS_MAX = 4_000;

/** Characters of a remark that is quoted back. */
const REMARK_CHARS_MAX = 200;

const isDone = ({ result }: PlanItem, words: Wording): boolean => result?.startsWith(words.notDone('')) !== true;

const summary = (items: PlanItem[], words: Wording): string => {
  const [only] = items;
  if (items.length === 1 && only !== undefined) {
    const result = only.result ?? words.noResult;
    return isDone(only, words) ? words.done(result) : result;
  }
  const done = items.filter((item) => isDone(item, words)).length;
  const lines = items.map((item, i) =>
    words.item(i + 1, item.step, cutText(item.result ?? words.noResult, RESULT_CHARS_MAX).replace(/\n/g, '\n   ')),
  );
  return [words.doneOf(done, items.length), ...lines].join('\n');
};

/**
 * The answer that ends a task: what came of each item, what stayed undone, and that the offline model says so. It claims nothing
 * that no result shows. `unused` is what the user said and no rule understood.
 */
export const closingAnswer = (task: TaskContext, unused: string[]): string => {
  const words = wording[task.language];
  const items = task.past_items.map((item) =>
    item.status === 'blocked' ? { ...item, result: words.notDone(words.stuck) } : item,
  );
  if (items.length === 0) return words.cannot;
  const parts = [
    summary(items, words),
    ...unused.map((text) => words.unused(cutText(text, REMARK_CHARS_MAX))),
    ...(task.verify_failures > 0 ? [words.unverified] : []),
  ].join('\n');
  return `${cutText(parts, RESPONSE_CHARS_MAX - words.signature.length - 2)}\n\n${words.signature}`;
};
