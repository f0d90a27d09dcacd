import type { TaskContext } from '../../../contracts/task.ts';
import { isSameQuestion } from '../../../machines/phrases.ts';
import { actionFor } from './command-line.ts';
import { offlineMessages } from './messages.ts';
import { LANGUAGES } from './read-details.ts';
import type { Request } from './request.ts';
import { fillSlot, missingSlot, type Slot, subjectOf, timeOf } from './slots.ts';

/** What to do about a request after all that the user answered; `usedQuestions` are the questions whose answers were used. */
export type Resolution = { usedQuestions: string[] } & (
  | { kind: 'ready'; request: Request }
  | { kind: 'ask'; question: string }
  | { kind: 'given_up'; reason: 'declined' | 'unanswered' }
);

const isDeclined = (answer: string): boolean => LANGUAGES.some(({ decline }) => decline.test(answer.trim()));

/** What a tool says first when a time is at fault; the usage that follows always speaks of times. */
const BLAMES_TIME = /--(?:due|remind)\b|\b(?:time|date|reminder)\b|时间|日期|几点|提醒/i;

/** True when this very command failed on the item because of its time, so that another time may help. */
const isTimeRefused = (request: Request, item_id: string | null, task: TaskContext): boolean => {
  if (timeOf(request) === null) return false;
  const { tool, input } = actionFor(request);
  return task.observations.some(
    (tried) =>
      tried.item_id === item_id &&
      tried.tool === tool &&
      tried.input === input &&
      !tried.ok &&
      BLAMES_TIME.test(tried.result.split('\n')[0] ?? ''),
  );
};

/**
 * Fills what a request lacks from the clarifications, by asking its questions in the order in which they were asked before: the
 * first one without an answer is asked now. Each question is asked once, so this ends. Pure.
 */
export const resolve = (request: Request, step: string, item_id: string | null, task: TaskContext): Resolution => {
  const asked = new Map<Slot, number>();
  const usedQuestions: string[] = [];
  let current = request;
  for (;;) {
    const slot = missingSlot(current) ?? (isTimeRefused(current, item_id, task) ? 'other_time' : null);
    if (slot === null) return { kind: 'ready', request: current, usedQuestions };
    const times = asked.get(slot) ?? 0;
    const question = offlineMessages[task.language].questions[slot](subjectOf(current, step))[times];
    if (question === undefined) return { kind: 'given_up', reason: 'unanswered', usedQuestions };
    asked.set(slot, times + 1);
    const answer = task.clarification_history.findLast(
      (clarification) => clarification.question !== null && isSameQuestion(clarification.question, question),
    );
    if (answer === undefined) return { kind: 'ask', question, usedQuestions };
    usedQuestions.push(question);
    if (isDeclined(answer.text)) return { kind: 'given_up', reason: 'declined', usedQuestions };
    current = fillSlot(current, slot, answer.text);
  }
};
