import type { PlanItem } from '../../../contracts/answer.ts';
import type { Observation } from '../../../contracts/task.ts';
import { isYes } from '../../../machines/phrases.ts';
import { saysTime } from '../../when/find-times.ts';
import { figures, quoted, searchWords } from './command-line.ts';
import { entriesIn, findEntries, theEntry } from './entries.ts';
import { isFree } from './free-time.ts';
import { moveEntry } from './move-entry.ts';
import { requestOf } from './plan.ts';
import type { Request, ScheduleAdd, Target, TodoAdd } from './request.ts';
import { settleTime } from './settle-time.ts';
import { readEvent, readTodo } from './understand.ts';
import { ask, askUntil, call, type Outcome, type Work, type WorkContext } from './work.ts';

/** How long a reminder that comes again and again stands on the schedule, in minutes. */
const REMINDER_MINUTES = 15;

/** What a tool said was wrong, without the usage under it: that is for users who type commands. */
const faultIn = (result: string): string => result.replace(/\n(?:Usage:|用法：)[\s\S]*$/u, '');

const concluded = ({ ok, result }: Observation): Outcome => ({ isDone: ok, text: ok ? result : faultIn(result) });

function* conclude(tool: string, input: string): Work<Outcome> {
  return concluded(yield* call(tool, input));
}

function* addTodo(request: TodoAdd, context: WorkContext): Work<Outcome> {
  const { messages, step, timezone } = context;
  const { wantsReminder } = request;
  const answered =
    request.text === null
      ? yield* askUntil(
          messages.questions.text(step),
          (answer) => {
            const todo = readTodo(answer, wantsReminder);
            return todo.text === null ? null : todo;
          },
          context,
        )
      : request;
  const text = answered.text ?? '';
  const times = saysTime(request.times) ? request.times : answered.times;
  const options = [
    ...request.tags.map((tag) => `--tag ${tag}`),
    ...(request.priority === null ? [] : [`--priority ${request.priority}`]),
  ];
  if (wantsReminder || saysTime(times)) {
    const time = yield* settleTime(times, wantsReminder ? 'remind' : 'due', text, context);
    if (time.repeats) {
      const reminder = `--duration ${REMINDER_MINUTES} --remind ${quoted(figures(time.at, timezone))}`;
      return yield* conclude('schedule', `add ${quoted(time.words)} ${quoted(text)} ${reminder}`);
    }
    options.push(`--${wantsReminder ? 'remind' : 'due'} ${quoted(time.words)}`);
  }
  return yield* conclude('todo', ['add', quoted(text), ...options].join(' '));
}

function* addEvent(request: ScheduleAdd, context: WorkContext): Work<Outcome> {
  const { messages, step } = context;
  const slot = saysTime(request.times) ? 'title' : 'title_and_when';
  const answered =
    request.title === null
      ? yield* askUntil(
          messages.questions[slot](step),
          (answer) => {
            const event = readEvent(answer);
            return event.title === null ? null : event;
          },
          context,
        )
      : request;
  const title = answered.title ?? '';
  const times = saysTime(request.times)
    ? request.times
    : { ...answered.times, duration: answered.times.duration ?? request.times.duration };
  const time = yield* settleTime(times, 'event', title, context);
  const duration = time.minutes === null ? '' : ` --duration ${time.minutes}`;
  return yield* conclude('schedule', `add ${quoted(time.words)} ${quoted(title)}${duration}`);
}

/** Finishes or deletes every entry of a kind, once the user has said yes. */
function* withAll(verb: 'done' | 'delete', { entry }: Target, { messages }: WorkContext): Work<Outcome> {
  const tool = entry ?? 'todo';
  const list = yield* call(tool, 'list');
  const entries = entriesIn(list.result);
  if (entries.length === 0) return concluded(list);
  const answer = yield* ask(messages.questions.all(verb, tool, entries.length), [messages.yes, messages.no]);
  if (!isYes(answer) && answer !== messages.yes) return { isDone: false, text: messages.declined };
  return yield* conclude(tool, `${verb} ${entries.map(({ id }) => id).join(' ')}`);
}

function* onOne(verb: 'done' | 'delete', target: Target, context: WorkContext): Work<Outcome> {
  if (target.isAll) return yield* withAll(verb, target, context);
  if (target.id !== null) return yield* conclude(target.entry ?? 'todo', `${verb} ${target.id}`);
  const { kind, id } = yield* theEntry(
    verb === 'done' ? { ...target, entry: 'todo' } : target,
    verb === 'done',
    context,
  );
  return yield* conclude(kind, `${verb} ${id}`);
}

function* tellWhen(target: Target, context: WorkContext): Work<Outcome> {
  if (target.isReference) return { isDone: true, text: (yield* theEntry(target, false, context)).line };
  const found = yield* findEntries(target, context);
  const { messages, step } = context;
  const text = found.length === 0 ? messages.noMatch(target.said || step) : found.map(({ line }) => line).join('\n');
  return { isDone: true, text };
}

/** The work on a request: which tools are called with what, and what is asked, until its end. */
export function* carryOut(request: Request, context: WorkContext): Work<Outcome> {
  switch (request.kind) {
    case 'todo.add':
      return yield* addTodo(request, context);
    case 'schedule.add':
      return yield* addEvent(request, context);
    case 'done':
    case 'delete':
      return yield* onOne(request.kind, request.target, context);
    case 'find':
      return yield* tellWhen(request.target, context);
    case 'move':
      return yield* moveEntry(request, context);
    case 'free':
      return yield* isFree(request.times, context);
    case 'todo.list': {
      const view = request.view === null ? '' : ` --view ${request.view}`;
      return yield* conclude('todo', `list${view}${request.tag === null ? '' : ` --tag ${request.tag}`}`);
    }
    case 'todo.search':
      return yield* conclude('todo', `search ${searchWords(request.words)}`);
    case 'schedule.list':
      return yield* conclude('schedule', 'list');
    case 'schedule.view':
      return yield* conclude(
        'schedule',
        `view ${request.span}${request.date === null ? '' : ` ${quoted(request.date)}`}`,
      );
    case 'web.search':
      return yield* conclude('internet_search', request.words);
    case 'code':
      return yield* conclude('coding_agent', request.text);
    default:
      return request satisfies never;
  }
}

/** The work on a plan item; one whose step is not understood ends at once, not done. */
export function* workOn(item: PlanItem, context: WorkContext): Work<Outcome> {
  const request = requestOf(item);
  if (request === null) return { isDone: false, text: context.messages.notUnderstood };
  return yield* carryOut(request, context);
}
