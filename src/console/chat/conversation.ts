import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { SessionView } from '../../../contracts/http.ts';
import type { SessionMessage } from '../../../contracts/stream.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import type { StreamState } from '../api/event-stream.ts';
import { ApiProblem } from '../api/request.ts';
import { createGathered, listsChanged } from '../api/resource.ts';
import { getSession, listTurns } from '../api/routes.ts';
import { listSessionTrace } from '../api/service-routes.ts';
import { openSession, takeFeed } from '../api/session-feed.ts';
import { createOutgoing, type Outgoing } from './outgoing.ts';
import { createSteps, readPast, type Steps } from './steps.ts';

/** The actions that a session allows now. */
export interface Situation {
  /** Effect of an input: it opens a task, answers a question, or comes while a task runs. */
  mode: 'goal' | 'answer' | 'busy';
  /** The turn whose question or approval is open. */
  asking: TurnView | null;
  /** The task that can be stopped. */
  stoppable: string | null;
  isPaused: boolean;
}

/** The newest turn that a task has taken up: one that waits in the queue says nothing yet. */
export const lastTaken = (turns: readonly TurnView[]): TurnView | undefined =>
  turns.findLast(({ kind, status }) => kind !== 'command' && status !== 'queued');

/** The session's situation, from its newest task turn and its active task. */
export const situationOf = (turns: readonly TurnView[], active: TaskView | null): Situation => {
  const last = lastTaken(turns);
  const asking = active?.state === 'awaiting_user' && last?.status === 'asking' ? last : null;
  const isOpen = turns.some(({ finished_at }) => finished_at === null);
  const isPaused = !isOpen && last?.status === 'paused' && last.task_id === (active?.id ?? last.task_id);
  const stoppable = active !== null && active.state !== 'paused' ? active.id : null;
  return { mode: asking !== null ? 'answer' : isOpen ? 'busy' : 'goal', asking, stoppable, isPaused };
};

/** The turns as they stood at a time, in epoch milliseconds: those that had come, without the replies that had not. Null: as they are. */
export const turnsUntil = (turns: readonly TurnView[], until: number | null): readonly TurnView[] => {
  if (until === null) return turns;
  return turns
    .filter(({ created_at }) => Date.parse(created_at) <= until)
    .map((turn): TurnView => {
      const isOpen = turn.finished_at === null || Date.parse(turn.finished_at) > until;
      return isOpen ? { ...turn, status: 'running', output: null, finished_at: null } : turn;
    });
};

/** The known turns with a newer page, which has the newest one first. */
export const withPage = (known: readonly TurnView[], page: readonly TurnView[]): TurnView[] => {
  const ids = new Set(page.map(({ id }) => id));
  return [...known.filter(({ id }) => !ids.has(id)), ...page.toReversed()];
};

/** Turns that are loaded at once. */
const PAGE = 30;

/** How often a session with an open turn is asked for besides, in milliseconds: a command leaves no entry that the stream could tell of. */
const OPEN_MS = 2_000;

/** A session's conversation as far as it is loaded. */
export interface Conversation {
  /** `new`: nothing was said yet. */
  readonly state: ReadonlySignal<'loading' | 'new' | 'ready'>;
  /** Why it could not be loaded; null: it could. */
  readonly error: ReadonlySignal<unknown>;
  readonly session: ReadonlySignal<SessionView | null>;
  /** Oldest first. */
  readonly turns: ReadonlySignal<readonly TurnView[]>;
  /** Goals on a schedule that were skipped lately. */
  readonly skipped: ReadonlySignal<readonly SkippedGoal[]>;
  readonly hasEarlier: ReadonlySignal<boolean>;
  loadEarlier(): Promise<void>;
  readonly stream: ReadonlySignal<StreamState>;
  /** The turn that is carried out now, and its lines so far. */
  readonly running: ReadonlySignal<{ turn: string; steps: Steps } | null>;
  readonly outgoing: Outgoing;
  refresh(): void;
  close(): void;
}

type GoalDue = Extract<TraceEntry['event'], { type: 'goal.due' }>;

/** A goal on a schedule that was skipped. */
type SkippedGoal = GoalDue & Pick<TraceEntry, 'seq' | 'at'>;

const skippedIn = (entries: readonly TraceEntry[]): SkippedGoal[] =>
  entries.flatMap(({ seq, at, event }) =>
    event.type === 'goal.due' && event.skipped !== undefined ? [{ ...event, seq, at }] : [],
  );

/** The skipped goals that are shown behind a turn: those until the next one came. */
export const skippedBehind = <Goal extends Pick<SkippedGoal, 'at'>>(
  skipped: readonly Goal[],
  { created_at }: Pick<TurnView, 'created_at'>,
  next: Pick<TurnView, 'created_at'> | undefined,
): Goal[] => skipped.filter(({ at }) => at >= created_at && (next === undefined || at < next.created_at));

/** The entries before now in which skipped goals are looked for. */
const ENTRIES_READ = 500;

const isOpen = ({ finished_at }: TurnView): boolean => finished_at === null;

/** Opens a session's conversation and keeps it up to date until it is closed. */
export const openConversation = (name: string): Conversation => {
  const state = signal<'loading' | 'new' | 'ready'>('loading');
  const error = signal<unknown>(null);
  const session = signal<SessionView | null>(null);
  const turns = signal<readonly TurnView[]>([]);
  const skipped = signal<readonly SkippedGoal[]>([]);
  const earlier = signal<string | null>(null);
  const running = signal<{ turn: string; steps: Steps } | null>(null);
  const closed = new AbortController();
  const { feed, release } = takeFeed(name);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;
  let isStale = false;

  const addSkipped = (entries: readonly TraceEntry[]): void => {
    const known = new Set(skipped.peek().map(({ seq }) => seq));
    const missed = skippedIn(entries).filter(({ seq }) => !known.has(seq));
    if (missed.length > 0) skipped.value = [...skipped.peek(), ...missed];
  };

  /** The lines of the turn that runs: those from before now are read, the others come with the feed. */
  const followRunning = (): void => {
    const turn = turns.peek().find(({ status }) => status === 'running');
    if (turn === undefined) running.value = null;
    else if (running.peek()?.turn !== turn.id) {
      const steps = createSteps(turn.task_id);
      running.value = { turn: turn.id, steps };
      readPast(turn.id, steps, closed.signal).catch(() => {});
    }
  };

  const load = async (): Promise<void> => {
    try {
      const [view, page] = await Promise.all([
        getSession(name),
        listTurns(name, { limit: PAGE, signal: closed.signal }),
      ]);
      batch(() => {
        if (state.peek() !== 'ready') {
          earlier.value = page.next;
          listSessionTrace(name, Math.max(0, view.last_seq - ENTRIES_READ), closed.signal).then(addSkipped, () => {});
        }
        session.value = view;
        if (!closed.signal.aborted) openSession.value = view;
        turns.value = withPage(turns.peek(), page.turns);
        state.value = 'ready';
        error.value = null;
        followRunning();
      });
      feed.revive();
    } catch (thrown) {
      if (closed.signal.aborted) return;
      if (thrown instanceof ApiProblem && thrown.status === 404) openSession.value = null;
      if (thrown instanceof ApiProblem && thrown.status === 404) state.value = 'new';
      else error.value = thrown;
    }
  };

  const refresh = async (): Promise<void> => {
    isStale = true;
    if (isLoading) return;
    isLoading = true;
    while (isStale && !closed.signal.aborted) {
      isStale = false;
      await load();
    }
    isLoading = false;
    clearTimeout(timer);
    const mustAskAgain = error.peek() !== null || turns.peek().some(isOpen);
    if (mustAskAgain && !closed.signal.aborted) timer = setTimeout(refreshSeen, OPEN_MS);
  };
  // A page that is not seen asks for nothing of its own.
  const refreshSeen = (): void => {
    if (document.visibilityState === 'visible') void refresh();
  };
  document.addEventListener('visibilitychange', refreshSeen);
  const refreshes = createGathered(refresh);

  const stopListening = feed.listen((messages: readonly SessionMessage[]) => {
    running.peek()?.steps.take(messages);
    if (messages.some(({ event }) => event === 'trace')) refreshes.changed();
    addSkipped(messages.flatMap((message) => (message.event === 'trace' ? message.data : [])));
    if (messages.some(({ event }) => event === 'state')) listsChanged();
  });
  const stopForgetting = feed.state.subscribe((now) => {
    if (now !== 'live') running.peek()?.steps.forget();
  });
  const outgoing = createOutgoing(name, () => void refresh());
  void refresh();

  return {
    ...{ state, error, session, turns, skipped, running, outgoing },
    stream: feed.state,
    hasEarlier: computed(() => earlier.value !== null),
    loadEarlier: async () => {
      const page = await listTurns(name, { limit: PAGE, cursor: earlier.peek(), signal: closed.signal });
      const known = turns.peek();
      batch(() => {
        turns.value = [...page.turns.toReversed().filter(({ id }) => !known.some((turn) => turn.id === id)), ...known];
        earlier.value = page.next;
      });
    },
    refresh: () => void refresh(),
    close: () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', refreshSeen);
      refreshes.stop();
      closed.abort();
      stopListening();
      stopForgetting();
      outgoing.stop();
      release();
    },
  };
};
