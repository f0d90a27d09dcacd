import type { Database } from 'better-sqlite3';
import { answerCommand, readArguments, say, textOf, UsageError, wordsAfterName } from './command-line.ts';
import type { TransactionalTool } from './port.ts';
import { createReminderStore } from './reminders.ts';
import { readView, takeTags } from './todo/todo-options.ts';
import { createTodoStore, type TodoView } from './todo/todo-store.ts';
import { formatTodo, formatTodoPage } from './todo/todo-text.ts';

const USAGE = '/view <all|today|overdue|upcoming|inbox> [--tag t]…';

const headings: Record<TodoView, [en: string, zh: string]> = {
  all: ['All todos', '全部待办'],
  today: ['Due today', '今天到期'],
  overdue: ['Overdue', '已过期'],
  upcoming: ['Due after today', '今天以后到期'],
  inbox: ['Inbox: not due at any time', '收件箱：没有期限'],
};

/**
 * Makes the `view` tool, which is the `/view` command too (SPEC 8): todos by when they are due in the user's zone. `all` shows done
 * ones as well; a todo due today at a time that has passed is both `today` and `overdue`. It never changes anything.
 */
export function createViewTool(db: Database): TransactionalTool {
  const todos = createTodoStore(db);
  const reminders = createReminderStore(db);
  return {
    name: 'view',
    description:
      "Shows the user's todos by when they are due: all, today, overdue, upcoming (after today), inbox (not due).",
    usage: USAGE,
    writes: false,
    effect: 'transactional',
    run: (input, call) =>
      answerCommand(
        () => USAGE,
        call.language,
        () => {
          const words = wordsAfterName(input, 'view', call.language);
          const given = readArguments(words, { tag: { value: 'word', repeatable: true } }, call.language);
          if (given.words.length === 0)
            throw new UsageError(say(call.language, 'Say which view.', '请写明要看哪个视图。'));
          const view = readView(textOf(given.words), call);
          const tags = takeTags(given, call) ?? [];
          const heading = say(call.language, ...headings[view]) + (tags.length > 0 ? ` · ${tags.join(', ')}` : '');
          return formatTodoPage(
            todos.list(call.owner, view, tags, call),
            (todo) => formatTodo(todo, reminders.of({ owner: call.owner, subject: 'todo', subject_id: todo.id }), call),
            heading,
            `${heading} (0)`,
            call.language,
          );
        },
      ),
  };
}
