import { messages } from '../../../contracts/messages/messages.ts';
import { dateOf } from '../../when/temporal.ts';
import { type Arguments, type OptionRule, readInteger, textOf, UsageError } from '../command-line.ts';
import type { ToolCall } from '../port.ts';
import { isCleared, takeWhen } from '../when/when-words.ts';
import { TODO_VIEWS, type TodoFields, type TodoView } from './todo-store.ts';

/** Longest todo, in characters: it is a line in a list, not a document. */
export const TODO_CHARS_MAX = 1_000;
/** Longest tag, in characters. */
const TAG_CHARS_MAX = 40;
/** Most tags on one todo. */
const TAGS_MAX = 20;
/** Largest priority number: any order of tasks fits below it. */
const PRIORITY_MAX = 1_000_000;

/** The options that `add` and `update` take. */
export const todoOptions: Record<string, OptionRule> = {
  tag: { value: 'word', repeatable: true },
  priority: { value: 'word' },
  due: { value: 'words' },
  remind: { value: 'words' },
};

/** Reads the tags; undefined: none given, empty: `none`. A leading `#` is no part of a tag. */
export function takeTags(given: Arguments, { language }: ToolCall): string[] | undefined {
  const values = given.options.get('tag');
  if (values === undefined) return undefined;
  if (values.length === 1 && isCleared(values[0]!)) return [];
  const tags = values.map((value) => textOf(value).replace(/^#/, ''));
  if (tags.length > TAGS_MAX) throw new UsageError(messages(language).todo.tooManyTags(TAGS_MAX));
  const bad = tags.find((tag) => tag === '' || tag.length > TAG_CHARS_MAX);
  if (bad !== undefined) throw new UsageError(messages(language).todo.invalidTag(TAG_CHARS_MAX));
  return tags;
}

/** Reads the fields that `add` and `update` set; those not given are absent. The reminder is read apart. */
export function takeTodoFields(given: Arguments, call: ToolCall): Partial<TodoFields> {
  const priority = given.options.get('priority')?.[0];
  const due = takeWhen(given, 'due', call);
  const tags = takeTags(given, call);
  return {
    ...(priority && { priority: readInteger(textOf(priority), '--priority', 0, PRIORITY_MAX, call.language) }),
    ...(due !== undefined && {
      due_at: due?.at ?? null,
      due_date: due && !due.hasTime ? dateOf(due.at, call.timezone) : null,
    }),
    ...(tags && { tags }),
  };
}

/** Reads a todo's text, or throws a `UsageError` when it is too long. Empty when there is none. */
export function takeTodoText(given: Arguments, { language }: ToolCall): string {
  const text = textOf(given.words);
  if (text.length <= TODO_CHARS_MAX) return text;
  throw new UsageError(messages(language).todo.textTooLong(TODO_CHARS_MAX));
}

/** Reads a view's name, or throws a `UsageError` that lists the views. */
export function readView(text: string, { language }: ToolCall): TodoView {
  const view = TODO_VIEWS.find((name) => name === text.toLowerCase());
  if (view) return view;
  throw new UsageError(messages(language).todo.unknownView(text, TODO_VIEWS));
}
