import { SessionEvent } from '../../../contracts/event.ts';
import type { TaskState } from '../../../contracts/task.ts';
import { CONVERSATION_TURNS_MAX, type Conversation } from '../../../contracts/task.ts';
import { conversationOf } from '../../../machines/context.ts';
import { foldTask, type StoredEntry } from '../../engine/fold-task.ts';
import type { LoadedTask, Need, OpenTurn, SessionImage, TaskStatus } from '../../engine/session-image.ts';
import type { EntryRow, SessionRow, TaskRow, TurnRow } from './rows.ts';
import type { Reads, TraceReads } from './statements.ts';

/** Entries read at a time while folding: the longest ones are 100 KB each, and they are read in one turn of the event loop. */
const PAGE = 16;

/** Pages through a task's entries with a greater seq. */
export function* taskEntries(reads: TraceReads, row: TaskRow, after: number): Generator<EntryRow> {
  for (let from = after; ; ) {
    const page = reads.taskEntriesAfter.all(row.session, from, row.id, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    from = last.seq;
  }
}

const statusOf = ({ task_id, state, touched_at_seq }: TaskRow): TaskStatus => ({
  task_id,
  state: state as TaskState | 'running',
  touched_at_seq,
});

/** Folds a task from its rows, as they are now: what is stored while a long history is folded is none of it. */
export const loadTask = (reads: Reads, row: TaskRow): Promise<LoadedTask> => {
  const until = reads.lastEntry.get(row.session)?.seq ?? 0;
  const effects = reads.lastEffects.get(row.session, row.id)?.effects ?? null;
  return foldTask({
    status: statusOf(row),
    begins: row.attempts,
    begun_effect: row.attempted_effect === null ? null : Number(row.attempted_effect),
    snapshot: reads.snapshot.get(row.id) ?? null,
    *entriesAfter(seq): Generator<StoredEntry> {
      for (const entry of taskEntries(reads, row, seq ?? row.first_seq - 1)) {
        if (entry.seq > until) return;
        yield entry;
      }
    },
    lastEffects: () => effects,
  });
};

const flagOf = (column: number | null): boolean | undefined => (column === null ? undefined : column === 1);

const openTurn = ({ turn_id, task_id, kind, input, callback_url, created_at, ...flags }: TurnRow): OpenTurn => ({
  turn_id,
  task_id,
  kind,
  input,
  confirm_plan: flagOf(flags.confirm_plan),
  planning: flagOf(flags.planning),
  conversation: flagOf(flags.conversation),
  callback_url: callback_url ?? undefined,
  created_at,
});

/** The conversation that a forked session begins with, as its first entry has it. */
const conversationBefore = (reads: Reads, session: number): Conversation => {
  const first = reads.entriesAfter.get(session, 0, 1);
  const event = first === undefined ? null : SessionEvent.safeParse(JSON.parse(first.event)).data;
  return event?.type === 'session.forked' ? (event.conversation ?? []) : [];
};

/** Loads a stored session: its active task folded, its unfinished turns, and which task was paused last. Changes nothing. */
export const loadSession = async (reads: Reads, row: SessionRow): Promise<SessionImage> => {
  const { id, owner, session_id, timezone, created_at, updated_at, turn_count } = row;
  const is_fork = row.copied_bytes > 0;
  const last = reads.lastEntry.get(id);
  const recent = reads.recentTask.get(id);
  const activeRow = reads.activeTask.get({ session: id });
  const answered = reads.lastAnswered.all(id, id, CONVERSATION_TURNS_MAX);
  const isForked = is_fork && answered.length < CONVERSATION_TURNS_MAX;
  const before = isForked ? conversationBefore(reads, id) : [];
  const lastPaused = reads.lastPaused.get({ session: id })?.task_id ?? null;
  const turns = reads.openTurns.all(id).map(openTurn);
  const loaded = activeRow === undefined ? null : await loadTask(reads, activeRow);
  return {
    session: { id, owner, session_id, timezone, created_at, updated_at, turn_count, is_fork },
    isStored: true,
    seq: last?.seq ?? 0,
    used_at: Math.max(updated_at, last?.at ?? 0),
    active:
      loaded === null
        ? null
        : {
            task: loaded.task,
            isRetryAfterCrash: loaded.open !== null,
            begins: loaded.begins,
            isBegun: loaded.open === null,
            unsnapped: loaded.unsnapped,
            isSnapped: true,
          },
    open: loaded?.open ?? null,
    recent: recent === undefined ? null : statusOf(recent),
    lastPaused,
    conversation: conversationOf([...before, ...answered.toReversed()]),
    turns,
    loaded: new Map(loaded === null || loaded.divergence === null ? [] : [[loaded.status.task_id, loaded]]),
  };
};

/** The image with what a decision needed. */
export const supplyNeed = async (reads: Reads, image: SessionImage, need: Need): Promise<SessionImage> => {
  const { id } = image.session;
  if (need.kind === 'last_paused')
    return { ...image, lastPaused: reads.lastPaused.get({ session: id })?.task_id ?? null };
  const row = reads.taskByName.get(need.task_id);
  const task = row?.session === id ? await loadTask(reads, row) : null;
  return { ...image, loaded: new Map([...image.loaded, [need.task_id, task]]) };
};
