import { TODOS_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import type { Queries } from '../../lib/queries.ts';
import { formatDay, formatTime, type Locale } from '../../when/format-when.ts';
import { dateOf } from '../../when/temporal.ts';
import {
  type Arguments,
  afterName,
  answerCommand,
  listText,
  type OptionRule,
  readArguments,
  readInteger,
  refuseMore,
  splitWords,
  textOf,
  toolTexts,
  UsageError,
} from '../command-line.ts';
import { createItemsTool, createOwnedItems, onEach, takeText } from '../owned-items.ts';
import type { ToolCall, TransactionalTool } from '../port.ts';
import { type Reminder, type ReminderPlan, reminderStore, setReminders } from '../reminders.ts';
import { isCleared, takeReminder, takeWhen } from '../when/when-words.ts';
import { todoMessages } from './messages.ts';
import { TODO_VIEWS, type Todo, type TodoFields, type TodoPage, type TodoView, todoStore } from './todo-store.ts';

/** Total characters of a search: the time for one search text grows with its length. */
export const SEARCH_CHARS_MAX = 200;

/** Words in a search: each is looked up in every todo. */
export const SEARCH_WORDS_MAX = 10;

/** A todo as one line: `#3 Buy milk  due 2026-11-22 15:00 (Sun)  tag: home  priority 1`. Omits past reminders. */
function formatTodo(todo: Todo, reminders: Reminder[], locale: Locale): string {
  const text = todoMessages(locale.language);
  const parts = [`#${todo.id} ${todo.done_at === null ? '' : '✓ '}${todo.text}`];
  if (todo.due_at !== null) {
    // The day stays as the user gave it, whatever the zone is now.
    const due =
      todo.due_date === null
        ? formatTime(todo.due_at, locale)
        : formatDay(Date.parse(todo.due_date), { ...locale, timezone: 'UTC' });
    parts.push(text.due(due));
  }
  for (const { due_at } of reminders) if (due_at !== null) parts.push(text.remind(formatTime(due_at, locale)));
  if (todo.tags.length > 0) parts.push(text.tags(todo.tags));
  if (todo.priority > 0) parts.push(text.priority(todo.priority));
  if (todo.done_at !== null) parts.push(text.doneAt(formatTime(todo.done_at, locale)));
  return parts.join('  ');
}

function* todoList({ todos, total }: TodoPage, heading: string, empty: string, call: ToolCall): Queries<string> {
  if (total === 0) return empty;
  const ids = todos.map(({ id }) => id);
  const reminders = yield* reminderStore.ofEach({ owner: call.owner, subject: 'todo' }, ids);
  const lines = todos.map((todo) => formatTodo(todo, reminders.get(todo.id) ?? [], call));
  return listText(heading, lines, total, call.language);
}

/** Longest todo, in characters: it is a line in a list, not a document. */
const TODO_CHARS_MAX = 1_000;
const TAG_CHARS_MAX = 40;
const TAGS_MAX = 20;
/** Largest priority number: enough for any order of tasks. */
const PRIORITY_MAX = 1_000_000;

const todoOptions: Record<string, OptionRule> = {
  tag: { value: 'word', repeatable: true },
  priority: { value: 'word' },
  due: { value: 'words' },
  remind: { value: 'words' },
};

/** Reads the tags; undefined: none given, empty: `none`. A leading `#` is not part of a tag. */
function takeTags(given: Arguments, { language }: ToolCall): string[] | undefined {
  const values = given.options.get('tag');
  if (values === undefined) return undefined;
  if (values.length === 1 && isCleared(values[0]!)) return [];
  const tags = values.map((value) => textOf(value).replace(/^#/, ''));
  if (tags.length > TAGS_MAX) throw new UsageError(todoMessages(language).tooManyTags(TAGS_MAX));
  const bad = tags.find((tag) => tag === '' || tag.length > TAG_CHARS_MAX);
  if (bad !== undefined) throw new UsageError(todoMessages(language).invalidTag(TAG_CHARS_MAX));
  return tags;
}

/** Reads the fields that `add` and `update` set; omitted ones are absent. The reminder is read separately. */
function takeTodoFields(given: Arguments, call: ToolCall): Partial<TodoFields> {
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

const takeTodoText = (given: Arguments, { language }: ToolCall): string =>
  takeText(given, TODO_CHARS_MAX, todoMessages(language).textTooLong);

/** Reads a view's name, or throws a `UsageError` that lists the views. */
function readView(text: string, { language }: ToolCall): TodoView {
  const view = TODO_VIEWS.find((name) => name === text.toLowerCase());
  if (view) return view;
  throw new UsageError(todoMessages(language).unknownView(text, TODO_VIEWS));
}

const todos = createOwnedItems('todo', todoStore, todoMessages, ({ text }) => text, formatTodo);
const { subjectOf, existing, lineOf } = todos;

const remindAt = (at: number, text: string, call: ToolCall): ReminderPlan => ({
  session_id: call.session_id,
  text,
  series: { first_at: at, interval_minutes: null, rrule: null, timezone: call.timezone, times: 1 },
  lead_ms: 0,
  nags: false,
  repeats: true,
});

function* keptLine(id: number, call: ToolCall): Queries<string> {
  return yield* lineOf((yield* todoStore.get(call.owner, id))!, call);
}

function* add(given: Arguments, call: ToolCall): Queries<string> {
  const fields = takeTodoFields(given, call);
  const remind = takeReminder(given, 'remind', call);
  const text = takeTodoText(given, call);
  if (text === '') throw new UsageError(todoMessages(call.language).missingText);
  if (yield* todoStore.hasAsMany(call.owner, TODOS_MAX))
    throw new UsageError(todoMessages(call.language).tooMany(TODOS_MAX));
  const id = yield* todoStore.add(
    call.owner,
    { priority: 0, due_at: null, due_date: null, tags: [], ...fields, text },
    call.now,
  );
  if (remind) yield* setReminders(subjectOf(id, call), [remindAt(remind, text, call)], call);
  return todoMessages(call.language).added(yield* keptLine(id, call));
}

function* update(given: Arguments, call: ToolCall): Queries<string> {
  const todo = yield* existing(given.words.shift(), call);
  const fields = takeTodoFields(given, call);
  const remind = takeReminder(given, 'remind', call);
  const text = takeTodoText(given, call) || todo.text;
  if (given.words.length === 0 && given.options.size === 0)
    throw new UsageError(messages(call.language).commandLine.nothingToChange);
  if (remind && todo.done_at !== null) throw new UsageError(todoMessages(call.language).doneHasNoReminder(todo.id));
  yield* todoStore.update(call.owner, todo.id, { ...todo, ...fields, text });
  const subject = subjectOf(todo.id, call);
  if (remind === undefined) yield* reminderStore.rename(subject, text);
  else yield* setReminders(subject, remind === null ? [] : [remindAt(remind, text, call)], call);
  return todoMessages(call.language).updated(yield* keptLine(todo.id, call));
}

function* list(given: Arguments, call: ToolCall): Queries<string> {
  refuseMore(given.words, call.language);
  const viewWord = given.options.get('view')?.[0];
  const view = viewWord ? readView(textOf(viewWord), call) : null;
  const page = yield* todoStore.list(call.owner, view, takeTags(given, call) ?? [], call);
  const texts = todoMessages(call.language);
  return yield* todoList(page, texts.list, texts.emptyList, call);
}

function* search(given: Arguments, call: ToolCall): Queries<string> {
  const words = given.words.map((word) => textOf([word])).filter((word) => word !== '');
  if (words.length === 0) throw new UsageError(todoMessages(call.language).missingSearchWords);
  const sought = words.join(' ');
  // Checks the raw text first: normalizing 16,000 combining marks takes 90 ms.
  const isTooLong = sought.length > 2 * SEARCH_CHARS_MAX || sought.normalize('NFKC').length > SEARCH_CHARS_MAX;
  if (words.length > SEARCH_WORDS_MAX || isTooLong)
    throw new UsageError(todoMessages(call.language).searchTooLong(SEARCH_WORDS_MAX, SEARCH_CHARS_MAX));
  const page = yield* todoStore.search(call.owner, words);
  const texts = todoMessages(call.language);
  return yield* todoList(page, texts.found(sought), texts.notFoundByWords(sought), call);
}

function* finish(todo: Todo, call: ToolCall): Queries<string> {
  if (todo.done_at !== null) return todoMessages(call.language).alreadyDone(yield* lineOf(todo, call));
  yield* todoStore.finish(call.owner, todo.id, call.now);
  yield* reminderStore.replace(subjectOf(todo.id, call), [], call.now);
  return todoMessages(call.language).done(yield* keptLine(todo.id, call));
}

/** The `todo` tool, also the `/todo` command (SPEC 8). Changes only the caller's own todos. */
export const todoTool = createItemsTool('todo', todoMessages, {
  add: { run: add, options: todoOptions },
  list: { run: list, options: { tag: { value: 'word', repeatable: true }, view: { value: 'word' } } },
  search: { run: search },
  get: { run: todos.get },
  update: { run: update, options: todoOptions },
  done: { run: onEach(existing, finish) },
  delete: { run: todos.delete },
});

/** The `view` tool, also `/view` (SPEC 8): todos by due time in the user's zone. Changes nothing. */
export const viewTool: TransactionalTool = {
  name: 'view',
  ...toolTexts((language) => todoMessages(language).view),
  isCommand: true,
  writes: false,
  effect: 'transactional',
  run: (input, call) =>
    answerCommand(todoMessages(call.language).view.usage, call.language, function* () {
      const words = splitWords(afterName(input, 'view'), call.language);
      const given = readArguments(words, { tag: { value: 'word', repeatable: true } }, call.language);
      if (given.words.length === 0) throw new UsageError(todoMessages(call.language).missingView);
      const view = readView(textOf(given.words), call);
      const tags = takeTags(given, call) ?? [];
      const heading = todoMessages(call.language).views[view] + (tags.length > 0 ? ` · ${tags.join(', ')}` : '');
      const page = yield* todoStore.list(call.owner, view, tags, call);
      return yield* todoList(page, heading, `${heading} (0)`, call);
    }),
};
