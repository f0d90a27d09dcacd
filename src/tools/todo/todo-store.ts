import type { Temporal } from 'temporal-polyfill';
import type { TodoView as ListedTodo } from '../../../contracts/http.ts';
import { isoOrNull } from '../../lib/iso-time.ts';
import { type Queries, query, type Statement } from '../../lib/queries.ts';
import { zonedAt } from '../../when/temporal.ts';
import { nextId, ownedRows } from '../owned-items.ts';

/** Which todos a list shows. All but `all` show only open ones; `inbox` shows those without a due time. */
export const TODO_VIEWS = ['all', 'today', 'overdue', 'upcoming', 'inbox'] as const;
export type TodoView = (typeof TODO_VIEWS)[number];

/** Most todos in one answer: nobody reads a longer list, and an observation is cut anyway. */
const TODOS_LISTED_MAX = 100;

/** A todo. `due_date` (YYYY-MM-DD) is set if it is due on a day without a time; `due_at` is epoch milliseconds. */
export interface TodoFields {
  text: string;
  priority: number;
  due_at: number | null;
  due_date: string | null;
  tags: string[];
}

/** A todo as stored; `done_at` (epoch milliseconds) is null while it is open. */
export interface Todo extends TodoFields {
  id: number;
  done_at: number | null;
}

/** A todo as the API shows it. */
export const todoView = ({ id, text, done_at, due_at, due_date, priority, tags }: Todo): ListedTodo => ({
  id,
  text,
  done: done_at !== null,
  done_at: isoOrNull(done_at),
  due_at: isoOrNull(due_at),
  due_date,
  priority,
  tags,
});

export interface TodoPage {
  todos: Todo[];
  total: number;
}

const searchable = (text: string): string => text.normalize('NFKC').toLowerCase();

/**
 * Longest text that is searched, in characters: enough for the longest todo, even with characters such as ½ that become
 * several. A text of only such characters is searched in part.
 */
const SEARCHED_CHARS_MAX = 1_200;

const searchText = (text: string): string => searchable(text).slice(0, SEARCHED_CHARS_MAX).toWellFormed();

type TodoRow = Omit<Todo, 'tags'> & { tags: string };

const COLUMNS = `id, text, priority, due_at, due_date, done_at,
  (SELECT json_group_array(tag) FROM
    (SELECT tag FROM todo_tags g WHERE g.owner = todos.owner AND g.todo_id = todos.id ORDER BY position) AS ordered) AS tags`;
const ORDER = `ORDER BY done_at IS NOT NULL, priority, due_at IS NULL, due_at, id LIMIT ${TODOS_LISTED_MAX}`;
/** Counted in one pass over a todo's tags: looking up each of 20 takes three times as long. */
const HAS_TAGS = `(SELECT count(*) FROM todo_tags g WHERE g.owner = todos.owner AND g.todo_id = todos.id
  AND g.tag_key || '' IN (SELECT value FROM json_each(@tags))) = json_array_length(@tags)`;
const HAS_WORDS = 'NOT EXISTS (SELECT 1 FROM json_each(@words) AS sought WHERE instr(search_text, sought.value) = 0)';

const inView: Record<TodoView | 'open', string> = {
  all: '1 = 1',
  open: 'done_at IS NULL',
  today: `done_at IS NULL AND CASE WHEN due_date IS NULL THEN due_at >= @day_start AND due_at < @day_end ELSE due_date = @today END`,
  overdue: 'done_at IS NULL AND CASE WHEN due_date IS NULL THEN due_at < @now ELSE due_date < @today END',
  upcoming: 'done_at IS NULL AND CASE WHEN due_date IS NULL THEN due_at >= @day_end ELSE due_date > @today END',
  inbox: 'done_at IS NULL AND due_at IS NULL',
};

const todoOf = ({ tags, ...todo }: TodoRow): Todo => ({ ...todo, tags: JSON.parse(tags) as string[] });

function* pageOf(condition: string, values: Statement['values']): Queries<TodoPage> {
  // Reads tags only for the listed todos: that takes longer than all the rest.
  const rows = yield* query<TodoRow & { total: number }>(
    `SELECT ${COLUMNS}, total FROM todos JOIN
       (SELECT id AS listed, count(*) OVER () AS total FROM todos WHERE owner = @owner AND ${condition} ${ORDER}) AS page
     ON owner = @owner AND id = listed ${ORDER}`,
    values,
  );
  return { todos: rows.map(({ total: _, ...row }) => todoOf(row)), total: rows[0]?.total ?? 0 };
}

function* addTags(owner: string, id: number, tags: string[]): Queries<void> {
  for (const [position, tag] of tags.entries())
    yield* query(
      `INSERT INTO todo_tags (owner, todo_id, tag_key, tag, position) VALUES (@owner, @id, @tag_key, @tag, @position)
       ON CONFLICT DO NOTHING`,
      { owner, id, tag_key: searchable(tag), tag, position },
    );
}

/** Todos of one owner at a time. Ids of other owners do not exist here. */
export const todoStore = {
  ...ownedRows('todos', COLUMNS, todoOf),
  /** Stores a new todo and returns its id. Ids are never reused. */
  *add(owner: string, { tags, ...fields }: TodoFields, now: number): Queries<number> {
    const id = yield* nextId(owner, 'todo');
    yield* query(
      `INSERT INTO todos (owner, id, text, search_text, priority, due_at, due_date, created_at)
       VALUES (@owner, @id, @text, @search_text, @priority, @due_at, @due_date, @now)`,
      { owner, id, ...fields, search_text: searchText(fields.text), now },
    );
    yield* addTags(owner, id, tags);
    return id;
  },
  /** Whether the owner has `max` todos, including done ones. They are counted only if that many were ever added. */
  *hasAsMany(owner: string, max: number): Queries<boolean> {
    const [row] = yield* query<{ count: number }>(
      `SELECT count(*) AS count FROM todos WHERE owner = @owner AND EXISTS
         (SELECT 1 FROM owner_counters WHERE owner = @owner AND kind = 'todo' AND last_id >= @max)`,
      { owner, max },
    );
    return row!.count >= max;
  },
  *update(owner: string, id: number, { tags, text, priority, due_at, due_date }: TodoFields): Queries<void> {
    yield* query(
      `UPDATE todos SET text = @text, search_text = @search_text, priority = @priority, due_at = @due_at, due_date = @due_date
       WHERE owner = @owner AND id = @id`,
      { owner, id, text, search_text: searchText(text), priority, due_at, due_date },
    );
    yield* query('DELETE FROM todo_tags WHERE owner = @owner AND todo_id = @id', { owner, id });
    yield* addTags(owner, id, tags);
  },
  *finish(owner: string, id: number, now: number): Queries<void> {
    yield* query('UPDATE todos SET done_at = @now WHERE owner = @owner AND id = @id', { owner, id, now });
  },
  /** The todos of a view (null: all open ones) with every one of the tags, lowest priority number first. */
  *list(
    owner: string,
    view: TodoView | null,
    tags: string[],
    { now, timezone }: { now: number; timezone: string },
  ): Queries<TodoPage> {
    const day = zonedAt(now, timezone).toPlainDate();
    const startOf = (date: Temporal.PlainDate): number => date.toZonedDateTime(timezone).epochMilliseconds;
    const days = { today: day.toString(), day_start: startOf(day), day_end: startOf(day.add({ days: 1 })) };
    const values = { owner, now, ...days, tags: JSON.stringify([...new Set(tags.map(searchable))]) };
    const condition = inView[view ?? 'open'];
    return yield* pageOf(tags.length === 0 ? condition : `${condition} AND ${HAS_TAGS}`, values);
  },
  /** The todos whose text contains every word, ignoring case. Words have no wildcards. */
  *search(owner: string, words: string[]): Queries<TodoPage> {
    return yield* pageOf(HAS_WORDS, { owner, words: JSON.stringify(words.map(searchable)) });
  },
};
