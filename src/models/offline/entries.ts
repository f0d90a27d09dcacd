import { OPTION_CHARS_MAX, OPTIONS_MAX } from '../../../contracts/limits.ts';
import { cutText } from '../../../contracts/text.ts';
import { isSameQuestion } from '../../../machines/phrases.ts';
import { type EntryKind, quoted, type Target } from './understand.ts';
import { askUntil, call, GivenUp, type Work, type WorkContext } from './work.ts';

export interface Entry {
  kind: EntryKind;
  id: string;
  title: string;
  isDone: boolean;
  /** The details after a title: an event's time and repetition, a todo's due date. */
  details: string;
  line: string;
}

/** A line of a list or a report: `#3 Buy milk  due …`, `Added #1 dentist  2026-11-22 15:00–16:00 (Sun)`. */
const LINE = /^[^#]{0,40}#(\d{1,15}) (✓ )?(\S.*?)(?: {2}(\S.*))?$/u;
const SPAN = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}–/;
/** Lines about other entries, or about deleted ones. */
const OTHER = /^\s*(?:Overlaps with|时间冲突|(?:Done: |完成：)?(?:Deleted|已删除))/;

/** The entries in a tool's result or an answer. */
export const entriesIn = (text: string): Entry[] =>
  text.split('\n').flatMap((line): Entry[] => {
    const [, id, done, title, details = ''] = (OTHER.test(line) ? null : LINE.exec(line)) ?? [];
    if (id === undefined || title === undefined) return [];
    const kind = SPAN.test(details) ? 'schedule' : 'todo';
    return [{ kind, id, title, isDone: done !== undefined, details, line: line.slice(line.indexOf('#')) }];
  });

/** The entries mentioned last: in this task, else in the earlier conversation. */
const referents = ({ task: { conversation, observations }, item }: WorkContext): Entry[] =>
  [
    ...conversation.map(({ answered }) => answered),
    ...observations.flatMap(({ item_id, ok, result }) => (ok && item_id !== item.id ? [result] : [])),
  ]
    .map(entriesIn)
    .findLast((entries) => entries.length > 0) ?? [];

const lower = (text: string): string => text.normalize('NFKC').toLowerCase();

/** All entries whose title contains every word of the target's name, or those with exactly that name. */
function* findEntries({ name, entry: kind }: Target): Work<Entry[]> {
  const words = lower(name).split(/\s+/).filter(Boolean);
  const found: Entry[] = [];
  if (kind !== 'todo') found.push(...entriesIn((yield* call('schedule', 'list')).result));
  if (kind !== 'schedule') {
    const input = words.length === 0 ? 'list' : `search ${words.map(quoted).join(' ')}`;
    found.push(...entriesIn((yield* call('todo', input)).result));
  }
  const fitting = found.filter(({ title }) => words.every((word) => lower(title).includes(word)));
  const exact = fitting.filter(({ title }) => lower(title) === lower(name));
  return exact.length > 0 ? exact : fitting;
}

/** The entry that is meant: the only match, else the user's choice. Gives up if nothing matches. */
export function* theEntry(target: Target, isOpenOnly: boolean, context: WorkContext): Work<Entry> {
  const { messages, item } = context;
  const all = target.isReference ? referents(context) : yield* findEntries(target);
  const found = all.filter(({ kind, isDone }) => (target.entry ?? kind) === kind && !(isOpenOnly && isDone));
  const [only] = found;
  if (only === undefined)
    throw new GivenUp(target.isReference ? messages.noReferent : messages.noMatch(target.name || item.step));
  if (found.length === 1 && (target.isReference || target.name !== '')) return only;
  const label = ({ line }: Entry): string => cutText(line, OPTION_CHARS_MAX);
  const read = (answer: string): Entry | null => {
    const [one, ...more] = found.filter(
      (entry) => isSameQuestion(label(entry), answer) || lower(entry.title) === lower(answer.trim()),
    );
    return more.length === 0 ? (one ?? null) : null;
  };
  const options = found.slice(0, OPTIONS_MAX).map(label);
  return yield* askUntil(messages.questions.which(target.name || item.step), read, context, options);
}
