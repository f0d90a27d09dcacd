import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Effect, TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import type { Step } from '../../../machines/step.ts';
import { disagreement, foldEvent, isSameJson } from '../../engine/replay/fold.ts';
import { syncPath } from './sync-path.ts';

/** An entry as it was copied, as JSON. */
interface CopiedEntry {
  id: number;
  state: string | null;
  step_count: number | null;
  event: string;
  effects: string | null;
}

type Json = Record<string, unknown>;

/** Machine versions: histories of the old database were made by 2, and this Tripact folds as 3. */
const OLD_MACHINE = '2';
const NEW_MACHINE = '3';

/** The number in an old effect's id, `{task_id}.{number}`. */
const effectNumber = (id: unknown): number => Number(String(id).slice(String(id).lastIndexOf('.') + 1));

/** An event or an effect with its effect's number in place of the id. */
const numbered = ({ effect_id, ...rest }: Json): Json =>
  effect_id === undefined ? rest : { effect: effectNumber(effect_id), ...rest };

const newSnapshot = ({ context, ...rest }: Json): Json => {
  const { open_effect_id, ...known } = context as Json;
  const open_effect = open_effect_id === null ? null : effectNumber(open_effect_id);
  return { context: { ...known, open_effect }, ...rest };
};

/** A task's view with the id that an approval has (SPEC 3). */
const newView = (view: Json): Json => {
  const { id, step_count, approval } = view;
  return approval == null ? view : { ...view, approval: { id: `approval-${id}-${step_count}`, ...approval } };
};

/** SQL functions over a column's JSON; null stays null. */
const JSON_FUNCTIONS: Readonly<Record<string, (value: Json) => unknown>> = {
  new_event: numbered,
  new_effects: (effects) => (effects as unknown as Json[]).map(numbered),
  new_snapshot: newSnapshot,
  new_view: newView,
  new_reply: (reply) => ({ ...reply, task: reply['task'] && newView(reply['task'] as Json) }),
};

/** The options of a turn, each 0, 1 or null, as its column has them now. */
const newOptions = (confirm_plan: unknown, planning: unknown, conversation: unknown): string | null => {
  const flags = Object.entries({ confirm_plan, planning, conversation }).filter(([, flag]) => flag !== null);
  return flags.length === 0
    ? null
    : JSON.stringify(Object.fromEntries(flags.map(([name, flag]) => [name, flag === 1])));
};

/** How the rows of a table are taken over: by the columns that both tables have, the others by an expression over the old row. */
interface Copied {
  readonly table: string;
  readonly from?: string;
  readonly as?: Readonly<Record<string, string>>;
  readonly where?: string;
}

const OF_SESSION = 'session IN (SELECT id FROM main.sessions)';
const OF_TASK = 'task IN (SELECT id FROM main.tasks)';

const FACTS = ['contract', 'model', 'duration_ms', 'outcome', 'fault', 'usage', 'prompt_chars', 'answer_chars'];

const COPIED: readonly (Copied | string)[] = [
  'meta',
  // Sessions that an older build had begun to remove have names that no session can have.
  { table: 'sessions', as: { is_fork: 'copied_bytes > 0', title: 'NULL' }, where: "session_id NOT GLOB '/*'" },
  {
    table: 'tasks',
    as: {
      owner: '(SELECT owner FROM main.sessions WHERE id = session)',
      outcome: "CASE state WHEN 'done' THEN coalesce(outcome, 'completed') END",
      begins: 'CASE WHEN attempted_effect IS NULL THEN 1 ELSE attempts END',
      begun_effect: 'effect_number(attempted_effect)',
      expires_at: 'NULL',
      view: 'new_view(view)',
    },
    where: OF_SESSION,
  },
  {
    table: 'entries',
    from: 'trace_entries',
    as: { machine: OLD_MACHINE, event: 'new_event(event)', effects: 'new_effects(effects)' },
    where: OF_SESSION,
  },
  // Texts that forks shared with their origin, or turns of one task with each other, become each row's own.
  {
    table: 'snapshots',
    as: {
      machine: OLD_MACHINE,
      body: "new_snapshot(body || coalesce((SELECT body FROM old.snapshot_bodies WHERE id = shared), ''))",
    },
    where: OF_TASK,
  },
  {
    table: 'turns',
    as: {
      options: 'new_options(confirm_plan, planning, conversation)',
      reply: 'new_reply(coalesce((SELECT reply FROM old.turns WHERE id = was.reply_of), reply))',
    },
    where: OF_SESSION,
  },
  { table: 'outbox', where: OF_SESSION },
  ...['turn_days', 'usage_days', 'access_keys', 'owner_quotas', 'owner_counters', 'remembered_conversations'],
  ...['todos', 'todo_tags', 'schedule_events', 'reminders', 'named_plans', 'named_plan_steps', 'prompt_texts'],
  {
    table: 'model_calls',
    as: {
      ...Object.fromEntries([...FACTS, 'structured_output'].map((name) => [name, `facts ->> '${name}'`])),
      effect: 'effect_number(effect_id)',
    },
    where: OF_TASK,
  },
];

const copy = (db: Database.Database, { table, from = table, as = {}, where = 'true' }: Copied): void => {
  const columns = db.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all();
  const values = columns.map((column) => as[column] ?? column);
  db.exec(`INSERT INTO main.${table} (${columns}) SELECT ${values} FROM old.${from} AS was WHERE ${where}`);
};

/** True where two lists of effects are the same work; the item that it is for may have another id. */
const isSameWork = (made: readonly Effect[], recorded: readonly Effect[]): boolean =>
  isSameJson(
    ...([made, recorded].map((effects) =>
      effects.map(({ params, ...effect }) => ({ ...effect, params: { ...params, item_id: null } })),
    ) as [unknown, unknown]),
  );

/** The effects that this machine asks for at each of a task's entries; null where it makes something else of one. */
const refolded = (entries: readonly CopiedEntry[]): Effect[][] | null => {
  let current: Step | null = null;
  const asked: Effect[][] = [];
  try {
    for (const { event, effects, state, step_count } of entries) {
      const schema = current === null ? TaskOpened : TaskEvent;
      current = foldEvent(current?.task ?? null, schema.parse(JSON.parse(event)));
      const recorded = Effect.array().parse(JSON.parse(effects ?? '[]'));
      if (!isSameWork(current.effects, recorded)) return null;
      if (disagreement(current, { state, step_count, effects: current.effects }) !== null) return null;
      asked.push([...current.effects]);
    }
  } catch {
    return null;
  }
  return asked;
};

/** Histories that this machine folds alike become its own, without the old snapshots; a task with another one is paused when it is loaded (SPEC 6). */
const adoptHistories = (db: Database.Database): void => {
  const tasks = db.prepare<[], { id: number; session: number }>('SELECT id, session FROM tasks');
  const entries = db.prepare<[number, number], CopiedEntry>(
    'SELECT id, state, step_count, event, effects FROM entries WHERE session = ? AND task = ? ORDER BY seq',
  );
  const adopt = db.prepare(`UPDATE entries SET machine = ${NEW_MACHINE}, effects = ? WHERE id = ?`);
  const forget = db.prepare('DELETE FROM snapshots WHERE task = ?');
  for (const { id, session } of tasks.all()) {
    const rows = entries.all(session, id);
    const asked = refolded(rows);
    if (asked === null) continue;
    for (const [i, effects] of asked.entries())
      adopt.run(effects.length === 0 ? null : JSON.stringify(effects), rows[i]!.id);
    forget.run(id);
  }
  db.exec(`UPDATE entries SET machine = ${NEW_MACHINE} WHERE task IS NULL`);
};

const copyInto = (db: Database.Database, path: string): void => {
  db.prepare('ATTACH ? AS old').run(path);
  db.function('effect_number', (id) => (id === null ? null : effectNumber(id)));
  for (const [name, change] of Object.entries(JSON_FUNCTIONS))
    db.function(name, (text) => (text === null ? null : JSON.stringify(change(JSON.parse(String(text)) as Json))));
  db.function('new_options', newOptions);
  db.transaction(() => {
    for (const each of COPIED) copy(db, typeof each === 'string' ? { table: each } : each);
    adoptHistories(db);
  })();
};

/** Brings the database of version 27 at `path` to `schema` with all that waits in it; the old one is kept as `{path}.27`. For the holder of the folder. */
export const migrateFrom27 = (path: string, schema: string): void => {
  const written = `${path}.new`;
  for (const end of ['', '-journal']) rmSync(written + end, { force: true });
  const old = new Database(path);
  // Moves its log into the file, which is then whole by itself.
  old.pragma('journal_mode = DELETE');
  old.close();
  const db = new Database(written);
  try {
    db.pragma('synchronous = FULL');
    db.exec(schema);
    copyInto(db, path);
  } finally {
    db.close();
  }
  const kept = `${path}.27`;
  copyFileSync(path, kept);
  syncPath(kept);
  renameSync(written, path);
  syncPath(dirname(path));
};
