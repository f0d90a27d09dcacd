/** Words of the user that name a time, and what they settle. The tool reads them; here they are only recognised. */
export interface TimeWords {
  words: string;
  hasDay: boolean;
  hasHour: boolean;
  /** How long it lasts, where the words said from when to when; `words` then has the beginning alone. */
  minutes: number | null;
}

/** A todo to add; `due` and `remind` are the user's own words, and `wantsReminder` stays true while `remind` is unknown. */
export interface TodoAdd {
  kind: 'todo.add';
  text: string | null;
  due: TimeWords | null;
  remind: TimeWords | null;
  wantsReminder: boolean;
  tags: string[];
  priority: number | null;
}

/** An event to put on the schedule; `minutes` null leaves the tool's own duration. */
export interface ScheduleAdd {
  kind: 'schedule.add';
  title: string | null;
  when: TimeWords | null;
  minutes: number | null;
}

/** One entry to finish or delete, by its number; `name` is what the user called it instead. */
export interface ById {
  kind: 'todo.done' | 'todo.delete' | 'schedule.delete';
  id: string | null;
  name: string;
}

/** One request that the offline model can carry out with one command line. What is null has to be asked for. */
export type Request =
  | TodoAdd
  | ScheduleAdd
  | ById
  | { kind: 'todo.list'; view: string | null; tag: string | null }
  | { kind: 'todo.search'; words: string }
  | { kind: 'schedule.list' }
  | { kind: 'schedule.view'; span: 'day' | 'week' | 'month'; date: string | null }
  | { kind: 'web.search'; words: string }
  | { kind: 'code'; text: string };

export type RequestKind = Request['kind'];

/** How a sentence is recognised: named groups are `text`, `before`, `after`, `ids`, `name`, `words`, `rest`. */
export interface Phrase {
  kind: Exclude<RequestKind, 'code' | 'schedule.list'> | 'todo.remind';
  pattern: RegExp;
}

/** What one language adds to the reading of a request. Every pattern is tried on every text: people mix languages. */
export interface Words {
  phrases: Phrase[];
  /** Words before a request that ask for it kindly. */
  politeness: RegExp;
  /** A preamble that asks for nothing. */
  greeting: RegExp;
  /** The beginning or end of a question that is no request for a tool. */
  question: RegExp;
  /** The head of a request that lists several things. */
  plural: RegExp;
  priorities: { pattern: RegExp; priority: number | null }[];
  tag: RegExp;
  durations: { pattern: RegExp; minutes: number }[];
  /** Words before a time, or instead of one, that make it come again and again. */
  repetition: RegExp;
  beforeTime: RegExp;
  afterTime: RegExp;
  /** What a title doesn't begin or end with. */
  titleEdges: RegExp;
  /** A title that says nothing, so the real one is asked for. */
  emptyTitle: RegExp;
  views: { pattern: RegExp; view: string }[];
  /** Spans of the schedule that a request names; `date` is a day within one that isn't now, in words that the tool reads. */
  spans: { pattern: RegExp; span: 'day' | 'week' | 'month'; date: string | null }[];
  /** A whole answer that says "leave it". */
  decline: RegExp;
}
