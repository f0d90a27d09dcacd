import { FACT_CHARS_MAX, FACTS_MAX, MEMORY_CHARS_MAX } from '../../../contracts/limits.ts';
import type { Memory } from '../../../contracts/task.ts';
import { execute, type Queries, query } from '../../lib/queries.ts';
import { type Arguments, afterName, answerCommand, listText, refuseMore, UsageError } from '../command-line.ts';
import { createItemsTool, existingIn, nextId, onEach, ownedRows, takeText } from '../owned-items.ts';
import type { ToolCall, TransactionalTool } from '../port.ts';
import { memoryMessages } from './messages.ts';

/** A short fact remembered for an owner across sessions; `created_at` is epoch milliseconds. */
export interface Fact {
  id: number;
  text: string;
  created_at: number;
}

const { rows, get, after } = ownedRows<Fact, Fact>('facts', 'id, text, created_at', (fact) => fact);

/** Facts of one owner at a time. Ids of other owners do not exist here. */
export const factStore = {
  after,
  /** Stores a fact, or finds the one with the same text; null: the owner has reached the limit. */
  *add(owner: string, text: string, now: number): Queries<{ fact: Fact; isNew: boolean } | null> {
    const known = yield* rows('ORDER BY id', { owner });
    const same = known.find((fact) => fact.text === text);
    if (same !== undefined) return { fact: same, isNew: false };
    if (known.length >= FACTS_MAX) return null;
    const fact: Fact = { id: yield* nextId(owner, 'fact'), text, created_at: now };
    yield* execute('INSERT INTO facts (owner, id, text, created_at) VALUES (@owner, @id, @text, @created_at)', {
      owner,
      ...fact,
    });
    return { fact, isNew: true };
  },
  *remove(owner: string, id: number): Queries<boolean> {
    return (yield* query('DELETE FROM facts WHERE owner = @owner AND id = @id RETURNING id', { owner, id })).length > 0;
  },
  /** The facts that a new task of the owner knows, newest first (SPEC 8). */
  *remembered(owner: string): Queries<Memory> {
    const facts = yield* rows('ORDER BY id DESC', { owner });
    let chars = 0;
    const tooMany = facts.findIndex(({ text }) => {
      chars += text.length;
      return chars > MEMORY_CHARS_MAX;
    });
    return facts.slice(0, tooMany === -1 ? facts.length : tooMany).map(({ id, text }) => ({ id, text }));
  },
};

const lineOf = ({ id, text }: Fact): string => `#${id} ${text}`;

function* add(given: Arguments, { owner, now, language }: ToolCall): Queries<string> {
  const texts = memoryMessages(language);
  const text = takeText(given, FACT_CHARS_MAX, texts.tooLong);
  if (text === '') throw new UsageError(texts.missingText);
  const kept = yield* factStore.add(owner, text, now);
  if (kept === null) throw new UsageError(texts.full(FACTS_MAX));
  return (kept.isNew ? texts.added : texts.alreadyKnown)(lineOf(kept.fact));
}

function* list({ words }: Arguments, { owner, language }: ToolCall): Queries<string> {
  refuseMore(words, language);
  const facts = yield* factStore.after(owner, 0, FACTS_MAX);
  const texts = memoryMessages(language);
  return facts.length === 0 ? texts.emptyList : listText(texts.list, facts.map(lineOf), facts.length, language);
}

const existing = existingIn(get, memoryMessages);

function* forget(fact: Fact, { owner, language }: ToolCall): Queries<string> {
  yield* factStore.remove(owner, fact.id);
  return memoryMessages(language).deleted(lineOf(fact));
}

const command = createItemsTool('memory', memoryMessages, {
  add: { run: add },
  list: { run: list },
  delete: { run: onEach(existing, forget) },
});

const IS_COMMAND = /^\s*\/memory(?=\s|$)/i;

/**
 * The tool `remember`, also `/memory` (SPEC 8): its input is a fact or a command line. Changes only the caller's own
 * facts.
 */
export const rememberTool: TransactionalTool = {
  ...command,
  name: 'remember',
  command: 'memory',
  usage: `${memoryMessages('en').fact}\n${command.usage}`,
  run: (input, call) => {
    if (IS_COMMAND.test(input)) return command.run(input, call);
    const { usage } = memoryMessages(call.language);
    const words = [{ text: afterName(input, 'remember'), quoted: true }];
    return answerCommand(usage.add, call.language, () => add({ words, options: new Map() }, call));
  },
};
