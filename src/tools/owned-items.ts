import type { Language } from '../../contracts/text.ts';
import { type Asking, ask, type Question } from '../lib/questions.ts';
import {
  type Arguments,
  answerSubcommand,
  type OptionRule,
  readArguments,
  readId,
  refuseMore,
  someIds,
  textOf,
  toolTexts,
  UsageError,
  type Word,
} from './command-line.ts';
import type { ToolCall, TransactionalTool } from './port.ts';
import { type Reminder, type ReminderSubject, reminderStore } from './reminders.ts';

/** The next id of an owner's items of a kind, which was never used before. */
export function* nextId(owner: string, kind: 'todo' | 'schedule' | 'fact' | 'goal'): Asking<number> {
  const [counter] = yield* ask<{ last_id: number }>(
    `INSERT INTO owner_counters (owner, kind, last_id) VALUES (@owner, @kind, 1)
     ON CONFLICT (owner, kind) DO UPDATE SET last_id = owner_counters.last_id + 1 RETURNING last_id`,
    { owner, kind },
  );
  return counter!.last_id;
}

/** Questions to a table of items, about one owner's at a time; an id of another owner doesn't exist. */
export const ownedRows = <Row, Item>(
  table: 'todos' | 'schedule_events' | 'facts' | 'goals',
  columns: string,
  itemOf: (row: Row) => Item,
) => {
  function* rows(rest: string, values: Question['values']): Asking<Item[]> {
    return (yield* ask<Row>(`SELECT ${columns} FROM ${table} WHERE owner = @owner ${rest}`, values)).map(itemOf);
  }
  return {
    rows,
    *get(owner: string, id: number): Asking<Item | null> {
      return (yield* rows('AND id = @id', { owner, id }))[0] ?? null;
    },
    *remove(owner: string, id: number): Asking<void> {
      yield* ask(`DELETE FROM ${table} WHERE owner = @owner AND id = @id`, { owner, id });
    },
    /** Those above an id in the order of their ids, so many at most. */
    *after(owner: string, id: number, limit: number): Asking<Item[]> {
      return yield* rows('AND id > @id ORDER BY id LIMIT @limit', { owner, id, limit });
    },
  };
};

/** Makes a function that finds the item whose id a word is, or throws a `UsageError`: what another owner has is not there. */
export const existingIn = <Item>(
  get: (owner: string, id: number) => Asking<Item | null>,
  texts: (language: Language) => { notFound(id: string): string },
) =>
  function* (word: Word | undefined, { owner, language }: ToolCall): Asking<Item> {
    const id = readId(word, language);
    const item = Number.isFinite(id) ? yield* get(owner, id) : null;
    if (item) return item;
    throw new UsageError(texts(language).notFound(word!.text.replace(/^#?/, '#').slice(0, 20)));
  };

/** The part that commands on items of any kind share: reminders, `get` and `delete`. `write` gives an item as one line. */
export const createOwnedItems = <Item extends { id: number }>(
  subject: ReminderSubject['subject'],
  store: Pick<ReturnType<typeof ownedRows<unknown, Item>>, 'get' | 'remove'>,
  texts: (language: Language) => { notFound(id: string): string; deleted(id: number, name: string): string },
  nameOf: (item: Item) => string,
  write: (item: Item, reminders: Reminder[], call: ToolCall) => string,
) => {
  const subjectOf = (subject_id: number, { owner }: ToolCall): ReminderSubject => ({ owner, subject, subject_id });
  const existing = existingIn(store.get, texts);
  function* lineOf(item: Item, call: ToolCall): Asking<string> {
    return write(item, yield* reminderStore.of(subjectOf(item.id, call)), call);
  }
  function* get({ words }: Arguments, call: ToolCall): Asking<string> {
    refuseMore(words.slice(1), call.language);
    return yield* lineOf(yield* existing(words[0], call), call);
  }
  function* remove(item: Item, call: ToolCall): Asking<string> {
    yield* reminderStore.replace(subjectOf(item.id, call), [], call.now);
    yield* store.remove(call.owner, item.id);
    return texts(call.language).deleted(item.id, nameOf(item));
  }
  return { subjectOf, existing, lineOf, get, delete: onEach(existing, remove) };
};

/** Reads an item's text, which is empty where there is none; a `UsageError` where it is longer than `max`. */
export function takeText({ words }: Arguments, max: number, tooLong: (max: number) => string): string {
  const text = textOf(words);
  if (text.length <= max) return text;
  throw new UsageError(tooLong(max));
}

/** A subcommand on some ids, each of which gets a line. None is touched where one does not exist. */
export const onEach = <Item extends { id: number }>(
  existing: (word: Word, call: ToolCall) => Asking<Item>,
  lineOf: (item: Item, call: ToolCall) => Asking<string>,
) =>
  function* ({ words }: Arguments, call: ToolCall): Asking<string> {
    const items = new Map<number, Item>();
    for (const word of someIds(words, call.language)) {
      const item = yield* existing(word, call);
      items.set(item.id, item);
    }
    const lines: string[] = [];
    for (const item of items.values()) lines.push(yield* lineOf(item, call));
    return lines.join('\n');
  };

type Run = (given: Arguments, call: ToolCall) => Asking<string>;

/** Makes a tool of subcommands on the caller's own items, which is a command too. Each has the options that it takes. */
export const createItemsTool = <Name extends string>(
  name: string,
  texts: (language: Language) => { summary: string; usage: Record<Name, string>; usageNotes?: string },
  commands: Record<Name, { run: Run; options?: Record<string, OptionRule> }>,
): TransactionalTool => {
  const help = (language: Language) => {
    const { summary, usage, usageNotes } = texts(language);
    return { summary, usage: [...Object.values<string>(usage), ...(usageNotes ? [usageNotes] : [])].join('\n') };
  };
  return {
    name,
    ...toolTexts(help),
    isCommand: true,
    writes: true,
    effect: 'transactional',
    run: (input, call) =>
      answerSubcommand(
        input,
        name,
        texts(call.language).usage,
        call.language,
        (subcommand, words) => {
          const { run, options = {} } = commands[subcommand];
          return run(readArguments(words, options, call.language), call);
        },
        help(call.language).usage,
      ),
  };
};
