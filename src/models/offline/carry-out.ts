import type { Observation } from '../../../contracts/task.ts';
import { cutText } from '../../../contracts/text.ts';
import { isYes } from '../../../machines/phrases.ts';
import { findTimes, saysTime, type Times } from '../../when/find-times.ts';
import { settle, todayOf, type When } from '../../when/read-when.ts';
import { entriesIn, theEntry } from './entries.ts';
import { splitParts } from './split-parts.ts';
import { quoted, type Request, readEntry, type Target, type TimeUse, understand } from './understand.ts';
import { askUntil, call, GivenUp, type Outcome, type Work, type WorkContext } from './work.ts';

/** The usage below a tool's error: it is for users who type commands. */
const USAGE = /\n(?:Usage:|用法：)[\s\S]*$/u;

const concluded = ({ ok, result }: Observation): Outcome => ({
  isDone: ok,
  text: ok ? result : result.replace(USAGE, ''),
});

function* conclude(tool: string, input: string): Work<Outcome> {
  return concluded(yield* call(tool, input));
}

const DAY_MS = 86_400_000;

/** The times that the user gave, updated by an answer: its day or hour replaces the earlier one. */
const withAnswer = (said: Times, answer: Times): Times => {
  if (!saysTime(answer)) return said;
  const minutes = answer.minutes ?? said.minutes;
  if (answer.seconds !== undefined) return { ...answer, minutes };
  const isNewDay = (answer.day ?? answer.rule) !== undefined;
  const { day, rule, words } = isNewDay ? answer : said;
  const { clock, clockWords, until, zone } = answer.clock === undefined ? said : answer;
  const part = answer.part ?? (isNewDay ? undefined : said.part);
  return { ...answer, seconds: undefined, minutes, day, rule, words, clock, clockWords, until, zone, part };
};

const lackOf = (lacks: 'past' | 'hour' | 'when') => ({ lacks, about: '', options: [] });

/** The part of a time that its use still lacks; null if it is certain. `about` is the point in doubt. */
const missing = (when: ReturnType<typeof settle>, use: TimeUse, now: number) => {
  if ('lacks' in when) return when;
  if ((when.hasTime ? when.at : when.at + DAY_MS) < now) return lackOf('past');
  return when.hasTime || use === 'due' ? null : lackOf('hour');
};

/** Asks for missing parts of a time until it is certain: each part once, at last for digits, then gives up. */
function* settleTime(times: Times, use: TimeUse, subject: string, context: WorkContext): Work<When> {
  const { questions, unanswered } = context.messages;
  const asked = new Set<string>();
  let said = times;
  for (;;) {
    const when = settle(said, context);
    // An hour without a day, beside another request in the goal, may refer to that request's day.
    const isBareHour = said.clock !== undefined && (said.day ?? said.rule) === undefined;
    const isDoubtful = asked.size === 0 && isBareHour && splitParts(context.task.goal, context).length > 1;
    const lack = isDoubtful ? lackOf('when') : missing(when, use, context.now);
    if (lack === null) return when as When;
    const slot = lack.lacks === 'when' && use === 'remind' ? 'remind' : lack.lacks;
    const text = [questions[slot](subject, lack.about), questions.figures(subject)].find((each) => !asked.has(each));
    if (text === undefined) throw new GivenUp(unanswered);
    asked.add(text);
    const answer = (yield { ask: { text, options: lack.options } }) as string;
    said = withAnswer(said, findTimes(answer, todayOf(context), { isAnswer: true }));
  }
}

/** Adds an entry with its text and time as given, or as answers complete them. */
function* addEntry(request: Extract<Request, { kind: 'add' }>, context: WorkContext): Work<Outcome> {
  const { use } = request;
  const isTodo = use !== 'event';
  let { text, times } = request;
  if (text === null) {
    const { questions } = context.messages;
    const question = (isTodo ? questions.text : questions.title)(context.item.step);
    const read = (answer: string) => {
      const said = readEntry(answer, isTodo, context);
      return said.text === null ? null : { text: said.text, times: said.times };
    };
    const answered = yield* askUntil(question, read, context);
    text = answered.text;
    if (!saysTime(times)) times = answered.times;
  }
  if (use === 'due' && !saysTime(times)) return yield* conclude('todo', `add ${quoted(text)}`);
  const { words, minutes } = yield* settleTime(times, use, text, context);
  if (isTodo) return yield* conclude('todo', `add ${quoted(text)} --${use} ${quoted(words)}`);
  const duration = minutes === null ? '' : ` --duration ${minutes}`;
  return yield* conclude('schedule', `add ${quoted(words)} ${quoted(text)}${duration}`);
}

/** Finishes or deletes every entry of a kind after the user has confirmed. */
function* withAll(verb: 'done' | 'delete', tool: 'todo' | 'schedule', context: WorkContext): Work<Outcome> {
  const { messages } = context;
  const shown = yield* call(tool, 'list');
  const entries = entriesIn(shown.result);
  if (entries.length === 0) return { isDone: false, text: shown.result };
  const options = [messages.yes, messages.no];
  const answer = yield* askUntil(messages.questions.all(verb, tool, entries.length), (said) => said, context, options);
  if (!isYes(answer) && answer !== messages.yes) return { isDone: false, text: messages.declined };
  return yield* conclude(tool, `${verb} ${entries.map(({ id }) => id).join(' ')}`);
}

function* onEach(verb: 'done' | 'delete', target: Target, context: WorkContext): Work<Outcome> {
  const isDone = verb === 'done';
  const tool = isDone ? 'todo' : (target.entry ?? 'todo');
  if (target.isAll) return yield* withAll(verb, tool, context);
  if (target.ids.length > 0) return yield* conclude(tool, `${verb} ${target.ids.join(' ')}`);
  const { kind, id } = yield* theEntry(isDone ? { ...target, entry: 'todo' } : target, isDone, context);
  return yield* conclude(kind, `${verb} ${id}`);
}

const DATE_AND_CLOCK = /\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?/;
const REPETITION = / {2}(?:every |每|隔)/u;

/** Moves an event or a todo's due time: "to 4pm" keeps its day, "to Friday" its hour. */
function* move({ target, to }: Extract<Request, { kind: 'move' }>, context: WorkContext): Work<Outcome> {
  const { kind, id, title } =
    target.ids[0] === undefined || target.entry === null
      ? yield* theEntry(target, true, context)
      : { kind: target.entry, id: target.ids[0], title: target.name };
  const current = yield* call(kind, `get ${id}`);
  if (!current.ok) return concluded(current);
  const details = entriesIn(current.result)[0]?.details ?? '';
  // A single new day or hour would leave the other times of a series behind.
  if (REPETITION.test(details) && to.rule === undefined)
    return { isDone: false, text: context.messages.repeats(title) };
  const own = findTimes(DATE_AND_CLOCK.exec(details)?.[0] ?? '', todayOf(context));
  const day = (to.day ?? to.rule ?? to.seconds) === undefined ? own.day : to.day;
  const clock = (to.clock ?? to.part ?? to.seconds) === undefined ? own.clock : to.clock;
  const { words } = yield* settleTime({ ...to, day, clock }, kind === 'todo' ? 'due' : 'event', title, context);
  const { ok, result } = yield* call(kind, `update ${id} ${kind === 'todo' ? '--due ' : ''}${quoted(words)}`);
  return { isDone: ok, text: result.split('\n')[0] ?? '' };
}

/** The request of an item: its step as understood, or passed on verbatim for the coding agent. */
export const requestOf = ({ item: { step, executor }, ...context }: WorkContext): Request | null =>
  executor === 'coding_agent'
    ? { kind: 'code', tool: executor, input: step.replace(/^\[[\w-]+\]\s*/, '') }
    : understand(step, context);

/** Tool calls of an item that are told, and the longest part of each one's input and result, in characters. */
const RAN_MAX = 5;
const RAN_CHARS_MAX = 1_000;

/** An item that another model began: its tool calls, such as one that was approved since, with their results. Null: it has none. */
const alreadyRan = ({ task: { observations }, item, messages }: WorkContext): Outcome | null => {
  const calls = observations.filter(({ source, item_id }) => source === 'tool' && item_id === item.id);
  const last = calls.at(-1);
  if (last === undefined) return null;
  const told = calls.slice(-RAN_MAX).map(({ tool, input, ok, result }) => {
    const [given, gave] = [input, result].map((text) => cutText(text, RAN_CHARS_MAX));
    return (ok ? messages.ran : messages.failed)(`${tool} ${given}`, gave ?? '');
  });
  return { isDone: last.ok, text: [...told, messages.ranOnly].join('\n') };
};

/** The work on a plan item: its tool calls and questions, until it ends. A step that is not understood ends at once. */
export function* workOn(context: WorkContext): Work<Outcome> {
  const request = requestOf(context);
  switch (request?.kind) {
    case undefined:
      return alreadyRan(context) ?? { isDone: false, text: context.messages.notUnderstood };
    case 'add':
      return yield* addEntry(request, context);
    case 'done':
    case 'delete':
      return yield* onEach(request.kind, request.target, context);
    case 'move':
      return yield* move(request, context);
    case 'list':
    case 'code':
      return yield* conclude(request.tool, request.input);
    default:
      return request satisfies never;
  }
}
