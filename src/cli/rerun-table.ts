import { type Messages, messages } from '../../contracts/messages/messages.ts';
import type { LaneSum, RerunLane, RerunReport, RerunTask } from '../../contracts/rerun.ts';
import { languageOf, plainLine } from '../../contracts/text.ts';
import { type Cost, totalTokens, type Usage } from '../../contracts/usage.ts';
import { printable } from '../lib/printable.ts';
import { callKey } from '../rerun/canonical.ts';
import { table } from './table.ts';

type Texts = Messages['rerun'];

/** Longest goal, value and question in a line, in characters. */
const GOAL_CHARS_MAX = 100;
const VALUE_CHARS_MAX = 160;

const shown = (value: unknown): string =>
  plainLine(typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? ''), VALUE_CHARS_MAX);

const costText = (cost: Cost | undefined): string => (cost === undefined ? '–' : `${cost.amount} ${cost.currency}`);

const tokensIn = (usage: Usage): number => totalTokens(usage) - usage.output_tokens;

/** How a run came to its end, and for one with another outcome what is other. */
const outcomeText = (lane: RerunLane, recorded: RerunLane | undefined, texts: Texts, language: 'en' | 'zh'): string => {
  const { state, outcome, pause_reason, ended, same } = lane;
  const pause = pause_reason === null ? '' : ` (${messages(language).progress.pause[pause_reason]})`;
  const plain = ended === null ? `${texts.state[state]}${pause}` : texts.end[ended.kind];
  const end = outcome === 'failed' && state === 'done' ? texts.givenUp : plain;
  if (same === true) return lane.response === recorded?.response ? texts.same : texts.sameInOtherWords;
  if (same === null || recorded === undefined) return end;
  const isSameEnd =
    ended === null &&
    state === recorded.state &&
    outcome === recorded.outcome &&
    pause_reason === recorded.pause_reason;
  if (!isSameEnd) return texts.other(end);
  const isSameWrites = lane.writes.map(callKey).join('\n\n') === recorded.writes.map(callKey).join('\n\n');
  return texts.other(isSameWrites ? texts.otherAnswer : texts.otherWrites);
};

const laneRow = (lane: RerunLane, recorded: RerunLane | undefined, texts: Texts, language: 'en' | 'zh'): string[] => [
  texts.lane[lane.lane],
  lane.model ?? '–',
  outcomeText(lane, recorded, texts, language),
  ...[lane.steps, lane.calls, lane.tool_calls, tokensIn(lane.usage), lane.usage.output_tokens].map(String),
  costText(lane.cost),
  String(lane.misses),
];

const endedLine = ({ ended }: RerunLane, texts: Texts): string[] => {
  if (ended === null) return [];
  const { kind, call, nth = 1, text = '' } = ended;
  const called = call === undefined ? text : `${call.tool} ${plainLine(call.input, VALUE_CHARS_MAX)}`;
  return [texts.endedAt(texts.end[kind], nth > 1 ? texts.nthTime(called, nth) : called)];
};

const differenceLine = ({ first_difference: found }: RerunLane, texts: Texts): string[] => {
  if (found === null) return [];
  const { seq, path, recorded, came, recorded_type, came_type } = found;
  const named = (type: string | null, value: unknown): string => {
    if (type === null) return texts.nothing;
    return path === undefined ? `${type} ${shown(value)}` : shown(value);
  };
  const place = path === undefined ? '' : ` (${recorded_type} › ${path})`;
  const entry = `${seq ?? texts.afterLast}${place}`;
  return [texts.differs(entry, named(recorded_type, recorded), named(came_type, came))];
};

/** Remarks on a run, beside its row. */
const laneLines = (lane: RerunLane, texts: Texts): string[] =>
  [
    ...endedLine(lane, texts),
    ...differenceLine(lane, texts),
    ...lane.reworded.map(({ came, answer }) => texts.reworded(shown(came), shown(answer))),
  ].map((line) => `${texts.lane[lane.lane]}: ${line}`);

const taskText = ({ source, goal, task_id, feedback = [], changes, lanes }: RerunTask): string => {
  const language = languageOf(goal);
  const texts = messages(language).rerun;
  const recorded = lanes.find(({ lane }) => lane === 'recorded');
  const since = changes.map(({ what, name, recorded: was, now }) =>
    texts.changed(texts.what[what], name, was ?? texts.none, now ?? texts.none),
  );
  return [
    [source, plainLine(goal, GOAL_CHARS_MAX), task_id].filter((part) => part !== null).join(' · '),
    table(
      texts.columns,
      lanes.map((lane) => laneRow(lane, recorded, texts, language)),
    ),
    ...feedback.map(({ rating, note }) =>
      note === undefined ? texts.rated[rating] : `${texts.rated[rating]}: ${shown(note)}`,
    ),
    ...lanes.flatMap((lane) => laneLines(lane, texts)),
    ...since,
  ]
    .map(printable)
    .join('\n');
};

const sumRow = (sum: LaneSum, texts: Texts): string[] => [
  texts.lane[sum.lane],
  sum.models.join(', ') || '–',
  ...(sum.lane === 'recorded' ? ['', '', ''] : [sum.same, sum.different, sum.unknown].map(String)),
  ...[sum.steps, sum.calls, sum.tool_calls, tokensIn(sum.usage), sum.usage.output_tokens].map(String),
  costText(sum.cost),
];

/** A report for people: each task with its runs, and the sums where there are several. */
export const rerunText = ({ tasks, sums }: RerunReport): string => {
  const texts = messages(languageOf(tasks[0]?.goal ?? '')).rerun;
  const total = table(
    [...texts.sumColumns, texts.sumCost],
    sums.map((sum) => sumRow(sum, texts)),
  );
  return [...tasks.map(taskText), ...(tasks.length > 1 ? [total] : [])].join('\n\n');
};
