import type { Asking } from '../../store/questions.ts';
import type { ToolCall } from '../port.ts';
import { reminderStore } from '../reminders.ts';
import type { Todo } from './todo-store.ts';
import { formatTodo } from './todo-text.ts';

/** Writes each of some todos of the caller as one line, with its reminders; asks for all of those at once. */
export function* linesOf(todos: Todo[], call: ToolCall): Asking<(todo: Todo) => string> {
  const ids = todos.map(({ id }) => id);
  const reminders = yield* reminderStore.ofEach({ owner: call.owner, subject: 'todo' }, ids);
  return (todo) => formatTodo(todo, reminders.get(todo.id) ?? [], call);
}
