import type { Observation } from '../../../contracts/task.ts';
import { isYes } from '../../../machines/phrases.ts';
import { saysTime, type Times } from '../../when/find-times.ts';
import { figures } from '../../when/format-when.ts';
import { zonedAt } from '../../when/temporal.ts';
import { entriesIn, findEntries, isFree, moveEntry, settleTime, theEntry } from './entries.ts';
import type { Request, Target } from './request.ts';
import { quoted, readEvent, readTodo, understand } from './understand.ts';
import { askUntil, call, type Outcome, type Work, type WorkContext } from './work.ts';

/** How long a reminder that comes again and again stands on the schedule, in minutes. */
const REMINDER_MINUTES = 15;

/** A tool's error without the usage under it: that is for users who type commands. */
const faultIn = (result: string): string => result.replace(/\n(?:Usage:|用法：)[\s\S]*$/u, '');

const concluded = ({ ok, result }: Observation): Outcome => ({ isDone: ok, text: ok ? result : faultIn(result) });

function* conclude(tool: string, input: string): Work<Outcome> {
  return concluded(yield* call(tool, input));
}

/** The text of a new entry with its time: as they were said, or as an answer gives the text and what is missing of the time. */
function* withText<Said extends { text: string | null; times: Times }>(
  request: Said,
  questions: string[],
  read: (answer: string) => Said,
  context: WorkContext,
): Work<{ text: string; times: Times }> {
  const { text, times } = request;
  if (text !== null) return { text, times };
  const answered = yield* askUntil(
    questions,
    (answer) => {
      const said = read(answer);
      return said.text === null ? null : { text: said.text, times: said.times };
    },
    context,
  );
  if (!saysTime(times))
    return { ...answered, times: { ...answered.times, minutes: answered.times.minutes ?? times.minutes } };
  return { ...answered, times };
}

function* addTodo(request: Extract<Request, { kind: 'todo.add' }>, context: WorkContext): Work<Outcome> {
  const { wantsReminder, options } = request;
  const { questions } = context.messages;
  const read = (answer: string) => readTodo(answer, wantsReminder, context);
  const { text, times } = yield* withText(request, questions.text(context.item.step), read, context);
  if (!wantsReminder && !saysTime(times)) return yield* conclude('todo', `add ${quoted(text)}${options}`);
  const when = yield* settleTime(times, wantsReminder ? 'remind' : 'due', text, context);
  if (when.rrule === null)
    return yield* conclude(
      'todo',
      `add ${quoted(text)}${options} --${wantsReminder ? 'remind' : 'due'} ${quoted(when.words)}`,
    );
  const reminder = `--duration ${REMINDER_MINUTES} --remind ${quoted(figures(zonedAt(when.at, context.timezone)))}`;
  return yield* conclude('schedule', `add ${quoted(when.words)} ${quoted(text)} ${reminder}`);
}

function* addEvent(request: Extract<Request, { kind: 'schedule.add' }>, context: WorkContext): Work<Outcome> {
  const { questions } = context.messages;
  const ask = saysTime(request.times) ? questions.title : questions.title_and_when;
  const read = (answer: string) => readEvent(answer, context);
  const { text, times } = yield* withText(request, ask(context.item.step), read, context);
  const when = yield* settleTime(times, 'event', text, context);
  const duration = when.minutes === null ? '' : ` --duration ${when.minutes}`;
  return yield* conclude('schedule', `add ${quoted(when.words)} ${quoted(text)}${duration}`);
}

/** Finishes or deletes every entry of a kind, once the user has said yes. */
function* withAll(verb: 'done' | 'delete', tool: 'todo' | 'schedule', context: WorkContext): Work<Outcome> {
  const { messages } = context;
  const shown = yield* call(tool, 'list');
  const entries = entriesIn(shown.result);
  if (entries.length === 0) return { isDone: false, text: shown.result };
  const questions = messages.questions.all(verb, tool, entries.length);
  const options = [messages.yes, messages.no];
  const answer = yield* askUntil(questions, (said) => (said === '' ? null : said), context, options);
  if (!isYes(answer) && answer !== messages.yes) return { isDone: false, text: messages.declined };
  return yield* conclude(tool, `${verb} ${entries.map(({ id }) => id).join(' ')}`);
}

function* onEach(verb: 'done' | 'delete', target: Target, context: WorkContext): Work<Outcome> {
  const tool = target.entry ?? 'todo';
  if (target.isAll) return yield* withAll(verb, tool, context);
  if (target.ids.length > 0) return yield* conclude(tool, `${verb} ${target.ids.join(' ')}`);
  const isDone = verb === 'done';
  const { kind, id } = yield* theEntry(isDone ? { ...target, entry: 'todo' } : target, isDone, context);
  return yield* conclude(kind, `${verb} ${id}`);
}

function* tellWhen(target: Target, context: WorkContext): Work<Outcome> {
  if (target.isReference) return { isDone: true, text: (yield* theEntry(target, false, context)).line };
  const found = yield* findEntries(target, context);
  const nothing = context.messages.noMatch(target.said || context.item.step);
  return { isDone: true, text: found.map(({ line }) => line).join('\n') || nothing };
}

/** The work on a request: which tools are called with what, and what is asked, until its end. */
function* carryOut(request: Request, context: WorkContext): Work<Outcome> {
  switch (request.kind) {
    case 'todo.add':
      return yield* addTodo(request, context);
    case 'schedule.add':
      return yield* addEvent(request, context);
    case 'done':
    case 'delete':
      return yield* onEach(request.kind, request.target, context);
    case 'find':
      return yield* tellWhen(request.target, context);
    case 'move':
      return yield* moveEntry(request, context);
    case 'free':
      return yield* isFree(request.times, context);
    case 'list':
    case 'web.search':
    case 'code':
      return yield* conclude(request.tool, request.input);
    default:
      return request satisfies never;
  }
}

/** The request of an item: its step as it is read, or handed on whole where the coding agent is to do it. */
export const requestOf = ({ item: { step, executor }, ...context }: WorkContext): Request | null =>
  executor === 'coding_agent'
    ? { kind: 'code', tool: executor, input: step.replace(/^\[[\w-]+\]\s*/, '') }
    : understand(step, context);

/** The work on a plan item; one whose step is not understood ends at once, not done. */
export function* workOn(context: WorkContext): Work<Outcome> {
  const request = requestOf(context);
  if (request === null) return { isDone: false, text: context.messages.notUnderstood };
  return yield* carryOut(request, context);
}
