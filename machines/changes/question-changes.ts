import type { EventOf } from '../../contracts/event.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { chosenOption } from '../chosen-option.ts';
import { failuresQuestion, planQuestion } from '../questions.ts';
import { withoutFailures } from './failures.ts';
import { clarified } from './loop-changes.ts';

/** The task waits for the user with this question (SPEC 6). */
export const asked = (
  context: TaskContext,
  awaiting: NonNullable<TaskContext['awaiting']>,
  question: string,
  options: string[] = [],
): Partial<TaskContext> => ({
  awaiting_clarification: true,
  awaiting,
  last_ask_user_question: question,
  question_options: options,
  questions_asked: context.questions_asked + (awaiting === 'thought' ? 1 : 0),
  open_effect_id: null,
});

/** A thought asks, with the options that it gives. */
export const askedByThought = (context: TaskContext, event: EventOf<'thought.made'>): Partial<TaskContext> =>
  asked(context, 'thought', event.question ?? '', event.options);

/** The machine itself asks, naming the failures. */
export const askedWhatToDo = (context: TaskContext): Partial<TaskContext> =>
  asked(context, 'failures', failuresQuestion(context));

/** The machine asks whether the plan may be carried out. */
export const askedAboutPlan = (context: TaskContext): Partial<TaskContext> =>
  asked(context, 'confirm_plan', planQuestion(context));

const answeredNow: Partial<TaskContext> = { awaiting_clarification: false, awaiting: null, ...withoutFailures };

/** The user answered: it joins the clarifications, the failures are forgiven, and replan comes next (SPEC 6). */
export const answered = (context: TaskContext, event: EventOf<'answer.received'>): Partial<TaskContext> => ({
  ...clarified(context, chosenOption(context.question_options, event.text), context.last_ask_user_question),
  ...answeredNow,
  rounds: 0,
  repeats: 0,
});

/** The user agreed to the plan: nothing new was said, so nothing is replanned. */
export const agreed: Partial<TaskContext> = answeredNow;
