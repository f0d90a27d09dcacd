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
