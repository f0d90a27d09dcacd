import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { SessionView } from '../../../contracts/http.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { nullIf, path, request } from '../api/request.ts';
import { createResource, type Loaded, listsChanged, poll } from '../api/resource.ts';
import { getSession, readTrace } from '../api/routes.ts';
import { feedOf, openSession, type SessionFeed } from '../api/session-feed.ts';
import { idle } from '../state/late.ts';
import { type Outgoing, outgoingOf } from './outgoing.ts';
import { createTurnEntries, readPast, type TurnEntries } from './turn-entries.ts';

/** The inputs that a session allows now. */
export interface Situation {
  /**
   * The effect of an input: opens a task, answers a question, changes a plan, refuses an action, or arrives while a task
   * runs.
   */
  mode: 'goal' | 'answer' | 'change' | 'busy' | 'refuse';
  /** The turn whose question or approval is open. */
  asking: TurnView | null;
  active: TaskView | null;
  isPaused: boolean;
}

/** The newest turn that a task has taken up. A queued turn has no effect yet. */
export const lastTaken = (turns: readonly TurnView[]): TurnView | undefined =>
  turns.findLast(({ kind, status }) => kind !== 'command' && status !== 'queued');

/** The session's situation, from its newest task turn and its active task. */
export const situationOf = (turns: readonly TurnView[], active: TaskView | null): Situation => {
  const last = lastTaken(turns);
  const asking = active?.state === 'awaiting_user' && last?.status === 'asking' ? last : null;
  const isOpen = turns.some(({ finished_at }) => finished_at === null);
  const isPaused = !isOpen && last?.status === 'paused' && last.task_id === (active?.id ?? last.task_id);
  const toQuestion = active?.question_about === 'confirm_plan' ? 'change' : 'answer';
  const answer = asking?.approval == null ? toQuestion : 'refuse';
  return { mode: asking !== null ? answer : isOpen ? 'busy' : 'goal', asking, active, isPaused };
};

/**
 * The turns in their state at a time, in epoch milliseconds: those that had arrived, with the replies given by then.
 * Null: the current state.
 */
export const turnsUntil = (turns: readonly TurnView[], until: number | null): readonly TurnView[] => {
  if (until === null) return turns;
  return turns
    .filter(({ created_at }) => Date.parse(created_at) <= until)
    .map((turn): TurnView => {
      const isOpen = turn.finished_at === null || Date.parse(turn.finished_at) > until;
      return isOpen ? { ...turn, status: 'running', output: null, finished_at: null } : turn;
    });
};

/** The turn that asked about the action that a turn decides, by the deciding turn's id; turns are in order. */
export const askedByDecisions = (turns: readonly TurnView[]): ReadonlyMap<string, TurnView> => {
  const asked = new Map<string, TurnView>();
  const open = new Map<string | null, TurnView>();
  for (const turn of turns) {
    const { id, task_id, decision, approval } = turn;
    const before = open.get(task_id);
    if (decision !== undefined && before !== undefined) {
      asked.set(id, before);
      open.delete(task_id);
    }
    if (approval !== null) open.set(task_id, turn);
  }
  return asked;
};

/** The known turns merged with a newer page, newest first. */
export const withPage = (known: readonly TurnView[], page: readonly TurnView[]): TurnView[] => {
  const ids = new Set(page.map(({ id }) => id));
  return [...known.filter(({ id }) => !ids.has(id)), ...page.toReversed()];
};

/** Turns loaded at once. */
const PAGE = 30;

/** How often a session with an open turn is polled, in milliseconds: a command leaves no entry on the stream. */
const OPEN_MS = 2_000;

/**
 * How long the past of a running turn is read, in milliseconds. Its stream continues, but later messages also come by
 * the session's feed.
 */
const PAST_MS = 3_000;

/** The turn that runs, and its entries so far. */
export interface RunningTurn {
  turn: string;
  progress: TurnEntries;
}

/** A session's conversation as far as it is loaded. */
export interface Conversation {
  /** The session's name. */
  readonly name: string;
  /** The session; null: nothing was said yet. */
  readonly session: ReadonlySignal<Loaded<SessionView | null>>;
  /** Oldest first. */
  readonly turns: ReadonlySignal<readonly TurnView[]>;
  readonly situation: ReadonlySignal<Situation>;
  /** Scheduled goals that were skipped recently. */
  readonly skipped: ReadonlySignal<readonly SkippedGoal[]>;
  readonly hasEarlier: ReadonlySignal<boolean>;
  loadEarlier(): Promise<void>;
  readonly feed: SessionFeed;
  /** The running turn, and its entries so far. */
  readonly running: ReadonlySignal<RunningTurn | null>;
  readonly outgoing: Outgoing;
  reload(): void;
  /** A turn was rated: shows it so, here and in the list. */
  rated(turn: TurnView): void;
  /** Loads it, and keeps it up to date until the returned function is called. */
  follow(): () => void;
}

type GoalDue = Extract<TraceEntry['event'], { type: 'goal.due' }>;

/** A scheduled goal that was skipped. */
type SkippedGoal = GoalDue & Pick<TraceEntry, 'seq' | 'at'>;

/** The skipped goals that are shown after a turn: those before the next turn. */
export const skippedBehind = <Goal extends Pick<SkippedGoal, 'at'>>(
  skipped: readonly Goal[],
  { created_at }: Pick<TurnView, 'created_at'>,
  next: Pick<TurnView, 'created_at'> | undefined,
): Goal[] => skipped.filter(({ at }) => at >= created_at && (next === undefined || at < next.created_at));

/** Number of recent entries that are searched for skipped goals. */
const ENTRIES_READ = 500;

interface TurnPage {
  turns: TurnView[];
  next: string | null;
}

/** Opens a session's conversation. */
export const openConversation = (name: string): Conversation => {
  const turns = signal<readonly TurnView[]>([]);
  const skipped = signal<readonly SkippedGoal[]>([]);
  const earlier = signal<string | null>(null);
  const running = signal<RunningTurn | null>(null);
  const closed = new AbortController();
  const feed = feedOf(name);
  const outgoing = outgoingOf(name);

  const addSkipped = (entries: readonly TraceEntry[]): void => {
    for (const { seq, at, event } of entries)
      if (event.type === 'goal.due' && event.skipped !== undefined && !skipped.peek().some((goal) => goal.seq === seq))
        skipped.value = [...skipped.peek(), { ...event, seq, at }];
  };

  /** The entries of the running turn: earlier ones are read, later ones come with the feed. */
  const followRunning = (): void => {
    const turn = turns.peek().find(({ status }) => status === 'running');
    if (turn === undefined) running.value = null;
    else if (running.peek()?.turn !== turn.id) {
      const progress = createTurnEntries(turn.task_id);
      running.value = { turn: turn.id, progress };
      readPast(turn.id, progress, AbortSignal.any([closed.signal, AbortSignal.timeout(PAST_MS)])).catch(() => {});
    }
  };

  /** Looks for skipped goals in the entries after one, once the conversation is there: few sessions have any. */
  const readSkipped = async (after: number): Promise<void> => {
    await idle();
    addSkipped(await readTrace(path`/v1/sessions/${name}/trace`, { query: { after }, signal: closed.signal }));
  };

  /** The newest turns, or those before a page, newest first. */
  const readTurns = (cursor: string | null, signal: AbortSignal) =>
    request<TurnPage>(path`/v1/sessions/${name}/turns`, { query: { limit: PAGE, cursor }, signal });
  const take = (view: SessionView, page: TurnPage): void => {
    if (turns.peek().length === 0) {
      earlier.value = page.next;
      void readSkipped(Math.max(0, view.last_seq - ENTRIES_READ)).catch(() => {});
    }
    openSession.value = view;
    turns.value = withPage(turns.peek(), page.turns);
    followRunning();
  };
  const session = createResource(async (signal): Promise<SessionView | null> => {
    const found = await Promise.all([getSession(name), readTurns(null, signal)]).catch(nullIf(404));
    if (signal.aborted) return null;
    if (found === null) openSession.value = null;
    else {
      batch(() => take(...found));
      feed.revive();
    }
    return openSession.value;
  });

  const follow = (): (() => void) => {
    const isOpen = (): boolean =>
      session.loaded.peek().error !== null || turns.peek().some(({ finished_at }) => finished_at === null);
    const ends = [
      poll(session, OPEN_MS, () => document.visibilityState === 'visible' && isOpen()),
      feed.listen((messages) => {
        running.peek()?.progress.take(messages);
        if (messages.some(({ event }) => event === 'trace')) session.changed();
        addSkipped(messages.flatMap((message) => (message.event === 'trace' ? message.data : [])));
        if (messages.some(({ event }) => event === 'state')) listsChanged();
      }),
      // After an interruption the text of an answer comes again from its beginning.
      feed.state.subscribe((now) => {
        const progress = running.peek()?.progress;
        if (now !== 'live' && progress !== undefined) progress.written.value = '';
      }),
      outgoing.turns.subscribe(session.reload),
    ];
    return () => {
      closed.abort();
      for (const end of ends) end();
    };
  };

  return {
    name,
    session: session.loaded,
    turns,
    skipped,
    feed,
    running,
    outgoing,
    reload: session.reload,
    rated: (turn) => {
      turns.value = turns.peek().map((known) => (known.id === turn.id ? turn : known));
      // What is loading now may be from before.
      session.reload();
      listsChanged();
    },
    follow,
    situation: computed(() => situationOf(turns.value, session.loaded.value.value?.active_task ?? null)),
    hasEarlier: computed(() => earlier.value !== null),
    loadEarlier: async () => {
      const page = await readTurns(earlier.peek(), closed.signal);
      batch(() => {
        turns.value = withPage(page.turns.toReversed(), turns.peek().toReversed());
        earlier.value = page.next;
      });
    },
  };
};
