import type { FoundTimes } from '../../when/find-times.ts';

/** The two kinds of entries that a request may be about. */
export type EntryKind = 'todo' | 'schedule';

/** Which entry a request means: by its number, by what the user called it, or by what was mentioned before. */
export interface Target {
  /** Null: it may be of either kind. */
  entry: EntryKind | null;
  id: string | null;
  /** What it was called, without the words for its time; empty where only its kind was named. */
  name: string;
  /** The same with them, as it was said. */
  said: string;
  /** "it", 这个: the one that the conversation was about. */
  isReference: boolean;
  /** Every one there is. */
  isAll: boolean;
  times: FoundTimes;
}

/** A todo to add; its time is when to be reminded, if that was asked for, else when it is due. */
export interface TodoAdd {
  kind: 'todo.add';
  text: string | null;
  times: FoundTimes;
  wantsReminder: boolean;
  tags: string[];
  priority: number | null;
}

/** An event to put on the schedule. */
export interface ScheduleAdd {
  kind: 'schedule.add';
  title: string | null;
  times: FoundTimes;
}

/** One request that the offline model can carry out. What is null has to be asked for. */
export type Request =
  | TodoAdd
  | ScheduleAdd
  | { kind: 'done' | 'delete' | 'find'; target: Target }
  | { kind: 'move'; target: Target; to: FoundTimes; isEarlier: boolean }
  | { kind: 'free'; times: FoundTimes }
  | { kind: 'todo.list'; view: string | null; tag: string | null }
  | { kind: 'todo.search'; words: string }
  | { kind: 'schedule.list' }
  | { kind: 'schedule.view'; span: 'day' | 'week' | 'month'; date: string | null }
  | { kind: 'web.search'; words: string }
  | { kind: 'code'; text: string };

export type RequestKind = Request['kind'];

/** How a sentence is recognised: named groups are `text`, `before`, `after`, `ids`, `name`, `all`, `words`, `rest`, `when`, `earlier`. */
export interface Phrase {
  kind: Exclude<RequestKind, 'code' | 'schedule.list'> | 'todo.remind';
  /** What the sentence says the entry is, for requests about one that exists. */
  entry?: EntryKind;
  pattern: RegExp;
}

/** Phrases from their kinds, patterns of the whole sentence and, where they say it, what the entry is. */
export const phrases = (rows: [Phrase['kind'], pattern: string, entry?: EntryKind][], flags: string): Phrase[] =>
  rows.map(([kind, pattern, entry]) => ({ kind, pattern: new RegExp(`^${pattern}$`, flags), ...(entry && { entry }) }));

/** What one language adds to the reading of a request. Every pattern is tried on every text: people mix languages. */
export interface Words {
  phrases: Phrase[];
  /** Words before a request that ask for it kindly. */
  politeness: RegExp;
  /** A preamble that asks for nothing, or asks what there is to ask for. */
  greeting: RegExp;
  /** The beginning or end of a request that is not for a tool here. */
  question: RegExp;
  /** A sentence that mentions a time and asks for nothing to be put down. */
  statement: RegExp;
  /** What takes place in the evening: its bare "9" may be 21:00. */
  evening: RegExp;
  /** The head of a request that lists several things. */
  plural: RegExp;
  /** What every one of `priorities` contains, for most texts contain none. */
  priorityWord: RegExp;
  priorities: { pattern: RegExp; priority: number | null }[];
  tag: RegExp;
  /** What a title doesn't begin or end with. */
  titleEdges: RegExp;
  /** A title that says nothing, so the real one is asked for. */
  emptyTitle: RegExp;
  /** The whole name of an entry that only points at one mentioned before. */
  reference: RegExp;
  /** Words of an entry's name that say what kind of thing it is, and not which. */
  generic: RegExp;
  views: { pattern: RegExp; view: string }[];
  /** Spans of the schedule that a request names; `date` is a day within one that isn't now, in words that the tool reads. */
  spans: { pattern: RegExp; span: 'day' | 'week' | 'month'; date: string | null }[];
  /** A whole answer that says "leave it". */
  decline: RegExp;
}
