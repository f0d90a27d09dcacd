import { afterName, answerCommand, readArguments, splitWords, textOf, toolTexts, UsageError } from './command-line.ts';
import type { TransactionalTool } from './port.ts';
import { todoMessages } from './todo/messages.ts';
import { todoStore } from './todo/todo-store.ts';
import { readView, takeTags, todoList } from './todo/todo-tool.ts';

/** The `view` tool, which is `/view` too (SPEC 8): todos by when they are due in the user's zone. It never changes anything. */
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
