import type { JsonSchema } from '../contracts/answer.ts';
import type { Call } from '../contracts/calls.ts';
import type { TaskEvent, TaskOpened } from '../contracts/event.ts';
import {
  LOG_ANSWER_CHARS_MAX,
  LOG_ENTRIES_MAX,
  LOG_RESULT_CHARS_MAX,
  type LogEntry,
  type TaskLog,
} from '../contracts/log.ts';
import type { TaskContext, TaskSnapshot } from '../contracts/task.ts';
import { cutText } from '../contracts/text.ts';
import type { CallUsage } from '../contracts/usage.ts';
import { callBehind, contractOf, isModelEvent, type ModelEvent, pendingAfter } from './pending-calls.ts';
import { currentItem, isOpen } from './plan-items.ts';
import { unseenAfter } from './unseen-files.ts';

/** Longest input of a call that was not taken, in characters: enough to know it by. */
const CALL_CHARS_MAX = 200;

/** A call in one line, as the log names it. */
export const callLine = ({ name, input, unreadable }: Call): string =>
  cutText(`${name} ${unreadable ?? JSON.stringify(input)}`, CALL_CHARS_MAX);

/** The log's entry for calls that were not taken; empty without any. */
export const notTakenEntries = (calls: readonly Call[]): TaskLog =>
  calls.length === 0 ? [] : [{ kind: 'not_taken', calls: calls.map(callLine) }];

/** The entry for words and a schema of the user's program; empty without either. */
const givenEntries = (background: string | undefined, answer_schema: JsonSchema | undefined): TaskLog => {
  if (background === undefined && answer_schema === undefined) return [];
  const entry: LogEntry = { kind: 'given' };
  if (background !== undefined) entry.background = background;
  if (answer_schema !== undefined) entry.answer_schema = answer_schema;
  return [entry];
};

/** The context and schema that an event brought, as entries. */
const givenBy = (event: TaskOpened | TaskEvent): TaskLog => [
  ...givenEntries(
    'context' in event ? event.context : undefined,
    'answer_schema' in event ? event.answer_schema : undefined,
  ),
  ...('files' in event && event.files !== undefined ? [{ kind: 'files' as const, files: event.files }] : []),
];

const itemEntry = ({ id, step, status, result }: TaskContext['past_items'][number]): LogEntry => ({
  kind: 'item',
  id,
  step,
  status: status === 'blocked' ? 'blocked' : 'completed',
  result: result === null ? null : cutText(result, LOG_RESULT_CHARS_MAX),
});

const saidEntry = ({ question, text, options }: TaskContext['clarification_history'][number]): LogEntry => ({
  kind: 'said',
  question,
  text,
  ...(options !== undefined && { options }),
});

/** The log of a task whose history is not at hand: what it still has of it, in the order that explains most. */
export const logFromState = (context: TaskContext): TaskLog => [
  ...givenEntries(context.background ?? undefined, context.answer_schema ?? undefined),
  ...context.past_items.map(itemEntry),
  ...context.observations.map(({ source, tool, input, ok, result }): LogEntry => {
    if (source !== 'tool') return { kind: 'found', source, text: result };
    return { kind: 'earlier_action', tool, input, ok, result: cutText(result, LOG_RESULT_CHARS_MAX) };
  }),
  ...context.clarification_history.map(saidEntry),
];

const planEntry = (context: TaskContext, by: 'model' | 'user' | 'turn', notes: string[] = []): TaskLog => {
  const items = context.plan_items.filter(isOpen).map(({ id, step }) => ({ id, step }));
  if (items.length === 0) return [];
  return [{ kind: 'plan', by, items, ...(notes.length > 0 && { notes }) }];
};

const isSamePlan = (before: TaskContext, after: TaskContext): boolean => {
  const [old, now] = [before, after].map(({ plan_items }) => plan_items.filter(isOpen));
  return old!.length === now!.length && old!.every(({ id, step }, i) => id === now![i]!.id && step === now![i]!.step);
};

const answerText = (before: TaskContext, event: ModelEvent): string => {
  const call = callBehind(before, event);
  // The next message may ask to have it as the answer, so it is whole until then.
  if (call === null) return event.message?.text ?? '';
  return cutText(`${call.name} ${call.unreadable ?? JSON.stringify(call.input)}`, LOG_ANSWER_CHARS_MAX);
};

/** The log so far, as the next event finds it: the answer that was rejected last is cut. */
const withAnswerCut = (log: TaskLog): TaskLog => {
  const last = log.at(-1);
  if (last?.kind !== 'rejected' || last.answer.length <= LOG_ANSWER_CHARS_MAX) return log;
  return [...log.slice(0, -1), { ...last, answer: cutText(last.answer, LOG_ANSWER_CHARS_MAX) }];
};

const modelEntries = (before: TaskContext, after: TaskContext, event: ModelEvent): TaskLog => {
  const { message } = event;
  const note: TaskLog =
    message?.text !== undefined && message.calls.length > 0 ? [{ kind: 'note', text: message.text }] : [];
  if ('reason' in event)
    return [
      ...note,
      { kind: 'rejected', contract: contractOf(event), reason: event.reason, answer: answerText(before, event) },
    ];
  const call = callBehind(before, event);
  // A plan that another call implies says nothing new.
  const isSaid = call === null || call.name === 'plan';
  switch (event.type) {
    case 'plan.made':
      return isSaid ? [...note, ...planEntry(after, 'model', event.notes)] : note;
    case 'replan.made':
      if (event.status === 'done')
        return after.pending_final_response === null
          ? [...note, { kind: 'held_back', text: event.response ?? '' }]
          : note;
      return isSaid && !isSamePlan(before, after) ? [...note, ...planEntry(after, 'model', event.notes)] : note;
    case 'thought.made': {
      if (event.status !== 'done') return note;
      const item = currentItem(before);
      const ended = item && after.past_items.findLast(({ id }) => id === item.id);
      if (ended) return [...note, itemEntry(ended)];
      return event.response === null ? note : [...note, { kind: 'note', text: event.response }];
    }
    default:
      return event satisfies never;
  }
};

const eventEntries = (before: TaskContext, after: TaskContext, event: TaskEvent): TaskLog => {
  if (isModelEvent(event)) return modelEntries(before, after, event);
  switch (event.type) {
    case 'observation.recorded':
      return [{ kind: 'action', effect: event.effect }];
    case 'observations.recorded':
      return event.observations.map((_, at) => ({ kind: 'action', effect: event.effect, at }));
    case 'plan.edited':
      return planEntry(after, 'user');
    case 'task.resumed':
      return before.pause_reason === null
        ? []
        : [{ kind: 'resumed', reason: before.pause_reason, detail: before.pause_detail }];
    default:
      return [];
  }
};

/** The entries for findings of the machine and words of the user that an event added. */
const addedEntries = (before: TaskContext, after: TaskContext): TaskLog => {
  const known = new Set(before.observations);
  const found = after.observations.flatMap((observation): TaskLog => {
    const { source, result } = observation;
    return source === 'tool' || known.has(observation) ? [] : [{ kind: 'found', source, text: result }];
  });
  const said = after.clarification_history.at(-1);
  const isNew = said !== undefined && !before.clarification_history.includes(said);
  return isNew ? [...found, saidEntry(said)] : found;
};

const FOR_GOOD: readonly LogEntry['kind'][] = ['said', 'item', 'given', 'files'];

const isForGood = ({ kind }: LogEntry): boolean => FOR_GOOD.includes(kind);

/** A log that is too long loses half of what may go, so that its beginning changes seldom. */
const withinEntries = (log: TaskLog): TaskLog => {
  if (log.length <= LOG_ENTRIES_MAX) return log;
  const may = log.filter((entry) => !isForGood(entry));
  const gone = new Set(may.slice(0, Math.ceil(may.length / 2)));
  return log.filter((entry) => !gone.has(entry));
};

const promptTokens = ({ input_tokens, cache_written_tokens = 0, cache_read_tokens = 0 }: CallUsage): number =>
  input_tokens + cache_written_tokens + cache_read_tokens;

/** The first effect whose result prompts show, after a call: where its prompt was too long, the older half of the results goes. */
const resultsFrom = ({ results_from, limits, observations }: TaskContext, event: TaskEvent): number => {
  if (!isModelEvent(event) || event.usage === undefined) return results_from;
  if (promptTokens(event.usage) <= limits.prompt_tokens) return results_from;
  const shown = observations.filter(({ effect = 0 }) => effect >= results_from);
  let left = shown.reduce((sum, { result }) => sum + result.length, 0) / 2;
  const firstKept = shown.find(({ result }) => {
    left -= result.length;
    return left < 0;
  });
  const from = firstKept?.effect ?? results_from;
  // One long result alone is more than half: it goes where anything follows it.
  return from > results_from ? from : (shown.find(({ effect = 0 }) => effect > results_from)?.effect ?? results_from);
};

/** A task that has just opened, with its log. */
export const withFirstLog = (context: TaskContext, opened: TaskOpened): TaskContext => ({
  ...context,
  log: [
    ...givenBy(opened),
    ...context.past_items.map(itemEntry),
    ...(opened.plan === undefined ? [] : planEntry(context, 'turn', context.notes)),
  ],
});

/**
 * The task after an event, with its log and the pending calls of the model's message brought up to date. Both lie beside the
 * machine: no transition reads them.
 */
export const withLog = (task: TaskSnapshot, after: TaskSnapshot, event: TaskEvent): TaskContext => {
  if (event.type === 'result.superseded') return after.context;
  const { context: before } = task;
  const { context } = after;
  const { pending, passedOver, notTaken } = pendingAfter(task, after, event);
  const log = withinEntries([
    ...withAnswerCut(before.log ?? logFromState(before)),
    ...notTakenEntries(passedOver),
    ...eventEntries(before, context, event),
    ...addedEntries(before, context),
    ...givenBy(event),
    ...notTakenEntries(notTaken),
  ]);
  return {
    ...context,
    said: pending,
    log,
    results_from: resultsFrom(context, event),
    unseen_files: unseenAfter(context, event),
  };
};
