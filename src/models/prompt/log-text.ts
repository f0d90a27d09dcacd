import type { AttachedFile } from '../../../contracts/file.ts';
import { RESULT_HEAD_CHARS } from '../../../contracts/limits.ts';
import type { LogEntry } from '../../../contracts/log.ts';
import type { Observation, TaskContext } from '../../../contracts/task.ts';
import { logFromState, notTakenEntries } from '../../../machines/log.ts';
import { callsLeft } from '../../../machines/pending-calls.ts';
import { block, oneLine, type PromptText } from './prompt-text.ts';

/** Characters shown of a step, a reason or a call on one line. */
const LINE_CHARS_SHOWN = 1_000;

/** Characters shown of a tool input beside its result: enough to recognize what was tried. */
const INPUT_CHARS_SHOWN = 1_000;

/** Characters shown of one user text: about a page, and a task may have a hundred. */
const SAID_CHARS_SHOWN = 8_000;

/** Characters shown of a rejected answer. */
const ANSWER_CHARS_SHOWN = 2_000;

/** The line above files that somebody brought. */
export const filesText = (who: string, files: readonly AttachedFile[]): string =>
  `${who} ${files.length === 1 ? 'this file' : 'these files'}:`;

const line = (text: string): string => oneLine(text, LINE_CHARS_SHOWN);

const resultBlock = (tool: string, ok: boolean, result: string): string =>
  block('result', { of: tool, ok: String(ok), chars: String(result.length) }, result === '' ? '(empty)' : result);

const actionId = ({ effect, at }: { effect?: number | undefined; at?: number | undefined }): string =>
  at === undefined ? String(effect) : `${effect}.${at}`;

/** How to read the rest of a result that is shown in part. */
const leftOutText = (id: string, chars: number | undefined): string =>
  chars === undefined
    ? ''
    : `\nOf it ${chars} characters are left out: read_result with the id "${id}" and from ${RESULT_HEAD_CHARS} reads them.`;

const actionText = (observation: Observation, isShown: boolean): string => {
  const { tool, input, instead_of, ok, result, left_out } = observation;
  const id = actionId(observation);
  const edited =
    instead_of === undefined ? '' : `\nThe user had it run so in place of: ${oneLine(instead_of, INPUT_CHARS_SHOWN)}`;
  const shown = isShown ? resultBlock(tool, ok, result) + leftOutText(id, left_out) : 'Its result is left out here.';
  return `Action ${id} was taken: ${tool} ${oneLine(input, INPUT_CHARS_SHOWN)}${edited}\n${shown}`;
};

/** An action with its result, and the files that it gave. */
const actionEntry = (observation: Observation, isShown: boolean): PromptText => {
  const text = actionText(observation, isShown);
  const { files = [] } = observation;
  return isShown && files.length > 0 ? { text: `${text}\n${filesText('It gave', files)}`, files } : { text };
};

/** The results that are shown, by their effect's number and their position in it. */
const shownResults = (
  task: TaskContext,
  leftOut: number,
): Map<string, { observation: Observation; isShown: boolean }> =>
  new Map(
    task.observations
      .filter(({ source }) => source === 'tool')
      .map((observation, i) => {
        const { effect = 0, at } = observation;
        return [`${effect}.${at ?? ''}`, { observation, isShown: i >= leftOut && effect >= task.results_from }];
      }),
  );

const PLAN_BY = {
  model: 'You made this plan:',
  user: 'The user changed the plan to:',
  turn: 'The user gave this plan:',
};

const planText = ({ by, items, notes = [] }: Extract<LogEntry, { kind: 'plan' }>): string =>
  [
    PLAN_BY[by],
    ...items.map(({ id, step }) => `- ${oneLine(id, LINE_CHARS_SHOWN)}: ${line(step)}`),
    ...notes.map((note) => `The service changed it: ${line(note)}`),
  ].join('\n');

const saidText = ({ question, options = [], text }: Extract<LogEntry, { kind: 'said' }>): string => {
  const said = block('said', {}, text, SAID_CHARS_SHOWN);
  if (question === null) return `The user said meanwhile:\n${said}`;
  const numbered = options.map((option, i) => `${i + 1}. ${line(option)}`);
  return [`The user was asked: ${line(question)}`, ...numbered, 'They answered:', said].join('\n');
};

const givenText = ({ background, answer_schema }: Extract<LogEntry, { kind: 'given' }>): string =>
  [
    ...(background === undefined
      ? []
      : ["What the user's program says about them and their situation:", block('given', {}, background)]),
    ...(answer_schema === undefined
      ? []
      : [
          'The answer that ends the task also needs the key "answer": an object that meets this JSON Schema and says the same as the response (but not with outcome "failed"):',
          block('given', {}, JSON.stringify(answer_schema)),
        ]),
  ].join('\n');

const entryText = (entry: Exclude<LogEntry, { kind: 'action' }>): string => {
  switch (entry.kind) {
    case 'plan':
      return planText(entry);
    case 'earlier_action':
      return `An action was taken: ${entry.tool} ${oneLine(entry.input, INPUT_CHARS_SHOWN)}\n${resultBlock(entry.tool, entry.ok, entry.result)}`;
    case 'item':
      return `Item ${line(entry.id)} was ${entry.status}: ${line(entry.step)}\n${block('item', { id: entry.id }, entry.result ?? '(no result)')}`;
    case 'said':
      return saidText(entry);
    case 'given':
      return givenText(entry);
    case 'files':
      return filesText('The user sent', entry.files);
    case 'note':
      return `You noted:\n${block('note', {}, entry.text)}`;
    case 'rejected': {
      const answer = entry.answer === '' ? '' : `\nIt was:\n${block('answer', {}, entry.answer, ANSWER_CHARS_SHOWN)}`;
      return `Your answer was rejected for this reason; correct it: ${line(entry.reason)}${answer}`;
    }
    case 'not_taken':
      return [
        'These calls were not taken, because something else came first or they were not allowed:',
        ...entry.calls.map((call) => `- ${line(call)}`),
      ].join('\n');
    case 'found':
      return `The service found (${entry.source}):\n${block('result', { of: entry.source, ok: 'false' }, entry.text)}`;
    case 'held_back':
      return `You had finished with this answer, but the user spoke before it was given:\n${block('answer', {}, entry.text, ANSWER_CHARS_SHOWN)}`;
    case 'resumed': {
      const detail =
        entry.detail === null ? '' : `\n${block('result', { of: 'pause' }, entry.detail, ANSWER_CHARS_SHOWN)}`;
      return `The task was paused (${entry.reason}), and the user let it go on.${detail}`;
    }
    default:
      return entry satisfies never;
  }
};

/**
 * The texts of a task's log, oldest first, with their files. Every later prompt begins with the same ones, unless
 * results were left out. `leftOut`: how many of the oldest results are not shown.
 */
export const logTexts = (task: TaskContext, leftOut: number): PromptText[] => {
  const results = shownResults(task, leftOut);
  const log = [...(task.log ?? logFromState(task)), ...notTakenEntries(callsLeft(task.said))];
  let earlier = 0;
  return log.flatMap((entry) => {
    if (entry.kind === 'earlier_action') {
      earlier += 1;
      return earlier > leftOut
        ? [{ text: entryText(entry) }]
        : [{ text: 'An action was taken. Its result is left out here.' }];
    }
    if (entry.kind === 'files') return [{ text: entryText(entry), files: entry.files }];
    if (entry.kind !== 'action') return [{ text: entryText(entry) }];
    const found = results.get(`${entry.effect}.${entry.at ?? ''}`);
    return found === undefined
      ? [{ text: `Action ${actionId(entry)} was taken. Its result is left out here.` }]
      : [actionEntry(found.observation, found.isShown)];
  });
};
