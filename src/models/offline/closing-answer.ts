import type { PlanItem, TaskOutcome } from '../../../contracts/answer.ts';
import { RESPONSE_CHARS_MAX } from '../../../contracts/limits.ts';
import { messages as catalogue } from '../../../contracts/messages/messages.ts';
import { cutText } from '../../../contracts/text.ts';
import type { ModelRequest } from '../port.ts';
import { requestOf } from './carry-out.ts';
import { isGreeting, isThanks } from './understand.ts';
import { contextOf, type OfflineMessages } from './work.ts';

/** Characters of one item's result in an answer that sums up several. */
const RESULT_CHARS_MAX = 4_000;

/** Characters of a remark that is quoted back. */
const REMARK_CHARS_MAX = 200;

const isDone = ({ status }: PlanItem): boolean => status === 'completed';

/** True for an item that only gave information. */
const isReport = (item: PlanItem, model: ModelRequest): boolean =>
  ['find', 'free', 'list', undefined].includes(requestOf(contextOf(model, item))?.kind);

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

/** True where nothing was done that was asked for, but for what the user withdrew. */
const isFailed = (items: PlanItem[], messages: OfflineMessages): boolean =>
  items.some((item) => !isDone(item) && item.result !== messages.notDone(messages.declined)) && !items.some(isDone);

/**
 * The answer that ends a task, and how it ended: what came of each item, what stayed undone, and, in the first answer of a session, that the
 * offline model says so. It claims nothing that no result shows. `unused` is what the user said and no rule understood.
 */
export const closingAnswer = (model: ModelRequest, unused: string[]): { response: string; outcome?: TaskOutcome } => {
  const { task } = model;
  const messages = catalogue(task.language).offline;
  const items = task.past_items.map((item) =>
    item.status === 'blocked' && item.result === null ? { ...item, result: messages.notDone(messages.stuck) } : item,
  );
  const nothing = isThanks(task.goal) ? messages.welcome : isGreeting(task.goal) ? messages.hello : messages.cannot;
  const remarks = unused.map((text) => messages.unused(cutText(text, REMARK_CHARS_MAX)));
  const unverified = task.verify_failures > 0 ? [messages.unverified] : [];
  const parts = items.length === 0 ? [nothing] : [summary(items, model, messages), ...remarks, ...unverified];
  const signature = task.conversation.length > 0 ? '' : `\n\n${messages.signature}`;
  return {
    response: `${cutText(parts.join('\n'), RESPONSE_CHARS_MAX - signature.length)}${signature}`,
    ...(isFailed(items, messages) && { outcome: 'failed' }),
  };
};
