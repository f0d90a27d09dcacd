import type { Logger } from 'pino';
import type { TaskView } from '../../../contracts/http.ts';
import type { TaskState } from '../../../contracts/task.ts';
import type { TaskTraceEntry, TraceEntry } from '../../../contracts/trace.ts';
import { isEnded } from '../../../machines/is-settled.ts';
import type { Task } from '../../../machines/step.ts';
import { MACHINE } from '../../../machines/task-machine.ts';
import type { Commands } from '../../commands/port.ts';
import { ServiceError } from '../../errors.ts';
import { storedTaskView, taskView } from '../../projections/task-view.ts';
import { performEffect, type World } from '../perform-effect.ts';
import type { AppendEvents, Engine } from '../port.ts';
import { cancelTask, type Opening } from '../take-input.ts';
import { createActors } from './actors.ts';
import { answerQuestions } from './answer-questions.ts';
import { createCallbacks } from './callbacks.ts';
import type { Committed } from './change.ts';
import { type CommitQueue, createCommitQueue } from './commit-queue.ts';
import type { OpenStore } from './database.ts';
import { createFork } from './fork.ts';
import { loadHead } from './load-head.ts';
import { loadTask, taskEntries } from './load-task.ts';
import { type PrunedSession, type PruneOptions, pruneSessions } from './prune.ts';
import { findOpenSessions, markClean } from './recover.ts';
import { createReplies } from './replies.ts';
import type { SessionRow, TaskRow } from './rows.ts';
import { createAppendEvents } from './session-events.ts';
import { createSessions } from './sessions.ts';
import { prepareStatements } from './statements.ts';
import { isStorageError, storageErrors } from './storage-errors.ts';
import { bodyHash, createSubmit } from './submit.ts';
import { sessionView, traceEntry, turnView } from './views.ts';
import { createWaiters } from './waiters.ts';
import { createZones } from './zones.ts';

/** Trace entries read from the store at a time: what a slow reader of events costs at most. */
const PAGE = 16;

/** How long a stopping service lets effects come to an outcome before it aborts them, in milliseconds. */
const GRACE_MS = 5_000;

/** What the embedded engine is built of; `app.ts` gives it. */
export interface SqliteEngineParts {
  store: OpenStore;
  world: World;
  opening: Opening;
  commands: Commands;
  hostTimezone: string;
  log: Logger;
  /** Posts to the `callback_url` of a turn; decides which addresses may be reached. */
  callBack(url: string, init: RequestInit): Promise<Response>;
  /** Makes the queue through which all writes of sessions go; the engine's own by default, another to watch or to hold them. */
  createCommits?(db: OpenStore['db'], isAlone: () => boolean): CommitQueue;
  /** Sees where a task stands after each commit, and again after a crash; its turns are answered when what this gives resolves. */
  onTaskMoved(row: SessionRow, task: Task, isAnswering: boolean): Promise<void> | null;
}

/** What the embedded engine can besides. */
export interface SqliteEngine extends Engine {
  appendEvents: AppendEvents;
  /** True for a task of this store, of whatever owner, that has ended for good. */
  hasEnded(taskId: string): boolean;
  /** A task's events alone, in order: what MISSION.md tells of. */
  taskEvents(taskId: string): Iterable<Pick<TaskTraceEntry, 'seq' | 'event'>>;
  /** Removes old sessions while the service runs; one that is at work, or whose events somebody follows, stays. */
  prune(options: PruneOptions): AsyncGenerator<PrunedSession[], void, undefined>;
}

/** Opens the embedded engine on an open store and goes on with all that the last process left open (SPEC 7). */
export const createSqliteEngine = (parts: SqliteEngineParts): SqliteEngine => {
  const { store, opening, log } = parts;
  const answer = answerQuestions(store.db);
  const world = { ...parts.world, answer };
  const statements = prepareStatements(store.db);
  statements.addMachine.run(MACHINE);
  const zones = createZones(statements);
  const machine = statements.machineId.get(MACHINE)!.id;
  const replies = createReplies();
  const entries = createWaiters<number>();
  const stopping = new AbortController();
  const storage = storageErrors(store.db);
  let isStopping = false;
  let isClosed = false;

  const callbacks = createCallbacks({
    statements,
    fetch: parts.callBack,
    held: replies.held,
    now: opening.now,
    log,
  });

  const onCommitted = (row: SessionRow, committed: Committed[], finished: string[]): void => {
    const last = committed.at(-1);
    const isAnswering = finished.length > 0;
    const isShown = last === undefined ? null : parts.onTaskMoved(row, last.task, isAnswering);
    entries.notify(row.id);
    if (isAnswering) replies.finish(finished, isShown, callbacks.look);
  };

  const commits = (parts.createCommits ?? createCommitQueue)(store.db, () => actors.busyCount() <= 1);
  const sessions = createSessions(statements, commits, opening.now);
  const actors = createActors({
    statements,
    sessions,
    zones,
    machine,
    opening,
    bodyHash: (turn) => (turn.idempotency_key === undefined ? null : bodyHash(turn)),
    performEffect: ({ id, owner, session_id }, effect, { task, isRecovered, begins }, signal) =>
      performEffect(world, effect, {
        owner,
        session_id,
        timezone: zones.of(id),
        task: task.context,
        isRecovered,
        begins,
        signal,
      }),
    isStorageError,
    onCommitted,
    onStorageError: (row, error) => {
      storage.note(error);
      log.error({ err: error, session_id: row.session_id }, 'a commit failed; trying again');
    },
  });
  const submit = createSubmit({ ...parts, answer, statements, sessions, zones, actors });
  const appendEvents = createAppendEvents({
    db: store.db,
    statements,
    machine,
    now: opening.now,
    appended: (row, seq) => {
      actors.peek(row)?.sawSeq(seq);
      entries.notify(row);
    },
  });
  const fork = createFork({ statements, sessions, zones, commits, actors, machine, opening, onCommitted });

  const sessionRow = (owner: string, sessionId: string): SessionRow => {
    const row = statements.sessionByName.get(owner, sessionId);
    if (row === undefined) throw new ServiceError('SESSION_NOT_FOUND', `There is no session "${sessionId}"`);
    return row;
  };
  const taskRow = (owner: string, taskId: string): TaskRow => {
    const row = statements.taskOfOwner.get(taskId, owner);
    if (row === undefined) throw new ServiceError('TASK_NOT_FOUND', 'There is no task of that id');
    return row;
  };
  const turn = async (owner: string, turnId: string) => {
    await replies.held(turnId);
    const row = statements.turnOfOwner.get(turnId, owner);
    if (row === undefined) throw new ServiceError('TURN_NOT_FOUND', 'There is no turn of that id');
    return turnView(row);
  };
  const viewTask = (row: TaskRow): TaskView => {
    if (row.view !== null) return storedTaskView(row.view);
    const active = actors.peek(row.session)?.head().active;
    return taskView(active?.task.context.task_id === row.task_id ? active.task : loadTask(statements, row).task);
  };
  const viewSession = (row: SessionRow) => {
    const head = actors.peek(row.id)?.head() ?? loadHead(statements, row).head;
    return sessionView(row, head, statements.queuedTurns.all(row.id));
  };
  const page = function* (row: SessionRow, after: number): Generator<TraceEntry> {
    for (let from = after; ; ) {
      const rows = statements.entriesAfter.all(row.id, from, PAGE);
      for (const entry of rows) yield traceEntry(entry, row.session_id);
      if (rows.length < PAGE) return;
      from = rows.at(-1)!.seq;
    }
  };

  const cancelled = (row: SessionRow, taskId: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (error: unknown): void => (error === null ? resolve() : reject(error));
      actors.of(row).request({ write: (change) => cancelTask(change, taskId), settle });
    });

  const left = findOpenSessions(store.db, statements);
  const broken = new Set<number>();
  const loading = (row: SessionRow, load: () => void): void => {
    if (broken.has(row.id)) return;
    try {
      load();
    } catch (error) {
      broken.add(row.id);
      log.error({ err: error, session_id: row.session_id }, 'a session can not be loaded and is left alone');
    }
  };
  // Once this engine is in its owner's hands, and before anybody can ask it.
  queueMicrotask(() => {
    if (!store.db.open) return;
    const shown: (Promise<void> | null)[] = [];
    for (const moved of left.moved) {
      const row = statements.sessionById.get(moved.session)!;
      loading(row, () => void shown.push(parts.onTaskMoved(row, loadTask(statements, moved).task, true)));
    }
    replies.hold(Promise.all(shown));
  });
  for (const row of left.sessions) loading(row, () => actors.of(row).wake());
  callbacks.look();

  const drain = async (graceMs = GRACE_MS): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    replies.dismiss();
    callbacks.stop();
    stopping.abort();
    await actors.stop(AbortSignal.timeout(graceMs));
  };

  return {
    submit: async (submitted) => {
      if (isStopping)
        throw new ServiceError('SHUTTING_DOWN', 'The service is stopping and takes no new turns; try again soon');
      const turnId = await storage.watch(() => submit(submitted));
      if (submitted.callback_url !== undefined) callbacks.look();
      return turn(submitted.owner, turnId);
    },
    wait: async (owner, turnId, signal) => {
      if (statements.turnEnd.get(turnId, owner)?.finished_at === null) {
        if (isStopping)
          throw new ServiceError('SHUTTING_DOWN', 'The service is stopping; ask for this turn after the restart');
        await replies.next(turnId, signal);
      }
      return turn(owner, turnId);
    },
    turn,
    sessions: (owner, limit) => statements.sessionsOf.all(owner, limit).map(viewSession),
    session: (owner, sessionId) => viewSession(sessionRow(owner, sessionId)),
    tasks: (owner, sessionId) => statements.tasksOf.all(sessionRow(owner, sessionId).id).map(viewTask),
    task: (owner, taskId) => viewTask(taskRow(owner, taskId)),
    cancel: async (owner, taskId) => {
      if (isStopping) throw new ServiceError('SHUTTING_DOWN', 'The service is stopping; try again soon');
      const row = taskRow(owner, taskId);
      if (isEnded(row.state as TaskState)) throw new ServiceError('TASK_FINISHED', `The task is ${row.state} already`);
      const session = statements.sessionById.get(row.session)!;
      await storage.watch(() => cancelled(session, taskId));
      return viewTask(taskRow(owner, taskId));
    },
    fork: async (owner, taskId, wanted) => {
      if (isStopping)
        throw new ServiceError('SHUTTING_DOWN', 'The service is stopping and takes no forks; try again soon');
      const row = taskRow(owner, taskId);
      return turn(owner, await storage.watch(() => fork(owner, row, wanted)));
    },
    sessionTrace: (owner, sessionId, after = 0) => page(sessionRow(owner, sessionId), after),
    taskTrace: function* (owner, taskId) {
      const row = taskRow(owner, taskId);
      const session = statements.sessionById.get(row.session)!;
      for (const entry of taskEntries(statements, row, row.first_seq - 1))
        yield traceEntry(entry, session.session_id) as TaskTraceEntry;
    },
    follow: async function* (owner, sessionId, after, signal) {
      const row = sessionRow(owner, sessionId);
      const ends = AbortSignal.any([signal, stopping.signal]);
      for (let seen = after; !ends.aborted; ) {
        const rows = statements.entriesAfter.all(row.id, seen, PAGE);
        for (const entry of rows) yield traceEntry(entry, sessionId);
        seen = rows.at(-1)?.seq ?? seen;
        if (rows.length === 0) await entries.next(row.id, ends).catch(() => {});
      }
    },
    isReady: () => !isStopping && storage.isWritable(),
    drain,
    close: async (graceMs) => {
      if (isClosed) return;
      isClosed = true;
      await drain(graceMs);
      try {
        await commits.commit(() => markClean(statements));
      } catch (error) {
        log.error({ err: error }, 'the end could not be written down; the next start will take it for a crash');
      } finally {
        store.close();
      }
    },
    prune: (options) => pruneSessions(store.db, options, (row) => !entries.isAwaited(row) && actors.release(row)),
    taskEvents: function* (taskId) {
      const row = statements.taskByName.get(taskId);
      if (row === undefined) return;
      for (const { seq, event } of statements.taskEvents.all(row.session, row.first_seq, row.id))
        yield { seq, event: JSON.parse(event) };
    },
    hasEnded: (taskId) => {
      const state = statements.taskByName.get(taskId)?.state;
      return state !== undefined && isEnded(state as TaskState);
    },
    appendEvents,
  };
};
