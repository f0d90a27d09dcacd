import { copyFileSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Effect, TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import { TaskSnapshot } from '../../../contracts/task.ts';
import type { Step } from '../../../machines/step.ts';
import { disagreement, foldEvent, isSameJson } from '../../engine/replay/fold.ts';
import { syncPath } from './sync-path.ts';

/** An entry of the old database, as JSON. */
interface OldEntry {
  readonly id: number;
  readonly seq: number;
  readonly state: string | null;
  readonly step_count: number | null;
  readonly event: string;
  readonly effects: string | null;
}

interface OldTask {
  readonly id: number;
  readonly session: number;
  readonly snapshot_seq: number | null;
}

type Json = Record<string, unknown>;

/** Machine versions: histories of the old database were made by 2, and this Tripact folds as 3. */
const OLD_MACHINE = 2;
const NEW_MACHINE = 3;

/** The number in an old effect's id, `{task_id}.{number}`. */
const effectNumber = (id: unknown): number => Number(String(id).slice(String(id).lastIndexOf('.') + 1));

/** An event or an effect with its effect's number in place of the id. */
const numbered = ({ effect_id, ...rest }: Json): Json =>
  effect_id === undefined ? rest : { effect: effectNumber(effect_id), ...rest };

const newEvent = (text: string): string => JSON.stringify(numbered(JSON.parse(text) as Json));
const newEffects = (text: string | null): string | null =>
  text === null ? null : JSON.stringify((JSON.parse(text) as Json[]).map(numbered));

const newSnapshot = (text: string): string => {
  const { context, ...rest } = JSON.parse(text) as { context: Json };
  const { open_effect_id, ...known } = context;
  const open_effect = open_effect_id === null ? null : effectNumber(open_effect_id);
  return JSON.stringify({ context: { ...known, open_effect }, ...rest });
};

/** A task's view with the id that an approval has (SPEC 3). */
const newView = (view: Json): Json => {
  const { id, step_count, approval } = view;
  return approval == null ? view : { ...view, approval: { id: `approval-${id}-${step_count}`, ...approval } };
};

const newTaskView = (text: string | null): string | null =>
  text === null ? null : JSON.stringify(newView(JSON.parse(text) as Json));

const newReply = (text: string | null): string | null => {
  const reply = text === null ? null : (JSON.parse(text) as Json);
  return reply && JSON.stringify({ ...reply, task: reply['task'] && newView(reply['task'] as Json) });
};

/** The options of a turn, each 0, 1 or null, as its column has them now. */
const newOptions = (confirm_plan: unknown, planning: unknown, conversation: unknown): string | null => {
  const flags = Object.entries({ confirm_plan, planning, conversation }).filter(([, flag]) => flag !== null);
  return flags.length === 0
    ? null
    : JSON.stringify(Object.fromEntries(flags.map(([name, flag]) => [name, flag === 1])));
};

/** Tables whose rows are taken over as they are, by the columns that the new one has. */
const SAME = [
  ...['turn_days', 'usage_days', 'access_keys', 'owner_quotas', 'owner_counters', 'remembered_conversations'],
  ...['todos', 'todo_tags', 'schedule_events', 'reminders', 'named_plans', 'named_plan_steps', 'prompt_texts'],
];

/** Sessions that an older build had begun to remove have names that no session can have. */
const KEPT = "session IN (SELECT id FROM old.sessions WHERE session_id NOT GLOB '/*')";

/** Texts that forks shared with their origin, or turns of one task with each other, become each row's own. */
const COPIES = `
  INSERT INTO meta SELECT key, value FROM old.meta;
  INSERT INTO sessions (id, owner, session_id, timezone, created_at, updated_at, turn_count, is_fork)
    SELECT id, owner, session_id, timezone, created_at, updated_at, turn_count, copied_bytes > 0
    FROM old.sessions WHERE session_id NOT GLOB '/*';
  INSERT INTO tasks (id, task_id, session, owner, state, outcome, first_seq, touched_at_seq, begins, begun_effect,
      waiting_since, question, view)
    SELECT t.id, task_id, session, s.owner, state, CASE state WHEN 'done' THEN coalesce(outcome, 'completed') END, first_seq,
      touched_at_seq, CASE WHEN attempted_effect IS NULL THEN 1 ELSE attempts END, effect_number(attempted_effect), waiting_since, question, new_view(view)
    FROM old.tasks t JOIN old.sessions s ON s.id = t.session WHERE ${KEPT};
  INSERT INTO entries (id, session, seq, task, at, machine, state, step_count, event, effects)
    SELECT id, session, seq, task, at, ${OLD_MACHINE}, state, step_count, new_event(event), new_effects(effects)
    FROM old.trace_entries WHERE ${KEPT};
  INSERT INTO snapshots (task, seq, machine, body)
    SELECT task, seq, ${OLD_MACHINE}, new_snapshot(body || coalesce((SELECT body FROM old.snapshot_bodies WHERE id = shared), ''))
    FROM old.snapshots WHERE task IN (SELECT id FROM tasks);
  INSERT INTO turns (id, turn_id, session, owner, kind, status, task, input, options, callback_url,
      idempotency_key, body_hash, reply, created_at, finished_at)
    SELECT id, turn_id, session, owner, kind, status, task, input, new_options(confirm_plan, planning, conversation), callback_url,
      idempotency_key, body_hash, new_reply(coalesce((SELECT reply FROM old.turns WHERE id = t.reply_of), reply)), created_at, finished_at
    FROM old.turns t WHERE ${KEPT};
  INSERT INTO outbox (number, id, reader, owner, session, event, url, turn_id, data, state, due_at, attempts, last_error,
      created_at, ended_at)
    SELECT number, id, reader, owner, session, event, url, turn_id, data, state, due_at, attempts, last_error,
      created_at, ended_at
    FROM old.outbox WHERE ${KEPT};`;

const CALLS = `
  INSERT INTO model_calls (id, task, owner, effect, at, contract, model, duration_ms, outcome, fault, usage, prompt_chars,
      answer_chars, structured_output, body, system)
    SELECT id, task, owner, effect_number(effect_id), at, facts ->> 'contract', facts ->> 'model', facts ->> 'duration_ms',
      facts ->> 'outcome', facts ->> 'fault', facts ->> 'usage', facts ->> 'prompt_chars', facts ->> 'answer_chars',
      facts ->> 'structured_output', body, system
    FROM old.model_calls WHERE task IN (SELECT id FROM tasks)`;

const columnsOf = (db: Database.Database, table: string): string =>
  db
    .prepare<[], { name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name)
    .join();

/** The task that the machine makes of its entries. */
interface Refolded {
  /** The state at the snapshot's seq. */
  readonly snapshot: Step | null;
  /** By entry: the effects that it asks for, where an id in them is another than the old machine's. */
  readonly effects: ReadonlyMap<number, string>;
}

/** True where two lists of effects are the same work; the item that it is for may have another id. */
const isSameWork = (made: readonly Effect[], recorded: readonly Effect[]): boolean =>
  isSameJson(
    ...([made, recorded].map((effects) =>
      effects.map(({ params, ...effect }) => ({ ...effect, params: { ...params, item_id: null } })),
    ) as [unknown, unknown]),
  );

/** Folds a task's entries; null where this machine makes something else of one. */
const refolded = (entries: Iterable<OldEntry>, snapshotSeq: number | null): Refolded | null => {
  let current: Step | null = null;
  let snapshot: Step | null = null;
  const effects = new Map<number, string>();
  try {
    for (const entry of entries) {
      const schema = current === null ? TaskOpened : TaskEvent;
      current = foldEvent(current?.task ?? null, schema.parse(JSON.parse(entry.event)));
      const recorded = entry.effects === null ? [] : Effect.array().parse(JSON.parse(entry.effects));
      const { state, step_count } = entry;
      if (!isSameWork(current.effects, recorded)) return null;
      if (disagreement(current, { state, step_count, effects: current.effects }) !== null) return null;
      if (!isSameJson(current.effects, recorded)) effects.set(entry.id, JSON.stringify(current.effects));
      if (entry.seq === snapshotSeq) snapshot = current;
    }
  } catch {
    return null;
  }
  return { snapshot, effects };
};

/**
 * Histories that this machine folds alike become its own, so that they replay. Of the others each keeps its old machine: when such a task
 * is loaded it is paused, and says why (SPEC 6, machine_changed).
 */
const adoptHistories = (db: Database.Database): void => {
  const tasks = db.prepare<[], OldTask>(
    'SELECT id, session, (SELECT seq FROM snapshots WHERE task = tasks.id) AS snapshot_seq FROM tasks',
  );
  const entries = db.prepare<[number, number], OldEntry>(
    'SELECT id, seq, state, step_count, event, effects FROM entries WHERE session = ? AND task = ? ORDER BY seq',
  );
  const adopt = db.prepare(`UPDATE entries SET machine = ${NEW_MACHINE} WHERE session = ? AND task = ?`);
  const correct = db.prepare('UPDATE entries SET effects = ? WHERE id = ?');
  const save = db.prepare(`UPDATE snapshots SET machine = ${NEW_MACHINE}, body = ? WHERE task = ?`);
  for (const { id, session, snapshot_seq } of tasks.all()) {
    const found = refolded(entries.all(session, id), snapshot_seq);
    if (found === null) continue;
    adopt.run(session, id);
    for (const [entry, effects] of found.effects) correct.run(effects, entry);
    if (found.snapshot !== null) save.run(JSON.stringify(TaskSnapshot.parse(found.snapshot.task)), id);
  }
  db.exec(`UPDATE entries SET machine = ${NEW_MACHINE} WHERE task IS NULL`);
};

const copyInto = (db: Database.Database, path: string): void => {
  db.prepare('ATTACH ? AS old').run(path);
  db.function('effect_number', (id) => (id === null ? null : effectNumber(id)));
  db.function('new_event', (text) => newEvent(String(text)));
  db.function('new_effects', (text) => newEffects(text as string | null));
  db.function('new_view', (text) => newTaskView(text as string | null));
  db.function('new_reply', (text) => newReply(text as string | null));
  db.function('new_options', newOptions);
  db.function('new_snapshot', (text) => newSnapshot(String(text)));
  db.transaction(() => {
    db.exec(COPIES);
    for (const table of SAME) {
      const columns = columnsOf(db, table);
      db.exec(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM old.${table}`);
    }
    db.exec(CALLS);
    adoptHistories(db);
  })();
};

/**
 * Brings the database of version 27 at `path` to the version of `schema`, with all that waits in it: open questions, approvals, pauses and
 * effects go on. The new file takes the old one's place at once, when it is whole on the disk; the old one stays beside it as
 * `{path}.27`. To be called by the holder of the data folder alone, before the database is opened.
 */
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
  rmSync(kept, { force: true });
  try {
    linkSync(path, kept);
  } catch {
    copyFileSync(path, kept);
  }
  renameSync(written, path);
  syncPath(dirname(path));
};
