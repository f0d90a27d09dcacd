import type { Database } from 'better-sqlite3';
import type { Temporal } from 'temporal-polyfill';
import { zonedAt } from '../when/format-when.ts';

/** Which todos a list shows. All but `all` show open ones only; `inbox` those that are not due at any time. */
export const TODO_VIEWS = ['all', 'today', 'overdue', 'upcoming', 'inbox'] as const;
export type TodoView = (typeof TODO_VIEWS)[number];

/** Most todos one answer lists: more is no list that anybody reads, and an observation is cut anyway. */
export const TODOS_LISTED_MAX = 100;

/** What a todo says. `due_date` (YYYY-MM-DD) is set when it is due on a day without a time; `due_at` is epoch milliseconds. */
export interface TodoFields {
  text: string;
  priority: number;
  due_at: number | null;
  due_date: string | null;
  tags: string[];
}

/** A todo as it is kept; `done_at` (epoch milliseconds) is null while it is open. */
export interface Todo extends TodoFields {
  id: number;
  done_at: number | null;
}

/** At what time and in which zone "today" and "overdue" are meant. */
export interface TodoClock {
  now: number;
  timezone: string;
}

/** The listed todos, and how many there are in all. */
export interface TodoPage {
  todos: Todo[];
  total: number;
}

/** One owner's todos at a time; an id of another owner doesn't exist. It begins no transaction of its own. */
export interface TodoStore {
  /** Keeps a new todo and returns its id, which was never used before. */
  add(owner: string, fields: TodoFields, now: number): number;
  get(owner: string, id: number): Todo | null;
  update(owner: string, id: number, fields: TodoFields): void;
  finish(owner: string, id: number, now: number): void;
  remove(owner: string, id: number): void;
  /** Those of a view (null: all open ones) that have every one of the tags, lower priority numbers first. */
  list(owner: string, view: TodoView | null, tags: string[], clock: TodoClock): TodoPage;
  /** Those whose text has every word as a substring, in any case; nothing in a word is a wildcard. */
  search(owner: string, words: string[]): TodoPage;
}

/** A text as it is searched and compared. */
const searchable = (text: string): string => text.normalize('NFKC').toLowerCase();

type TodoRow = Omit<Todo, 'tags'> & { tags: string; total: number };

const COLUMNS = `id, text, priority, due_at, due_date, done_at,
  (SELECT json_group_array(tag) FROM
    (SELECT tag FROM todo_tags g WHERE g.owner = todos.owner AND g.todo_id = todos.id ORDER BY position)) AS tags,
  count(*) OVER () AS total`;
const ORDER = `ORDER BY done_at IS NOT NULL, priority, due_at IS NULL, due_at, id LIMIT ${TODOS_LISTED_MAX}`;
const HAS_TAGS = `NOT EXISTS (SELECT 1 FROM json_each(@tags) wanted WHERE NOT EXISTS
  (SELECT 1 FROM todo_tags g WHERE g.owner = todos.owner AND g.todo_id = todos.id AND g.tag_key = wanted.value))`;
const inView: Record<TodoView | 'open', string> = {
  all: '1',
  open: 'done_at IS NULL',
  today: `done_at IS NULL AND CASE WHEN due_date IS NULL THEN due_at >= @day_start AND due_at < @day_end ELSE due_date = @today END`,
  overdue: 'done_at IS NULL AND CASE WHEN due_date IS NULL THEN due_at < @now ELSE due_date < @today END',
  upcoming: 'done_at IS NULL AND CASE WHEN due_date IS NULL THEN due_at >= @day_end ELSE due_date > @today END',
  inbox: 'done_at IS NULL AND due_at IS NULL',
};

const pageOf = (rows: TodoRow[]): TodoPage => ({
  todos: rows.map(({ total: _, tags, ...todo }) => ({ ...todo, tags: JSON.parse(tags) as string[] })),
  total: rows[0]?.total ?? 0,
});

/** Opens the todos of a database that has migration 002. */
export function createTodoStore(db: Database): TodoStore {
  const select = (condition: string) =>
    db.prepare<[Record<string, unknown>], TodoRow>(
      `SELECT ${COLUMNS} FROM todos WHERE owner = @owner AND ${condition} ${ORDER}`,
    );
  const nextId = db
    .prepare(
      `INSERT INTO owner_counters (owner, kind, last_id) VALUES (?, 'todo', 1)
       ON CONFLICT DO UPDATE SET last_id = last_id + 1 RETURNING last_id`,
    )
    .pluck();
  const insert = db.prepare(
    `INSERT INTO todos (owner, id, text, search_text, priority, due_at, due_date, created_at)
     VALUES (@owner, @id, @text, @search_text, @priority, @due_at, @due_date, @now)`,
  );
  const change = db.prepare(
    `UPDATE todos SET text = @text, search_text = @search_text, priority = @priority, due_at = @due_at, due_date = @due_date
     WHERE owner = @owner AND id = @id`,
  );
  const finish = db.prepare('UPDATE todos SET done_at = ? WHERE owner = ? AND id = ?');
  const remove = db.prepare('DELETE FROM todos WHERE owner = ? AND id = ?');
  const removeTags = db.prepare('DELETE FROM todo_tags WHERE owner = ? AND todo_id = ?');
  const insertTag = db.prepare(
    'INSERT OR IGNORE INTO todo_tags (owner, todo_id, tag_key, tag, position) VALUES (?, ?, ?, ?, ?)',
  );
  const byId = select('id = @id');
  const listed = Object.fromEntries(
    Object.entries(inView).map(([view, condition]) => [view, select(`${condition} AND ${HAS_TAGS}`)]),
  ) as Record<TodoView | 'open', ReturnType<typeof select>>;
  const found = select(
    'NOT EXISTS (SELECT 1 FROM json_each(@words) word WHERE instr(todos.search_text, word.value) = 0)',
  );
  const setTags = (owner: string, id: number, tags: string[]): void => {
    removeTags.run(owner, id);
    for (const [position, tag] of tags.entries()) insertTag.run(owner, id, searchable(tag), tag, position);
  };

  return {
    add: (owner, { tags, ...fields }, now) => {
      const id = nextId.get(owner) as number;
      insert.run({ owner, id, ...fields, search_text: searchable(fields.text), now });
      setTags(owner, id, tags);
      return id;
    },
    get: (owner, id) => pageOf(byId.all({ owner, id })).todos[0] ?? null,
    update: (owner, id, { tags, ...fields }) => {
      change.run({ owner, id, ...fields, search_text: searchable(fields.text) });
      setTags(owner, id, tags);
    },
    finish: (owner, id, now) => {
      finish.run(now, owner, id);
    },
    remove: (owner, id) => {
      removeTags.run(owner, id);
      remove.run(owner, id);
    },
    list: (owner, view, tags, { now, timezone }) => {
      const day = zonedAt(now, timezone).toPlainDate();
      const startOf = (date: Temporal.PlainDate): number => date.toZonedDateTime(timezone).epochMilliseconds;
      const days = { today: day.toString(), day_start: startOf(day), day_end: startOf(day.add({ days: 1 })) };
      return pageOf(listed[view ?? 'open'].all({ owner, now, ...days, tags: JSON.stringify(tags.map(searchable)) }));
    },
    search: (owner, words) => pageOf(found.all({ owner, words: JSON.stringify(words.map(searchable)) })),
  };
}
