import type { NextAction, PlanItem } from '../../../contracts/answer.ts';
import type { Observation, TaskContext } from '../../../contracts/task.ts';
import { isNo, isSameQuestion } from '../../../machines/phrases.ts';
import { rejectionOf } from '../../../machines/questions.ts';
import type { WhenContext } from '../../when/read-when.ts';
import type { ModelRequest } from '../port.ts';
import { offlineMessages } from './messages.ts';
import { DECLINE } from './phrases.ts';
import { requestsIn } from './split-parts.ts';

export type OfflineMessages = ReturnType<typeof offlineMessages>;

/** The next need of a request's work: a tool's result, or an answer, with the user's choices. */
export type Need = { call: NextAction } | { ask: { text: string; options: string[] } };

/**
 * The work on one request, in steps that stop at each need. Every thought starts it anew and advances it by what is
 * known then.
 */
export type Work<Result> = Generator<Need, Result, Observation | string>;

/** How the work on an item ended; `reason` says why it was not done. */
export interface Outcome {
  isDone: boolean;
  text: string;
}

export interface WorkContext extends WhenContext {
  messages: OfflineMessages;
  task: TaskContext;
  item: PlanItem;
}

export const contextOf = ({ task, now, timezone }: ModelRequest, item: PlanItem): WorkContext => ({
  task,
  item,
  now,
  timezone,
  language: task.language,
  messages: offlineMessages(task.language),
});

/** The work cannot continue; the message tells the user why. */
export class GivenUp extends Error {
  override name = 'GivenUp';
}

/** Calls a tool, or returns what that call gave before. The work on an item calls each subcommand once. */
export function* call(tool: string, input: string): Work<Observation> {
  return (yield { call: { tool, input } }) as Observation;
}

/** Asks twice, the second time in other words, until it understands the answer; then gives up. */
export function* askUntil<Read>(
  question: string,
  read: (answer: string) => Read | null,
  { messages: { unanswered, questions } }: WorkContext,
  options: string[] = [],
): Work<Read> {
  for (const text of [question, questions.again(question)]) {
    const value = read((yield { ask: { text, options } }) as string);
    if (value !== null) return value;
  }
  throw new GivenUp(unanswered);
}

/** How far the work on an item is: its current need or its outcome, and the questions whose answers it used. */
export type Progress = { usedQuestions: string[] } & ({ need: Need } | { outcome: Outcome });

const subcommandOf = (input: string): string => input.split(' ', 1)[0]!;

const known = (need: Need, { task, item }: WorkContext): Observation | string | undefined => {
  if ('ask' in need)
    return task.clarification_history.findLast(
      ({ question }) => question !== null && isSameQuestion(question, need.ask.text),
    )?.text;
  const { tool, input } = need.call;
  return task.observations.findLast(
    (seen) =>
      seen.item_id === item.id &&
      seen.tool === tool &&
      subcommandOf(seen.instead_of ?? seen.input) === subcommandOf(input),
  );
};

/** Starts the work anew and advances it by the item's observations and the user's answers. Pure. */
export const progressOf = (work: Work<Outcome>, context: WorkContext): Progress => {
  const usedQuestions: string[] = [];
  const notDone = (text: string): Progress => ({ usedQuestions, outcome: { isDone: false, text } });
  try {
    let step = work.next();
    while (step.done !== true) {
      const need = step.value;
      const given = known(need, context);
      if (given === undefined) {
        const rejection = 'call' in need ? rejectionOf(context.task, need.call) : undefined;
        if (rejection === undefined) return { usedQuestions, need };
        // An answer that says more than no may contain another request.
        if (isNo(rejection.text) && rejection.question !== null) usedQuestions.push(rejection.question);
        return notDone(context.messages.declined);
      }
      if ('ask' in need) usedQuestions.push(need.ask.text);
      if (typeof given === 'string' && DECLINE.test(given.trim())) return notDone(context.messages.declined);
      step = work.next(typeof given === 'string' ? requestsIn(given, context).left : given);
    }
    return { usedQuestions, outcome: step.value };
  } catch (error) {
    if (error instanceof GivenUp) return notDone(error.message);
    throw error;
  }
};
