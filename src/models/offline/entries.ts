import { OPTION_CHARS_MAX, OPTIONS_MAX } from '../../../contracts/limits.ts';
import { cutText } from '../../../contracts/text.ts';
import { isSameQuestion } from '../../../machines/phrases.ts';
import { settle } from '../../when/read-when.ts';
import type { EntryKind, Target } from './request.ts';
import { LANGUAGES, searchWords } from './understand.ts';
import { askUntil, call, GivenUp, type Work, type WorkContext } from './work.ts';

/** An entry as a tool's line shows it. */
export interface Entry {
  kind: EntryKind;
  id: string;
  title: string;
  isDone: boolean;
  /** What stands behind the title: an event's time and repetition, a todo's due date. */
  details: string;
  line: string;
}

/** A line of a list or a report: `#3 Buy milk  due …`, `Added #1 dentist  2026-11-22 15:00–16:00 (Sun)`. */
const LINE = /^[^#]{0,40}#(\d{1,15}) (✓ )?(\S.*?)(?: {2}(\S.*))?$/u;
const SPAN = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}–/;
/** Lines of what is not spoken about, or is no more. */
const OTHER = /^\s*(?:Overlaps with|时间冲突|(?:Done: |完成：)?(?:Deleted|已删除))/;

/** The entries that a tool's result or an answer shows, each once. */
export const entriesIn = (text: string): Entry[] => {
  const entries = text.split('\n').flatMap((line): Entry[] => {
    const [, id, done, title, details = ''] = (OTHER.test(line) ? null : LINE.exec(line)) ?? [];
    if (id === undefined || title === undefined) return [];
    const kind = SPAN.test(details) ? 'schedule' : 'todo';
    return [{ kind, id, title, isDone: done !== undefined, details, line: line.slice(line.indexOf('#')) }];
  });
  return entries.filter(
    (entry, i) => entries.findIndex(({ kind, id }) => kind === entry.kind && id === entry.id) === i,
  );
};

/** What was last spoken about: in this task, else in the conversation before it. */
const referents = ({ task: { conversation, observations }, item }: WorkContext): Entry[] =>
  [
    ...conversation.map(({ answered }) => answered),
    ...observations.flatMap(({ item_id, ok, result }) => (ok && item_id !== item.id ? [result] : [])),
  ]
    .map(entriesIn)
    .findLast((entries) => entries.length > 0) ?? [];

/** Longest text that can be an entry's title, in characters. Marks in the wrong order take time by the square of their number. */
const COMPARED_CHARS_MAX = 1_000;

const lower = (text: string): string => text.slice(0, COMPARED_CHARS_MAX).normalize('NFKC').toLowerCase();

/** The words that tell one entry from others: without articles, and without "meeting" where more is said. */
const tellingWords = (name: string): string[] =>
  LANGUAGES.reduce((left, { generic }) => left.replace(generic, ' '), lower(name))
    .split(/[\s,，]+/)
    .filter((word) => word !== '');

/** What an entry's details contain where it is on the day and at the hour that a name says. */
const detailsOf = ({ times }: Target, context: WorkContext): string[] => {
  const hour = settle({ ...times, day: undefined, rule: undefined, unclear: [] }, context);
  return [
    ...(times.day === undefined ? [] : [times.day.date.toString()]),
    ...('lacks' in hour || times.clock === undefined ? [] : [hour.words.slice(10)]),
  ];
};

/** All entries that the target's name and time fit, or those with that very name; a name that says only "meeting" is an event's. */
export function* findEntries(target: Target, context: WorkContext): Work<Entry[]> {
  const words = tellingWords(target.name);
  const kind = target.entry ?? (words.length === 0 ? 'schedule' : null);
  const found: Entry[] = [];
  if (kind !== 'todo') found.push(...entriesIn((yield* call('schedule', 'list')).result));
  if (kind !== 'schedule') {
    const input = words.length === 0 ? 'list' : `search ${searchWords(words.join(' '))}`;
    found.push(...entriesIn((yield* call('todo', input)).result));
  }
  const details = detailsOf(target, context);
  const fitting = found
    .map((entry) => ({ entry, title: lower(entry.title) }))
    .filter(
      ({ entry, title }) =>
        (kind ?? entry.kind) === entry.kind &&
        words.every((word) => title.includes(word)) &&
        details.every((said) => entry.details.includes(said)),
    );
  const name = lower(target.name);
  const exact = fitting.filter(({ title }) => title === name);
  return (exact.length > 0 ? exact : fitting).map(({ entry }) => entry);
}

const chosen = (entries: Entry[], answer: string): Entry[] => {
  const id = /^\D*(\d{1,15})\D*$/.exec(answer)?.[1];
  const byLabel = entries.filter(({ line }) => isSameQuestion(cutText(line, OPTION_CHARS_MAX), answer));
  if (byLabel.length > 0) return byLabel;
  const byId = entries.filter((entry) => entry.id === id);
  const said = lower(answer);
  return byId.length > 0 ? byId : entries.filter(({ title }) => said.includes(lower(title)));
};

function* chooseFrom(entries: Entry[], subject: string, context: WorkContext): Work<Entry> {
  const options = entries.slice(0, OPTIONS_MAX).map(({ line }) => cutText(line, OPTION_CHARS_MAX));
  const read = (answer: string): Entry | null => {
    const [one, ...more] = chosen(entries, answer);
    return more.length === 0 ? (one ?? null) : null;
  };
  return yield* askUntil(context.messages.questions.which(subject), read, context, options);
}

/** The one entry that is meant: the only one that fits, else the one that the user chooses. Gives up where none fits. */
export function* theEntry(target: Target, isOpenOnly: boolean, context: WorkContext): Work<Entry> {
  const { messages, item } = context;
  const isWanted = (entry: Entry): boolean =>
    (target.entry ?? entry.kind) === entry.kind && !(isOpenOnly && entry.isDone);
  const isNamed = tellingWords(target.name).length > 0 || (target.times.day ?? target.times.clock) !== undefined;
  const subject = target.said || item.step;
  if (target.isReference || (target.name === '' && target.entry === null && !isNamed)) {
    const [one, ...more] = referents(context).filter(isWanted);
    if (one === undefined) throw new GivenUp(messages.noReferent);
    return more.length === 0 ? one : yield* chooseFrom([one, ...more], subject, context);
  }
  const all = yield* findEntries(target, context);
  const found = all.filter(isWanted);
  const [only] = found;
  if (only === undefined)
    throw new GivenUp(all[0] === undefined ? messages.noMatch(subject) : messages.alreadyDone(all[0].line));
  return found.length === 1 && isNamed ? only : yield* chooseFrom(found, subject, context);
}
