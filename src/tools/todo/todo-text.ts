import { messages } from '../../../contracts/messages/messages.ts';
import type { Asking } from '../../store/questions.ts';
import { formatDay, formatTime, type Locale } from '../../when/format-when.ts';
import type { ToolCall } from '../port.ts';
import { type Reminder, reminderStore } from '../reminders.ts';
import type { Todo, TodoPage } from './todo-store.ts';

/** A todo as one line: `#3 Buy milk  due 2026-11-22 15:00 (Sun)  tag: home  priority 1`. Reminders that are over are left out. */
function formatTodo(todo: Todo, reminders: Reminder[], locale: Locale): string {
  const text = messages(locale.language).todo;
  const parts = [`#${todo.id} ${todo.done_at === null ? '' : '✓ '}${todo.text}`];
  if (todo.due_at !== null) {
    // The day is the one that was said, whatever the zone is by now.
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

/** A list of todos under its heading, with how many are not shown; or `empty` when there are none. */
export function formatTodoPage(
  { todos, total }: TodoPage,
  line: (todo: Todo) => string,
  heading: string,
  empty: string,
  language: Locale['language'],
): string {
  if (total === 0) return empty;
  const more = total - todos.length;
  const left = more > 0 ? [messages(language).commandLine.more(more)] : [];
  return [`${heading} (${total})`, ...todos.map(line), ...left].join('\n');
}

/** Writes each of some todos of the caller as one line, with its reminders; asks for all of those at once. */
export function* linesOf(todos: Todo[], call: ToolCall): Asking<(todo: Todo) => string> {
  const ids = todos.map(({ id }) => id);
  const reminders = yield* reminderStore.ofEach({ owner: call.owner, subject: 'todo' }, ids);
  return (todo) => formatTodo(todo, reminders.get(todo.id) ?? [], call);
}
