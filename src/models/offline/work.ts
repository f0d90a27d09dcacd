import type { NextAction, PlanItem } from '../../../contracts/answer.ts';
import type { Messages } from '../../../contracts/messages/messages.ts';
import type { Observation, TaskContext } from '../../../contracts/task.ts';
import { isNo, isSameQuestion } from '../../../machines/phrases.ts';
import { rejectionOf } from '../../../machines/questions.ts';
import { LANGUAGES } from './read-details.ts';

/** All that the offline model says to people, in one language. */
export type OfflineMessages = Messages['offline'];

/** A question for the user, and what they may choose from. */
export interface Question {
  text: string;
  options: string[];
}

/** What the work on a request needs next: a tool's result, or an answer. */
export type Need = { call: NextAction } | { ask: Question };

/** The work on one request, as steps that stop at each need. It is begun anew at each thought and goes on with what is known by then. */
export type Work<Result> = Generator<Need, Result, Observation | string>;

/** How the work on an item ended; not done is said with the reason. */
export interface Outcome {
  isDone: boolean;
  text: string;
}

/** Around what a request is carried out. */
export interface WorkContext {
  messages: OfflineMessages;
  task: TaskContext;
  step: string;
  now: number;
  timezone: string;
}

/** The work can't go on; `reason` says why, to the user. */
export class GivenUp extends Error {
  override name = 'GivenUp';
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** Calls a tool, or takes what that very call gave before. */
export function* call(tool: string, input: string): Work<Observation> {
  return (yield { call: { tool, input } }) as Observation;
}

/** Asks the user, or takes what they answered to that question before. */
export function* ask(text: string, options: string[] = []): Work<string> {
  return (yield { ask: { text, options } }) as string;
}

/** Asks in other words each time until an answer can be read, then gives up. */
export function* askUntil<Read>(
  questions: string[],
  read: (answer: string) => Read | null,
  { messages }: WorkContext,
): Work<Read> {
  for (const question of questions) {
    const value = read(yield* ask(question));
    if (value !== null) return value;
  }
  throw new GivenUp(messages.unanswered);
}

const isDeclined = (answer: string): boolean => LANGUAGES.some(({ decline }) => decline.test(answer.trim()));

/** How far the work on an item is: what it needs now, or how it ended; and the questions whose answers it used. */
export type Progress = { usedQuestions: string[] } & ({ need: Need } | { outcome: Outcome });

/** Begins the work anew and goes as far as the item's observations and the user's answers lead. Pure. */
export const progressOf = (work: Work<Outcome>, item: Pick<PlanItem, 'id'>, context: WorkContext): Progress => {
  const { task, messages } = context;
  const usedQuestions: string[] = [];
  const notDone = (reason: string): Progress => ({ usedQuestions, outcome: { isDone: false, text: reason } });
  const known = (need: Need): Observation | string | undefined => {
    if ('call' in need)
      return task.observations.findLast(
        ({ item_id, tool, input, instead_of }) =>
          item_id === item.id && tool === need.call.tool && (instead_of ?? input) === need.call.input,
      );
    return task.clarification_history.findLast(
      ({ question }) => question !== null && isSameQuestion(question, need.ask.text),
    )?.text;
  };
  try {
    let step = work.next();
    while (step.done !== true) {
      const given = known(step.value);
      if (given === undefined) {
        const rejection = 'call' in step.value ? rejectionOf(task, step.value.call) : undefined;
        if (rejection === undefined) return { usedQuestions, need: step.value };
        // More than a no may be something else to do.
        if (isNo(rejection.text) && rejection.question !== null) usedQuestions.push(rejection.question);
        return notDone(messages.declined);
      }
      if ('ask' in step.value) {
        usedQuestions.push(step.value.ask.text);
        if (isDeclined(String(given))) return notDone(messages.declined);
      }
      step = work.next(given);
    }
    return { usedQuestions, outcome: step.value };
  } catch (error) {
    if (error instanceof GivenUp) return notDone(error.reason);
    throw error;
  }
};
