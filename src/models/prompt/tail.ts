import type { PlanItem } from '../../../contracts/answer.ts';
import type { AnswerContract } from '../../../contracts/calls.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { allowedTools, isLooking } from '../../../machines/plan-items.ts';
import { actionsAtOnce, sideBySideTools } from '../../../machines/side-by-side.ts';
import { zonedAt } from '../../when/temporal.ts';
import type { ModelRequest } from '../port.ts';
import { oneLine, sections } from './prompt-text.ts';
import type { Voice } from './rules.ts';

/** Characters shown of a step or an expected output. */
const STEP_CHARS_SHOWN = 300;

/** Most items shown from earlier plans: the log has them all. */
const PAST_ITEMS_SHOWN = 50;

/**
 * Indexed by weekday, Monday first. Written out, because a formatter takes ten times as long as the rest of the line.
 */
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** A time in a zone, such as `Current time: Friday, 2025-11-21T15:04:05+08:00 (Asia/Shanghai)`. */
export const timeLine = (now: number, timezone: string): string => {
  const time = zonedAt(now, timezone);
  const shown = time.toString({ timeZoneName: 'never', fractionalSecondDigits: 0 });
  return `Current time: ${WEEKDAYS[time.dayOfWeek - 1]}, ${shown} (${timezone})`;
};

const DUE: Record<AnswerContract, string> = {
  plan: 'Call plan, or for a task of one step its tool, ask_user or finish.',
  thought: 'Call a tool for your item, ask_user, item_done or finish.',
  replan: 'Call finish, a tool to go on with the plan as it is, or plan with the work that is left.',
};

const SHAPES: Record<AnswerContract, string> = {
  plan: `{"status": "planned", "goal": string | null, "plan": [item, ...]}
An item is its step as a string, or {"id": string, "step": string, "depends_on": [id, ...], "executor": string,
"tools": [tool name, ...], "expected": string}, where all but id and step may be left out or null. "depends_on" names items that
must be completed first.`,
  thought: `{"status": "continue" | "ask_user" | "done", "current_step": string | null,
 "next_action": {"tool": string, "input": string} | null, "question": string | null, "options": [string, ...] | null,
 "response": string | null, "outcome": "completed" | "blocked" | null}
"continue" needs current_step and next_action, whose input is the tool's command line or JSON, exactly as its usage says.
"ask_user" needs current_step and question; options may give up to 10 short answers. "done" ends the item: response is what came
of it, with the values that later items need; outcome "blocked" says that it could not be done. Keys that a status has no use
for are null.`,
  replan: `{"status": "replanned" | "keep" | "done", "plan": [item, ...], "response": string | null,
 "outcome": "completed" | "failed" | null}
"keep" goes on with the plan as it is. "replanned" replaces what is left of it: list all that is still to do, keep the ids of
items that stay, and leave out what is completed. "done" ends the task: response is the whole answer to the user, and nobody adds
to it; outcome "failed" gives the task up, and the response says why. An item is its step as a string, or {"id", "step",
"depends_on", "executor", "tools", "expected"}.`,
};

const MARKS: Record<PlanItem['status'], string> = {
  completed: '[done]',
  blocked: '[blocked]',
  dropped: '[dropped]',
  in_progress: '[now]',
  not_started: '[to do]',
};

const itemLine = ({ id, step, status, depends_on, executor, tools, expected }: PlanItem): string =>
  [
    `${MARKS[status]} ${oneLine(id, STEP_CHARS_SHOWN)}: ${oneLine(step, STEP_CHARS_SHOWN)}`,
    ...(depends_on.length > 0 ? [`after ${oneLine(depends_on.join(', '), STEP_CHARS_SHOWN)}`] : []),
    ...(executor === 'default' ? [] : [`executor ${executor}`]),
    ...(tools === null ? [] : [`tools ${oneLine(tools.join(', '), STEP_CHARS_SHOWN)}`]),
    ...(expected === null ? [] : [`expected: ${oneLine(expected, STEP_CHARS_SHOWN)}`]),
  ].join(' · ');

const planText = (task: TaskContext): string | null => {
  const inPlan = new Set(task.plan_items.map(({ id }) => id));
  const past = task.past_items.filter(({ id }) => !inPlan.has(id)).slice(-PAST_ITEMS_SHOWN);
  const items = [...past, ...task.plan_items];
  if (items.length === 0) return task.plan_initialized ? 'The plan is empty: there is no item to work on.' : null;
  return ['The plan:', ...items.map(itemLine)].join('\n');
};

const CALLS = { continue: 'a tool', ask_user: 'ask_user', done: 'item_done' } as const;
const WHY_NOT = {
  continue: 'no tool may be called now (too many failures or rounds, or no item)',
  ask_user: 'no more questions may be asked',
  done: 'the item may not be ended',
};
const STATUSES = Object.keys(CALLS) as (keyof typeof CALLS)[];

const narrowing = (voice: Voice, may: ModelRequest['may']): string | null => {
  const not = STATUSES.filter((status) => !may.includes(status));
  if (not.length === 0) return null;
  const named = may.map((status) => (voice === 'native' ? CALLS[status] : `"${status}"`)).join(' or ');
  return `Only ${named} is allowed now: ${not.map((status) => WHY_NOT[status]).join('; ')}.`;
};

const toolsLine = (task: TaskContext): string | null => {
  const allowed = allowedTools(task);
  if (allowed.length === 0 || allowed.length === task.catalogue.tools.length) return null;
  return `Of the tools only these may be called for this item: ${allowed.join(', ')}.`;
};

/** Tells a task that looks first which tools it may use, and that its plan is shown next. The tools themselves stay in the prompt: its beginning never changes. */
const lookingText = (task: TaskContext): string | null => {
  if (!isLooking(task)) return null;
  const reading = task.catalogue.tools.filter(({ writes }) => !writes).map(({ name }) => name);
  const tools = reading.length === 0 ? 'No tool only reads.' : `Reading tools: ${reading.join(', ')}.`;
  return `Look first: until the user agrees to the plan, only tools that read may be called. ${tools} Find out within one item what you
need, and end that item with what you found. The plan that you give after it is shown to the user, and lists all that is to be
done or changed. Where nothing has to be changed, answer.`;
};

/** In the text voice a thought has a key for further calls. */
const besideText = (voice: Voice, task: TaskContext): string | null => {
  const more = actionsAtOnce(task) - 1;
  const tools = sideBySideTools(task);
  if (voice === 'native' || more < 1 || tools.length === 0) return null;
  return `With "continue" the key "more_actions": [{"tool", "input"}, ...] | null may have up to ${more} more calls, which are made at once
with next_action, where none needs the result of another. All of them, next_action too, must be of these tools, which only
read: ${tools.join(', ')}.`;
};

const countsLine = (task: TaskContext): string => {
  const { max_questions, max_rounds_per_item, failure_limit } = task.limits;
  const counts = [`Steps used: ${task.step_count} of ${task.step_limit}`];
  if (task.consecutive_failures > 0) counts.push(`failures in a row: ${task.consecutive_failures} of ${failure_limit}`);
  if (2 * task.rounds > max_rounds_per_item)
    counts.push(`rounds on this item: ${task.rounds} of ${max_rounds_per_item}`);
  if (task.questions_asked > 0) counts.push(`questions asked: ${task.questions_asked} of ${max_questions}`);
  return `${counts.join(' · ')}.`;
};

const abandonedLine = ({ abandoned_items: ids }: TaskContext): string | null =>
  ids.length === 0
    ? null
    : `Given up for good, so nothing may wait for them: ${ids.map((id) => oneLine(id, STEP_CHARS_SHOWN)).join(', ')}.`;

/**
 * The end of a prompt: what is due now, what is allowed, the plan with its marks, the counts and the time. Every prompt
 * has a new one.
 */
export const tailText = (voice: Voice, request: ModelRequest): string => {
  const { contract, task, item_id, may, executors, now, timezone } = request;
  const item = task.plan_items.find(({ id }) => id === item_id);
  const role = executors.find(({ name }) => name === item?.executor)?.prompt ?? null;
  const due = voice === 'native' ? `Due: ${contract}\n${DUE[contract]}` : `Contract: ${contract}\n${SHAPES[contract]}`;
  const isThought = contract === 'thought';
  return sections(
    `# Now\n${due}`,
    isThought && may.includes('continue') ? besideText(voice, task) : null,
    isThought ? narrowing(voice, may) : null,
    lookingText(task),
    isThought ? toolsLine(task) : null,
    task.chain ? null : 'Make one call in your message: any other is not taken.',
    planText(task),
    contract === 'replan' ? abandonedLine(task) : null,
    isThought && role !== null ? `Your role on this item: ${role}` : null,
    `${countsLine(task)}\n${timeLine(now, timezone)}`,
  );
};
