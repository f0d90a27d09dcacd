// XState v5 by hand: only initialTransition() and transition(), one appended row for each effect, a snapshot every 64.
// A cold session is its latest snapshot and the events after it. Variants: full, normal; with -group, sessions share
// commits.

import { assign, initialTransition, type SnapshotFrom, setup, transition } from 'xstate';
import { perform } from './effects.ts';
import { durabilityOf, type EventLog, openEventLog } from './event-log.ts';
import { type Peer, serve, versionOf } from './harness.ts';
import { apply, CANONICAL, initial, type Outcome, type PastTask, type Shape, type State } from './workload.ts';

const SNAPSHOT_EVERY = 64;

/**
 * transition() runs the context factory without input at every call, so it must not throw: that costs more than the
 * rest.
 */
const EMPTY = initial('', CANONICAL);

interface TaskEvent {
  type: 'PLAN' | 'THOUGHT' | 'TOOL' | 'ASK' | 'REPLAN';
  outcome: Outcome;
}

const machine = setup({
  types: {
    context: {} as State,
    events: {} as TaskEvent,
    input: {} as { goal: string; shape: Shape; history: PastTask[] },
  },
  actions: {
    record: assign(({ context, event }) => apply(context, event.outcome)),
    /** Names the effect that the caller performs; transition() never runs it. */
    effect: () => {},
  },
  guards: {
    wantsTool: ({ event: { outcome } }) => outcome.kind === 'thought' && outcome.value.decision === 'continue',
    asks: ({ event: { outcome } }) => outcome.kind === 'thought' && outcome.value.decision === 'ask',
    hasMore: ({ event: { outcome } }) => outcome.kind === 'replan' && outcome.value.decision === 'replanned',
  },
}).createMachine({
  context: ({ input }) => (input === undefined ? EMPTY : initial(input.goal, input.shape, input.history)),
  initial: 'planning',
  states: {
    planning: { entry: 'effect', on: { PLAN: { target: 'working', actions: 'record' } } },
    working: {
      initial: 'thinking',
      states: {
        thinking: {
          entry: 'effect',
          on: {
            THOUGHT: [
              { guard: 'wantsTool', target: 'acting', actions: 'record' },
              { guard: 'asks', target: 'asking', actions: 'record' },
              { target: '#replanning', actions: 'record' },
            ],
          },
        },
        acting: { entry: 'effect', on: { TOOL: { target: 'thinking', actions: 'record' } } },
        asking: { on: { ASK: { target: 'thinking', actions: 'record' } } },
      },
    },
    replanning: {
      id: 'replanning',
      entry: 'effect',
      on: {
        REPLAN: [
          { guard: 'hasMore', target: 'working', actions: 'record' },
          { target: 'done', actions: 'record' },
        ],
      },
    },
    done: { type: 'final' },
  },
});

type Snapshot = SnapshotFrom<typeof machine>;

interface Session {
  id: number;
  seq: number;
  snapshot: Snapshot | null;
}

let log: EventLog;
let durability = '';
const live = new Map<string, Session>();

const step = (snapshot: Snapshot, outcome: Outcome): Snapshot =>
  transition(machine, snapshot, { type: outcome.kind.toUpperCase() as TaskEvent['type'], outcome })[0];

const begin = (session: Session, goal: string, shape: Shape): Snapshot =>
  initialTransition(machine, { goal, shape, history: session.snapshot?.context.history ?? [] })[0];

const store = (session: Session, kind: string, value: unknown, next: Snapshot): Promise<void> | undefined => {
  const seq = session.seq++;
  const body = JSON.stringify({ v: 1, at: Date.now(), usage: { input_tokens: 812, output_tokens: 77 }, value });
  const isDue = seq % SNAPSHOT_EVERY === SNAPSHOT_EVERY - 1;
  const snapshot = isDue ? JSON.stringify(machine.getPersistedSnapshot(next)) : undefined;
  return log.append(session.id, { seq, kind, body }, snapshot);
};

const take = async (session: Session, outcome: Outcome): Promise<void> => {
  const next = step(session.snapshot!, outcome);
  await store(session, outcome.kind, outcome.value, next);
  session.snapshot = next;
};

const drive = async (session: Session): Promise<State> => {
  while (session.snapshot!.status === 'active' && !session.snapshot!.matches({ working: 'asking' }))
    await take(session, await perform(session.snapshot!.context));
  return session.snapshot!.context;
};

const load = (name: string): Session => {
  const session: Session = { id: log.session(name), seq: 0, snapshot: null };
  const latest = log.latest(session.id);
  if (latest !== undefined) {
    session.snapshot = machine.resolveState(JSON.parse(latest.body)) as Snapshot;
    session.seq = latest.seq + 1;
  }
  for (const { seq, kind, body } of log.read(session.id, latest?.seq)) {
    const { value } = JSON.parse(body) as { value: unknown };
    if (kind === 'task') {
      const { goal, shape } = value as { goal: string; shape: Shape };
      session.snapshot = begin(session, goal, shape);
    } else session.snapshot = step(session.snapshot!, { kind, value } as Outcome);
    session.seq = seq + 1;
  }
  return session;
};

const peer: Peer = {
  about: () => ({ versions: `${versionOf('xstate')} ${versionOf('better-sqlite3')}`, durability }),
  async open(dir, variant) {
    durability = durabilityOf(variant);
    log = openEventLog(dir, variant);
  },
  async close() {
    log.close();
  },
  async task(name, _, goal, shape) {
    const session = live.get(name) ?? load(name);
    const first = begin(session, goal, shape);
    await store(session, 'task', { goal, shape }, first);
    session.snapshot = first;
    if (name === 'conversation') live.set(name, session);
    return drive(session);
  },
  async answer(name, text) {
    const session = load(name);
    await take(session, { kind: 'ask', value: text });
    return drive(session);
  },
  recover: async (name) => drive(load(name)),
  bytes: async () => log.bytes(),
};

await serve(import.meta, peer);
