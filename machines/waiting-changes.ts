import type { NextAction } from '../contracts/answer.ts';
import type { TaskEvent } from '../contracts/event.ts';
import { messages } from '../contracts/messages/messages.ts';
import type { PauseReason, TaskContext } from '../contracts/task.ts';
import type { PendingToolQuestion } from '../contracts/tool-question.ts';
import { assigned, onEvent } from './context.ts';
import { eventAs } from './guards.ts';
import { clarified, onThought } from './loop-changes.ts';
import { chosenOption } from './options.ts';
import { isNo } from './phrases.ts';
import {
  approvalQuestion,
  decisionOf,
  editedPlanQuestion,
  failuresQuestion,
  planQuestion,
  rejectedQuestion,
} from './questions.ts';
import { nextCostLimit, nextTokenLimit, withoutFailures } from './tallies.ts';
import { openRequest, readToolAnswer, toolQuestion } from './tool-questions.ts';

/** The task waits for the user with this question (SPEC 6). */
const asked = (
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
  open_effect: null,
});

/** The action of the last thought, which is what an approval is about. */
const wantedAction = ({ last_thought_snapshot }: TaskContext): NextAction => {
  if (!last_thought_snapshot?.next_action) throw new Error('the last thought wants no action');
  return last_thought_snapshot.next_action;
};

/** The next reply began with the line that was due, so it is no longer due. */
const replied: Partial<TaskContext> = { taken_as_no: false, expired_question: null, paused_task: null };

const answeredNow: Partial<TaskContext> = {
  awaiting_clarification: false,
  awaiting: null,
  ...replied,
  ...withoutFailures,
};

/** The user answered `question`: it joins the clarifications, the failures are forgiven, and replan comes next (SPEC 6). */
const taken = (
  context: TaskContext,
  text: string,
  question: string | null,
  options: string[] = [],
): Partial<TaskContext> => ({
  ...clarified(context, text, question, options),
  ...answeredNow,
  rounds: 0,
  repeats: 0,
});

/** The event's own words about a pause, beyond its reason; null where the reason says it all. */
const pauseDetail = ({ language }: TaskContext, reason: PauseReason, event: { type: string }): string | null => {
  const texts = messages(language).taskNotes;
  switch (reason) {
    case 'contract_failure':
      return eventAs('replan.rejected', event).reason;
    case 'verification_failed':
      return eventAs('verification.finished', event).output;
    case 'model_unavailable':
      return eventAs('model.unavailable', event).reason;
    case 'crash_loop':
      return texts.interrupted(eventAs('effect.abandoned', event).begins);
    case 'budget_exhausted':
      return event.type === 'quota.exhausted' ? eventAs('quota.exhausted', event).reason : null;
    case 'machine_changed': {
      const { from, to, reason: difference } = eventAs('machine.changed', event);
      return texts.machineChanged(from, to, difference);
    }
    case 'step_limit':
    case 'question_expired':
    case 'replan_limit':
    case 'deadlock':
      return null;
    default:
      return reason satisfies never;
  }
};

/** The task is paused: its effect is closed, and everything else is kept (SPEC 6). */
export const paused = (context: TaskContext, reason: PauseReason, event: { type: string }): Partial<TaskContext> => ({
  pause_reason: reason,
  pause_detail: pauseDetail(context, reason, event),
  open_effect: null,
  ...(reason !== 'question_expired' && { expired: null, tool_question: null }),
});

/** The task waits for the answer to the tool's open request; each has an id of its own. */
const toolAsked = (context: TaskContext, tool_question: PendingToolQuestion): Partial<TaskContext> => {
  const request = tool_question.requests[tool_question.answers.length];
  if (request === undefined) throw new Error('the tool asks nothing more');
  const { question, options } = toolQuestion(context, wantedAction(context).tool, tool_question, request);
  return {
    ...asked(context, 'tool', question, options),
    tool_question,
    tool_questions: context.tool_questions + 1,
  };
};

/** Events that answer a question: by words, or as a decision about an action. */
const asAnswer = (event: TaskEvent) => (event.type === 'decision.received' ? event : eventAs('answer.received', event));

export const waitingActions = {
  /** A thought asks, with the options that it gives. */
  askThoughtsQuestion: onThought((context, event) => asked(context, 'thought', event.question ?? '', event.options)),
  /** A thought wants an action that a person must approve: the task waits with it, and nothing runs (SPEC 3, approval). */
  askForApproval: onThought((context, event) => {
    const { question, options } = approvalQuestion(context, event);
    return asked(context, 'approval', question, options);
  }),
  /** The machine itself asks, naming the failures. */
  askWhatToDo: assigned((context) => asked(context, 'failures', failuresQuestion(context))),
  /** The machine asks whether the plan may be carried out, with what the model says beside it. */
  askAboutPlan: assigned((context, event) => {
    const remark = event.type === 'replan.made' && event.response !== null ? [event.response] : [];
    const { approved, rejected } = messages(context.language).questions;
    return asked(context, 'confirm_plan', [...remark, planQuestion(context)].join('\n\n'), [approved, rejected]);
  }),
  /** A server asks the user: the call waits with what it asks, and keeps what it was answered before (SPEC 6). */
  askForTool: onEvent('tool.asked', (context, { effect, server, requests, state }) => {
    const { tool_question: before } = context;
    return toolAsked(context, {
      effect: before?.effect ?? effect,
      server,
      requests,
      answers: [],
      earlier: before === null ? [] : [...before.earlier, ...before.answers],
      ...(state !== undefined && { state }),
    });
  }),
  /** The answer did not fit the form: it is asked again, and says why. */
  askToolAgain: onEvent('answer.received', (context, event) => {
    const pending = openRequest(context);
    const read = readToolAnswer(context, event);
    if (pending === null || !('faults' in read)) throw new Error('the answer fits');
    return { ...replied, ...toolAsked(context, { ...pending.asked, faults: read.faults }) };
  }),
  /** The user answered the tool. Its next request is asked, or the call goes on; a remark beside a no joins the clarifications. */
  takeToolAnswer: onEvent('answer.received', (context, event) => {
    const pending = openRequest(context);
    const read = readToolAnswer(context, event);
    if (pending === null || 'faults' in read) throw new Error('the answer does not fit');
    const { faults: _, ...tool_question } = pending.asked;
    const answers = [...tool_question.answers, read.answer];
    const said = read.remark === undefined ? {} : clarified(context, read.remark, context.last_ask_user_question);
    const after = { ...tool_question, answers };
    if (answers.length < after.requests.length)
      return { ...said, ...replied, ...toolAsked({ ...context, ...said }, after) };
    return { ...said, ...answeredNow, tool_question: after };
  }),
  /** The user edited the plan instead: the action will not run, or not go on, and replan comes next after any answer. */
  withdrawAction: assigned((context) => ({
    ...asked(context, 'edited_plan', editedPlanQuestion(context, wantedAction(context))),
    tool_question: null,
  })),
  /** The answer is kept with its question and the question's options. */
  takeAnswer: onEvent('answer.received', (context, event) => {
    const { question_options: options, last_ask_user_question: question } = context;
    return taken(context, chosenOption(options, event.text), question, options);
  }),
  /** The user said neither yes nor no to the plan. A number in their words means an item of the plan, not an option. */
  takeRemark: onEvent('answer.received', (context, event) =>
    taken(context, event.text, context.last_ask_user_question),
  ),
  /** The user said no, or anything else: the action does not run, and what they said joins the clarifications (SPEC 3, approval). */
  rejectAction: assigned((context, event) => {
    const texts = messages(context.language).questions;
    const { reason = texts.rejected } = decisionOf(context, asAnswer(event));
    return {
      ...taken(context, reason, rejectedQuestion(context, wantedAction(context))),
      taken_as_no: event.type === 'answer.received' && reason !== texts.rejected && !isNo(reason),
    };
  }),
  /** The user let the pending action run, with their own input where they edited it, and its tool for the whole task where they said so. */
  approveAction: assigned((context, event) => {
    const { tool, input } = wantedAction(context);
    const decision = decisionOf(context, asAnswer(event));
    const { approved_tools, last_thought_snapshot } = context;
    const next_action = { tool, input: decision.type === 'edit' ? decision.input : input };
    return {
      ...answeredNow,
      replaced_input: decision.type === 'edit' ? input : null,
      last_thought_snapshot: last_thought_snapshot && { ...last_thought_snapshot, next_action },
      approved_tools: decision.type === 'approve_always' ? [...approved_tools, tool] : approved_tools,
    };
  }),
  /** The user agreed to the plan: nothing new was said, so nothing is replanned. */
  takeAgreement: assigned(() => ({ ...answeredNow, plan_confirmed: true })),
  /** A paused task resumes (SPEC 6): the counter that paused it is cleared, a spent budget grows (SPEC 4), and replan comes next. */
  resume: assigned((context) => {
    const { max_steps, max_total_steps } = context.limits;
    const isSpent = context.step_count >= context.step_limit;
    return {
      ...withoutFailures,
      ...replied,
      pause_reason: null,
      pause_detail: null,
      pending_final_response: null,
      outcome: null,
      needs_replan: context.plan_initialized,
      rounds: 0,
      repeats: 0,
      token_limit: nextTokenLimit(context),
      cost_limit: nextCostLimit(context),
      ...(isSpent ? { step_limit: Math.min(context.step_count + max_steps, max_total_steps) } : {}),
      ...(context.pause_reason === 'contract_failure' ? { replan_failures: 0 } : {}),
      ...(context.pause_reason === 'deadlock' ? { deadlocks_in_a_row: 0 } : {}),
      ...(context.pause_reason === 'verification_failed' ? { verify_failures: 0 } : {}),
      ...(context.pause_reason === 'replan_limit' ? { replans: 0 } : {}),
    };
  }),
  /** A question that expired is kept, to be asked again. */
  stopAsking: assigned(({ awaiting }, { type }) => ({
    awaiting_clarification: false,
    awaiting: null,
    expired: type === 'question.expired' ? awaiting : null,
  })),
  /** The question that expired is asked again as it was, so that its answer does what it would have done. */
  askAgain: assigned(({ expired }) => ({
    awaiting_clarification: true,
    awaiting: expired,
    expired: null,
    pause_reason: null,
  })),
  forgetQuestion: assigned(() => ({ expired: null, tool_question: null })),
  /** A late result is stored and changes nothing. */
  changeNothing: assigned(() => ({})),
};
