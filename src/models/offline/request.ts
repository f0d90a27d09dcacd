import type { Times } from '../../when/find-times.ts';

/** The two kinds of entries that a request may be about. */
export type EntryKind = 'todo' | 'schedule';

/** Which entries a request means: by their numbers, by what the user called one, or by what was mentioned before. */
export interface Target {
  /** Null: it may be of either kind. */
  entry: EntryKind | null;
  ids: string[];
  /** The entry's name, without the words for its time; empty where only its kind was named. */
  name: string;
  /** The same with them, as it was said. */
  said: string;
  /** "it", 这个: the one that the conversation was about. */
  isReference: boolean;
  /** Every one there is. */
  isAll: boolean;
  times: Times;
}

/** One request that the offline model can carry out. What is null has to be asked for. */
export type Request =
  /** Its time is when to be reminded, if that was asked for, else when it is due. */
  | { kind: 'todo.add'; text: string | null; times: Times; wantsReminder: boolean; options: string }
  | { kind: 'schedule.add'; text: string | null; times: Times }
  | { kind: 'done' | 'delete' | 'find'; target: Target }
  | { kind: 'move'; target: Target; to: Times; isEarlier: boolean }
  | { kind: 'free'; times: Times }
  /** A command that asks for nothing more. */
  | { kind: 'list' | 'web.search' | 'code'; tool: string; input: string };

/** How a sentence is recognised: named groups are `text`, `before`, `after`, `name`, `all`, `words`, `rest`, `when`, `earlier`. */
export interface Phrase {
  kind: Exclude<Request['kind'], 'list' | 'code'> | 'todo.remind' | 'todo.list' | 'todo.search' | 'schedule.view';
  pattern: RegExp;
}

/** Phrases from their kinds and patterns of the whole sentence. */
export const phrases = (rows: [Phrase['kind'], pattern: string][], flags: string): Phrase[] =>
  rows.map(([kind, pattern]) => ({ kind, pattern: new RegExp(`^${pattern}$`, flags) }));

/** One language's part in the reading of a request. Every pattern is tried on every text: people mix languages. */
export interface Words {
  phrases: Phrase[];
  /** Texts that are a todo without being called one. */
  errand: RegExp;
  /** Words before a request that ask for it kindly. */
  politeness: RegExp;
  /** A preamble that asks for nothing, or asks what there is to ask for. */
  greeting: RegExp;
  thanks: RegExp;
  /** The beginning or end of a request that is not for a tool here. */
  question: RegExp;
  /** A sentence that mentions a time and asks for nothing to be put down. */
  statement: RegExp;
  /** The head of a request that lists several things. */
  plural: RegExp;
  /** Words that a title doesn't begin or end with. */
  titleEdges: RegExp;
  /** A title that says nothing, so the real one is asked for. */
  emptyTitle: RegExp;
  /** The whole name of an entry that only points at one mentioned before. */
  reference: RegExp;
  /** Words of an entry's name that say what kind of thing it is, and not which. */
  generic: RegExp;
  /** The whole name of every entry of a kind; `events` where it is not the todos. */
  all: RegExp;
  /** The part of a name that says which kind of entry it is. */
  kinds: { entry: EntryKind; pattern: RegExp }[];
  views: { pattern: RegExp; view: string }[];
  /** A stretch of the schedule. */
  span: RegExp;
  /** A whole answer that says "leave it". */
  decline: RegExp;
}
