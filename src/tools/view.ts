import type { Database } from 'better-sqlite3';
import { messages } from '../../contracts/messages/messages.ts';
import { answerCommand, readArguments, textOf, UsageError, wordsAfterName } from './command-line.ts';
import type { TransactionalTool } from './port.ts';
import { createReminderStore } from './reminders.ts';
import { readView, takeTags } from './todo/todo-options.ts';
import { createTodoStore } from './todo/todo-store.ts';
import { formatTodo, formatTodoPage } from './todo/todo-text.ts';

const USAGE = '/view <all|today|overdue|upcoming|inbox> [--tag t]…';

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
          if (given.words.length === 0) throw new UsageError(messages(call.language).todo.missingView);
          const view = readView(textOf(given.words), call);
          const tags = takeTags(given, call) ?? [];
          const heading = messages(call.language).todo.views[view] + (tags.length > 0 ? ` · ${tags.join(', ')}` : '');
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
