import type { Database } from 'better-sqlite3';
import { messages } from '../../../contracts/messages/messages.ts';
import {
  type Arguments,
  answerSubcommand,
  readArguments,
  readId,
  refuseMore,
  textOf,
  UsageError,
  type Word,
} from '../command-line.ts';
import type { ToolCall, TransactionalTool } from '../port.ts';
import { createReminderStore, type ReminderPlan, type ReminderStore } from '../reminders.ts';
import { takeReminder } from '../when/when-option.ts';
import { readView, takeTags, takeTodoFields, takeTodoText, todoOptions } from './todo-options.ts';
import { createTodoStore, type Todo, type TodoStore } from './todo-store.ts';
import { formatTodo, formatTodoPage } from './todo-text.ts';

const usage = {
  add: '/todo add <text> [--tag t]… [--priority n≥0] [--due when] [--remind when]',
  list: '/todo list [--tag t]… [--view all|today|overdue|upcoming|inbox]',
  search: '/todo search <words>',
  get: '/todo get <id>',
  update: '/todo update <id> [text] [--tag t|none]… [--priority n] [--due when|none] [--remind when|none]',
  done: '/todo done <id>',
  delete: '/todo delete <id>',
} as const;
type Subcommand = keyof typeof usage;
const USAGE = Object.values(usage).join('\n');

interface Stores {
  todos: TodoStore;
  reminders: ReminderStore;
}

const subjectOf = (id: number, call: ToolCall) => ({ owner: call.owner, subject: 'todo', subject_id: id }) as const;

const remindAt = (at: number, text: string, call: ToolCall): ReminderPlan => ({
  session_id: call.session_id,
  text,
  series: { first_at: at, interval_minutes: null, rrule: null, timezone: call.timezone, times: 1 },
  lead_ms: 0,
  nags: false,
  repeats: true,
});

const lineOf =
  ({ reminders }: Stores, call: ToolCall) =>
  (todo: Todo) =>
    formatTodo(todo, reminders.of(subjectOf(todo.id, call)), call);

/** The todo of that id and its line, or a `UsageError`: what another owner has is not there. */
function existing({ todos }: Stores, word: Word | undefined, call: ToolCall): Todo {
  const id = readId(word, call.language);
  const todo = Number.isFinite(id) ? todos.get(call.owner, id) : null;
  if (todo) return todo;
  const name = word!.text.replace(/^#?/, '#').slice(0, 20);
  throw new UsageError(messages(call.language).todo.notFound(name));
}

function add(stores: Stores, given: Arguments, call: ToolCall): string {
  const fields = takeTodoFields(given, call);
  const remind = takeReminder(given, 'remind', call);
  const text = takeTodoText(given, call);
  if (text === '') throw new UsageError(messages(call.language).todo.missingText);
  const id = stores.todos.add(
    call.owner,
    { priority: 0, due_at: null, due_date: null, tags: [], ...fields, text },
    call.now,
  );
  if (remind) stores.reminders.replace(subjectOf(id, call), [remindAt(remind, text, call)], call.now);
  return messages(call.language).todo.added(lineOf(stores, call)(stores.todos.get(call.owner, id)!));
}

function update(stores: Stores, given: Arguments, call: ToolCall): string {
  const todo = existing(stores, given.words.shift(), call);
  const fields = takeTodoFields(given, call);
  const remind = takeReminder(given, 'remind', call);
  const text = takeTodoText(given, call) || todo.text;
  if (given.words.length === 0 && given.options.size === 0)
    throw new UsageError(messages(call.language).commandLine.nothingToChange);
  if (remind && todo.done_at !== null) throw new UsageError(messages(call.language).todo.doneHasNoReminder(todo.id));
  stores.todos.update(call.owner, todo.id, { ...todo, ...fields, text });
  const subject = subjectOf(todo.id, call);
  if (remind === undefined) stores.reminders.rename(subject, text);
  else stores.reminders.replace(subject, remind === null ? [] : [remindAt(remind, text, call)], call.now);
  return messages(call.language).todo.updated(lineOf(stores, call)(stores.todos.get(call.owner, todo.id)!));
}

function list(stores: Stores, given: Arguments, call: ToolCall): string {
  refuseMore(given.words, call.language);
  const viewWord = given.options.get('view')?.[0];
  const view = viewWord ? readView(textOf(viewWord), call) : null;
  const page = stores.todos.list(call.owner, view, takeTags(given, call) ?? [], call);
  return formatTodoPage(
    page,
    lineOf(stores, call),
    messages(call.language).todo.list,
    messages(call.language).todo.emptyList,
    call.language,
  );
}

function search(stores: Stores, given: Arguments, call: ToolCall): string {
  const words = given.words.map((word) => textOf([word])).filter((word) => word !== '');
  if (words.length === 0) throw new UsageError(messages(call.language).todo.missingSearchWords);
  const sought = words.join(' ');
  return formatTodoPage(
    stores.todos.search(call.owner, words),
    lineOf(stores, call),
    messages(call.language).todo.found(sought),
    messages(call.language).todo.notFoundByWords(sought),
    call.language,
  );
}

/** `get`, `done` and `delete`: commands on one todo by its id alone. */
function onOne(stores: Stores, subcommand: 'get' | 'done' | 'delete', given: Arguments, call: ToolCall): string {
  const todo = existing(stores, given.words[0], call);
  refuseMore(given.words.slice(1), call.language);
  const line = lineOf(stores, call);
  switch (subcommand) {
    case 'get':
      return line(todo);
    case 'done':
      if (todo.done_at !== null) return messages(call.language).todo.alreadyDone(line(todo));
      stores.todos.finish(call.owner, todo.id, call.now);
      stores.reminders.replace(subjectOf(todo.id, call), [], call.now);
      return messages(call.language).todo.done(line(stores.todos.get(call.owner, todo.id)!));
    case 'delete':
      stores.reminders.replace(subjectOf(todo.id, call), [], call.now);
      stores.todos.remove(call.owner, todo.id);
      return messages(call.language).todo.deleted(todo.id, todo.text);
    default:
      return subcommand satisfies never;
  }
}

function runSubcommand(stores: Stores, subcommand: Subcommand, words: Word[], call: ToolCall): string {
  const read = (rules: Parameters<typeof readArguments>[1]) => readArguments(words, rules, call.language);
  switch (subcommand) {
    case 'add':
      return add(stores, read(todoOptions), call);
    case 'update':
      return update(stores, read(todoOptions), call);
    case 'list':
      return list(stores, read({ tag: { value: 'word', repeatable: true }, view: { value: 'word' } }), call);
    case 'search':
      return search(stores, read({}), call);
    case 'get':
    case 'done':
    case 'delete':
      return onOne(stores, subcommand, read({}), call);
    default:
      return subcommand satisfies never;
  }
}

/** Makes the `todo` tool, which is the `/todo` command too (SPEC 8). It changes the caller's own todos only. */
export function createTodoTool(db: Database): TransactionalTool {
  const stores: Stores = { todos: createTodoStore(db), reminders: createReminderStore(db) };
  return {
    name: 'todo',
    description:
      "The user's todo list: add, find, change, finish and delete todos, with tags, priority, due times and reminders.",
    usage: USAGE,
    writes: true,
    effect: 'transactional',
    run: (input, call) =>
      answerSubcommand(input, { name: 'todo', usage: USAGE }, usage, call.language, (subcommand, words) =>
        runSubcommand(stores, subcommand, words, call),
      ),
  };
}
