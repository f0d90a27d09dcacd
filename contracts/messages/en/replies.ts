import type { PauseReason, TaskContext, TaskState } from '../../task.ts';
import { spentBudget, stepsAdded, utcMinute } from '../../task-facts.ts';
import { totalTokens } from '../../usage.ts';
import { missionFile } from './progress.ts';

const withDetail = (text: string, detail: string | null): string => (detail === null ? text : `${text}: ${detail}`);

/**
 * Why a task is paused. Causes that only the operator can act on stay in the log. `detail` is a verifier's output or
 * the machine's own words, as one line.
 */
const paused: Record<PauseReason, (task: TaskContext, detail: string | null) => string> = {
  step_limit: ({ step_count, step_limit }) => `The task used ${step_count} of ${step_limit} steps.`,
  model_unavailable: () => 'The model gave no answer.',
  contract_failure: ({ replan_failures }) => `The model's replans could not be used, ${replan_failures} in a row.`,
  deadlock: ({ plan_items }) =>
    `The plan is deadlocked: no item left can run (${plan_items.filter(({ status }) => status === 'blocked').length}), each waits for one that is not completed.`,
  verification_failed: ({ verify_failures, limits }, detail) =>
    withDetail(
      `What was written failed its verification (${verify_failures} of ${limits.verify_limit} attempts)`,
      detail,
    ),
  replan_limit: ({ replans, limits }) => `The task used ${replans} of ${limits.max_replans} replans.`,
  crash_loop: (_, detail) => withDetail('The same action was interrupted again and again', detail),
  machine_changed: () => 'The service was updated while the task was open.',
  budget_exhausted: (task, detail) => {
    const { usage, is_usage_known, token_limit, cost, cost_limit } = task;
    if (detail !== null) return withDetail('The quota of the day allows no further model call', detail);
    if (!is_usage_known)
      return `The model's server did not report the tokens of a call, so the service cannot tell whether the task stays below ${token_limit === null ? cost_limit : `${token_limit} tokens`}.`;
    if (spentBudget(task) === 'tokens') return `The task used ${totalTokens(usage)} of ${token_limit} tokens.`;
    if (cost === null)
      return `A model call has no price, so the service cannot tell whether the task stays below ${cost_limit}.`;
    return `The task has cost ${cost.amount} ${cost.currency}; its limit is ${cost_limit}.`;
  },
  question_expired: ({ last_ask_user_question: question }) => `Nobody answered in time: ${question}`,
};

const toContinue: Record<PauseReason, (task: TaskContext) => string> = {
  step_limit: (task) => `Send "continue" for up to ${stepsAdded(task)} more steps.`,
  model_unavailable: () =>
    'Send "continue" to try again, now or later. If that does not help, open a new task, or ask the operator of the service: its log says why.',
  contract_failure: () => 'Send "continue" to try again, or open a new task that states the goal in other words.',
  deadlock: () => 'Change the plan with /plan, or send "continue" to replan the rest.',
  verification_failed: () => 'Send "continue" to have it corrected, or correct it yourself first.',
  replan_limit: ({ limits }) => `Send "continue" for up to ${limits.max_replans} more replans.`,
  crash_loop: () =>
    'Send "continue" to try again. If that does not help, ask the operator of the service: its log says why.',
  machine_changed: () => 'Send "continue" to replan the rest.',
  budget_exhausted: (task) => {
    const { limits, pause_detail, cost } = task;
    if (pause_detail !== null) return 'Send "continue" when there is quota again.';
    if (spentBudget(task) === 'tokens' && !task.is_usage_known)
      return 'Send "continue" to go on without a limit of tokens.';
    if (spentBudget(task) === 'tokens') return `Send "continue" for ${limits.max_task_tokens} more tokens.`;
    if (cost === null) return 'Send "continue" to go on without a limit of cost.';
    return `Send "continue" to spend up to ${limits.max_task_cost} ${cost.currency} more.`;
  },
  question_expired: ({ expired }) =>
    expired === null ? 'Send "continue" to replan the rest.' : 'Send "continue" to be asked again.',
};

/** The replies that are made from the task without a model (SPEC 4). */
export const replies = {
  withdrawn: 'This answer is withdrawn: it no longer applies.',
  confirm: (question: string) => `Please confirm: ${question}`,
  unseenFiles: (names: readonly string[]) =>
    `I could not look at ${names.join(', ')}: the model in use reads no files of this type.`,
  takenAsNo: 'I took that as a no: the action did not run. Only a plain "yes" lets an action run.',
  /** `id`: the task that a goal left paused. */
  leftBehind: (goal: string, id: string) => `Still paused: ${goal} ("/resume ${id}" goes on with it)`,
  /** The reply to a goal that came after the session's last question had expired. */
  noAnswer: (question: string, id: string) =>
    `This is a new task, because nobody answered in time: ${question} ("/resume ${id}" asks again)`,
  cancelled: (goal: string) => `Cancelled: ${goal}`,
  done: 'What is done',
  why: 'Why it is not finished',
  next: 'What to do next',
  scriptFault: (why: string) =>
    `A script answers here instead of a model, and it cannot go on: ${why}. Correct the file, then send "continue".`,
  keyRefused: "The model's provider refused the key: the operator of this service has to set a valid one.",
  promptCut:
    "The prompt was longer than the context of the model's server, which silently cut the beginning. The operator of this service has to set OLLAMA_CONTEXT_LENGTH where Ollama runs, for example to 32768.",
  nothingDone: 'No item of the plan is completed yet.',
  onlyAnswerMissing: 'Every item of the plan is completed; only the closing answer is missing.',
  ended: (step: string, result: string) => `${step}: ${result}`,
  more: (count: number) => `… and ${count} more`,
  underWay: (step: string) => `In progress: ${step}`,
  lastSuccess: (action: string, result: string) => `Last success: ${action}: ${result}`,
  left: (steps: string) => `Still to do: ${steps}`,
  paused,
  failed: ({ step_count, limits }: TaskContext) =>
    `The task used ${step_count} steps; one task may use at most ${limits.max_total_steps}.`,
  toContinue,
  /** The reply to a turn above its owner's daily limit. */
  turnsOfDay: (turns: number, resetsAt: string) =>
    `You may send ${turns} turns a day; the next day begins at ${resetsAt}`,
  afterFailure: 'This task has ended. Send what is still to do as a new message: it opens a new task.',
};

/** The questions that the machine asks itself (SPEC 3, 6). Lists are numbered, one entry a line. */
export const questions = {
  afterFailures: (step: string, inARow: number) => `The step "${step}" failed ${inARow} times in a row:`,
  afterRounds: (step: string, rounds: number) =>
    `The step "${step}" reached its round limit (${rounds} rounds) unfinished.`,
  withoutTool: (step: string, tools: readonly string[]) =>
    `The step "${step}" has no tool that it can use${tools.length === 0 ? '' : ` (it names ${tools.join(', ')})`}.`,
  afterUnusable: (step: string, inARow: number) =>
    `The step "${step}" got nowhere: the model's answers could not be used, ${inARow} in a row.`,
  whatNext: 'What should I do?',
  confirmPlan: (count: number, plan: string) =>
    `This is the plan, ${count === 1 ? '1 item' : `${count} items`}:\n${plan}\n\nShall I go on? (yes, no, or say what to change)`,
  mayRun: (tool: string, input: string) => `May I run the tool "${tool}" with this input?\n\n${input}`,
  /** Who decides, where that is not the task's owner alone. */
  decidedBy: (approvers: string) => `This waits for ${approvers}.`,
  /** The reply to an answer of somebody who may not decide. */
  notApprover: (tool: string, approvers: string) =>
    `"${tool}" waits for ${approvers}, so your answer decides nothing. To give the task up, send /cancel.`,
  /** Why a tool did not run that its user tried. */
  onlyApproversTry: (tool: string, approvers: string) => `"${tool}" runs only for ${approvers}; it did not run.`,
  /** Why a person is asked: results of this tool, which come from outside, are in the task. */
  exposed: (tool: string) => `Results of "${tool}", which come from outside, are in this task.`,
  /** Why a person is asked: the tool's policy failed, was too slow or gave no verdict. */
  undecided: 'Its policy could not decide.',
  didNotRun: (tool: string, input: string) => `May I run "${tool}"? (It did not run.) Its input: ${input}`,
  /** Choices of a question. When one is sent back, it is understood as that choice. */
  approved: 'yes',
  rejected: 'no',
  approvedAlways: 'always',
  edited: (input: string) => `yes, but with this input: ${input}`,
  /** The reply to an answer that came too late. */
  expired: 'This question has expired, so your answer was not used. Send "continue" to be asked again.',
  notOpen: 'This question is not open any more: it was answered, or its task has ended. Your answer was not used.',
  /** The reply to an earlier message that is sent again while a question is open. */
  answerFirst:
    'A question is open in this conversation: answer it, or send /cancel, before an earlier message is answered again',
  planEdited: (tool: string) => `The plan was changed, so "${tool}" did not run. Shall I go on with the changed plan?`,
  /** The same of a tool that was asking the user in the middle of its call. */
  callGivenUp: (tool: string) =>
    `The plan was changed, so "${tool}" did not go on. Shall I go on with the changed plan?`,
};

/** The questions that tools of servers ask through a task, and what is wrong with an answer to one (SPEC 6). */
export const forms = {
  asks: (server: string, tool: string) => `The server "${server}" asks this for "${tool}":`,
  sendsYou: (server: string, tool: string, host: string) =>
    `The server "${server}" wants you to visit a page at ${host} for "${tool}". Open it only if you trust ${host}.`,
  wantsSignIn: (server: string, host: string) =>
    `The server "${server}" wants you to sign in. This link at ${host} leads to its sign-in page.`,
  whereItGoes: (server: string) => `Your answer goes to "${server}"; give it no password. "decline" gives it nothing.`,
  sayIt: 'Answer with the value.',
  sayAll: 'Answer with one "field: value" a line, or with a JSON object.',
  thenDone: 'Say "done" when you have been there, or "decline".',
  thenSignedIn: 'The task goes on by itself once you have signed in. Or say "decline".',
  done: 'done',
  declined: 'decline',
  doesNotFit: (faults: string) => `That does not fit:\n${faults}`,
  fault: (field: string, fault: string) => `- ${field}: ${fault}`,
  missing: 'is missing',
  unknown: 'is no field of this form',
  text: 'a text',
  number: 'a number',
  integer: 'a whole number',
  yesOrNo: 'yes or no',
  oneOf: (choices: readonly string[]) => `one of ${choices.join(', ')}`,
  someOf: (choices: readonly string[]) => `some of ${choices.join(', ')}, with commas between`,
  tooShort: (min: number) => `at least ${min} characters`,
  tooLong: (max: number) => `at most ${max} characters`,
  least: (min: number) => `at least ${min}`,
  most: (max: number) => `at most ${max}`,
  fewest: (min: number) => `at least ${min} of them`,
  atMost: (max: number) => `at most ${max} of them`,
  formats: {
    email: 'a mail address',
    uri: 'an address such as https://example.com',
    date: 'a date as YYYY-MM-DD',
    'date-time': 'a time as YYYY-MM-DDThh:mm:ssZ',
  },
  optional: 'may be left out',
  otherwise: (value: string) => `otherwise ${value}`,
  /** The reply to a user who tried a tool outside of a task. */
  onlyInTask: (server: string) =>
    `The server "${server}" asks something before it goes on, and only a task can wait for your answer: ask for it in words.`,
  howToAnswer: (fields: readonly string[]) =>
    `Answer with one "field: value" a line, or with a JSON object. The fields are ${fields.join(', ')}.`,
  /** The words of a user who came back from a sign-in, as their turn shows them. */
  signedIn: (server: string) => `Signed in at "${server}".`,
};

/** Replies to the control commands and "continue" phrases that change nothing but the plan, if anything (SPEC 2, 8). */
export const controls = {
  nothingToCancel: 'There is no task to cancel.',
  nothingToResume: 'There is no paused task to continue.',
  leftPlanUnreadable:
    'The plan.json in this folder is in neither UTF-8 nor UTF-16 (perhaps in GBK). Save it as UTF-8, then continue.',
  busyWithAnother:
    'Another task of this session runs or waits for an answer. Finish or /cancel it first, then /resume.',
  stillRunning: 'The task is running already.',
  planIsInUse: 'The task is running; its plan can be edited while it waits or is paused.',
  planWaits: 'The task of this session waits for an answer. Answer it or /cancel it first, then run the plan.',
  noPlanToEdit: 'No task of this session waits or is paused, so there is no plan to edit.',
  noPlanYet: 'The task has no plan yet; /continue makes one.',
  planIsFull: 'The plan is full; drop an item first.',
  stepTooLong: (max: number) => `A step has at most ${max} characters; this one is longer.`,
  noSuchItem: 'The plan has no item with that number. /plan shows it.',
  agentGone: (agent: string, agents: readonly string[]) =>
    `This session belongs to the agent "${agent}", which is not configured any more. Nothing is lost: it goes on once there is an agent with that name again. ${agents.length === 0 ? 'New sessions work as usual.' : `New sessions can work with ${agents.join(', ')}.`}`,
  noSuchTask: (id: string) => `This session has no task "${id}".`,
  notPaused: (id: string, state: TaskState | 'running') =>
    `Task ${id} is not paused; it is ${state === 'running' ? 'running' : missionFile.state[state]}.`,
  waitsForAnswer: (question: string) => `The task waits for your answer: ${question}`,
  planEdited: (plan: string) => `The plan is now:\n${plan}`,
};

/** The machine's own notes in a task: in its plan, observations, failures and pauses (SPEC 3, 5, 6). */
export const taskNotes = {
  unknownExecutor: (itemId: string, name: string) => `item ${itemId}: no executor "${name}", so default runs it`,
  unknownTool: (itemId: string, tool: string) => `item ${itemId}: no tool "${tool}"`,
  planCut: (count: number, kept: number, max: number) =>
    `the plan of ${count} items is cut to ${kept}; the limit is ${max}`,
  waitsFor: (step: string, ids: string[]) => `"${step}" waits for ${ids.join(', ')}`,
  deadlock: (waiting: string[]) => `Deadlock, no item can run: ${waiting.join('; ')}`,
  failedAction: (tool: string, result: string) => `${tool}: ${result}`,
  agentGone: (agent: string) => `the agent "${agent}" is not configured any more`,
  sameResult: (times: number) => `the same action gave the same result ${times} times`,
  interrupted: (times: number) => `begun ${times} times without an outcome`,
  /** `reason` is in English and names the difference in the machine's own terms. */
  machineChanged: (_from: string, _to: string, reason: string) => reason,
  /** `resetsAt` is in epoch milliseconds, a midnight in UTC. */
  tokenQuota: (used: number, limit: number, resetsAt: number) =>
    `${used} of the ${limit} tokens of this day are used; the next one begins at ${utcMinute(resetsAt)}`,
  tokenQuotaUnknown: (limit: number) =>
    `it is ${limit} tokens a day, and the model's server does not count them; ask the operator`,
  /** Amounts are exact decimals in `currency`. */
  costQuota: (spent: string, limit: string, currency: string, resetsAt: number) =>
    `${spent} of the ${limit} ${currency} of this day are spent; the next one begins at ${utcMinute(resetsAt)}`,
  /** `currency` is null without a price list. */
  costQuotaUnknown: (limit: string, currency: string | null) =>
    `it is ${limit} ${currency ?? 'in money'} a day, and the cost of a call is not known; ask the operator`,
};
