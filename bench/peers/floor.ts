// The floor: a hand-written loop with one appended row for each effect and its state in plain objects. No engine can
// cost less. Variants: full, normal; with -group, sessions share commits.

import { perform } from './effects.ts';
import { durabilityOf, type EventLog, openEventLog } from './event-log.ts';
import { type Peer, serve, versionOf } from './harness.ts';
import { apply, initial, type Outcome, type Shape, type State } from './workload.ts';

interface Session {
  id: number;
  seq: number;
  state: State | null;
}

let log: EventLog;
let durability = '';
const live = new Map<string, Session>();

const store = (session: Session, kind: string, value: unknown): Promise<void> | undefined => {
  const body = JSON.stringify({ v: 1, at: Date.now(), usage: { input_tokens: 812, output_tokens: 77 }, value });
  return log.append(session.id, { seq: session.seq++, kind, body });
};

const drive = async (session: Session): Promise<State> => {
  let state = session.state!;
  while (state.next !== 'end' && state.next !== 'ask') {
    const outcome = await perform(state);
    await store(session, outcome.kind, outcome.value);
    state = session.state = apply(state, outcome);
  }
  return state;
};

/** A session according to its rows. */
const load = (name: string): Session => {
  const session: Session = { id: log.session(name), seq: 0, state: null };
  for (const { seq, kind, body } of log.read(session.id)) {
    const { value } = JSON.parse(body) as { value: unknown };
    if (kind === 'task') {
      const { goal, shape } = value as { goal: string; shape: Shape };
      session.state = initial(goal, shape, session.state?.history);
    } else session.state = apply(session.state!, { kind, value } as Outcome);
    session.seq = seq + 1;
  }
  return session;
};

const peer: Peer = {
  about: () => ({ versions: versionOf('better-sqlite3'), durability }),
  async open(dir, variant) {
    durability = durabilityOf(variant);
    log = openEventLog(dir, variant);
  },
  async close() {
    log.close();
  },
  async task(name, _, goal, shape) {
    const session = live.get(name) ?? load(name);
    await store(session, 'task', { goal, shape });
    session.state = initial(goal, shape, session.state?.history);
    if (name === 'conversation') live.set(name, session);
    return drive(session);
  },
  async answer(name, text) {
    const session = load(name);
    await store(session, 'ask', text);
    session.state = apply(session.state!, { kind: 'ask', value: text });
    return drive(session);
  },
  recover: async (name) => drive(load(name)),
  bytes: async () => log.bytes(),
};

await serve(import.meta, peer);
