import type { Language } from '../../contracts/text.ts';
import { type Queries, query, type Statement } from '../lib/queries.ts';
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

/** The next id for an owner's items of a kind. Ids are never reused. */
export function* nextId(owner: string, kind: 'todo' | 'schedule' | 'fact' | 'goal'): Queries<number> {
  const [counter] = yield* query<{ last_id: number }>(
    `INSERT INTO owner_counters (owner, kind, last_id) VALUES (@owner, @kind, 1)
     ON CONFLICT (owner, kind) DO UPDATE SET last_id = owner_counters.last_id + 1 RETURNING last_id`,
    { owner, kind },
  );
  return counter!.last_id;
}

/** Queries on a table of items, for one owner at a time. Ids of other owners do not exist here. */
export const ownedRows = <Row, Item>(
  table: 'todos' | 'schedule_events' | 'facts' | 'goals',
  columns: string,
  itemOf: (row: Row) => Item,
) => {
  function* rows(rest: string, values: Statement['values']): Queries<Item[]> {
    return (yield* query<Row>(`SELECT ${columns} FROM ${table} WHERE owner = @owner ${rest}`, values)).map(itemOf);
  }
  return {
    rows,
    *get(owner: string, id: number): Queries<Item | null> {
      return (yield* rows('AND id = @id', { owner, id }))[0] ?? null;
    },
    *remove(owner: string, id: number): Queries<void> {
      yield* query(`DELETE FROM ${table} WHERE owner = @owner AND id = @id`, { owner, id });
    },
    /** The items with ids above the given one, by id, at most `limit`. */
    *after(owner: string, id: number, limit: number): Queries<Item[]> {
      return yield* rows('AND id > @id ORDER BY id LIMIT @limit', { owner, id, limit });
    },
  };
};

/**
 * Creates a function that finds the item with the id in a word, or throws a `UsageError`. Items of other owners do not
 * exist for it.
 */
export const existingIn = <Item>(
  get: (owner: string, id: number) => Queries<Item | null>,
  texts: (language: Language) => { notFound(id: string): string },
) =>
  function* (word: Word | undefined, { owner, language }: ToolCall): Queries<Item> {
    const id = readId(word, language);
    const item = Number.isFinite(id) ? yield* get(owner, id) : null;
    if (item) return item;
    throw new UsageError(texts(language).notFound(word!.text.replace(/^#?/, '#').slice(0, 20)));
  };

/**
 * The shared part of commands on items of any kind: reminders, `get` and `delete`. `write` formats an item as one line.
 */
export const createOwnedItems = <Item extends { id: number }>(
  subject: ReminderSubject['subject'],
  store: Pick<ReturnType<typeof ownedRows<unknown, Item>>, 'get' | 'remove'>,
  texts: (language: Language) => { notFound(id: string): string; deleted(id: number, name: string): string },
  nameOf: (item: Item) => string,
  write: (item: Item, reminders: Reminder[], call: ToolCall) => string,
) => {
  const subjectOf = (subject_id: number, { owner }: ToolCall): ReminderSubject => ({ owner, subject, subject_id });
  const existing = existingIn(store.get, texts);
  function* lineOf(item: Item, call: ToolCall): Queries<string> {
    return write(item, yield* reminderStore.of(subjectOf(item.id, call)), call);
  }
  function* get({ words }: Arguments, call: ToolCall): Queries<string> {
    refuseMore(words.slice(1), call.language);
    return yield* lineOf(yield* existing(words[0], call), call);
  }
  function* remove(item: Item, call: ToolCall): Queries<string> {
    yield* reminderStore.replace(subjectOf(item.id, call), [], call.now);
    yield* store.remove(call.owner, item.id);
    return texts(call.language).deleted(item.id, nameOf(item));
  }
  return { subjectOf, existing, lineOf, get, delete: onEach(existing, remove) };
};

/** Reads an item's text, empty if there is none. Throws a `UsageError` if it is longer than `max`. */
export function takeText({ words }: Arguments, max: number, tooLong: (max: number) => string): string {
  const text = textOf(words);
  if (text.length <= max) return text;
  throw new UsageError(tooLong(max));
}

/** A subcommand on several ids, each of which gets a line. Touches none if one does not exist. */
export const onEach = <Item extends { id: number }>(
  existing: (word: Word, call: ToolCall) => Queries<Item>,
  lineOf: (item: Item, call: ToolCall) => Queries<string>,
) =>
  function* ({ words }: Arguments, call: ToolCall): Queries<string> {
    const items = new Map<number, Item>();
    for (const word of someIds(words, call.language)) {
      const item = yield* existing(word, call);
      items.set(item.id, item);
    }
    const lines: string[] = [];
    for (const item of items.values()) lines.push(yield* lineOf(item, call));
    return lines.join('\n');
  };

type Run = (given: Arguments, call: ToolCall) => Queries<string>;

/** Creates a tool, also a command, with subcommands on the caller's own items. Each subcommand has its own options. */
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
