import type { ApprovalDecision } from '../../../contracts/event.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { formatEntry } from '../../../src/history/format.ts';
import type { Engine } from '../../../src/runtime/port.ts';
import type { SubmittedTurn } from '../../../src/session/image.ts';

/** A signal that never aborts. */
export const never = new AbortController().signal;

type More = Omit<SubmittedTurn, 'input' | 'owner' | 'session_id'>;

/** One session of an engine, as its user sees it. */
export interface TestSession {
  readonly owner: string;
  readonly session_id: string;
  /** Sends an input and waits until it is stored. */
  send(input: string, more?: More): Promise<TurnView>;
  /** Decides on the pending action, and waits for the reply. */
  decide(decision: ApprovalDecision, more?: More): Promise<TurnView>;
  /** Sends an input and waits for its reply. */
  ask(input: string, more?: More): Promise<TurnView>;
  reply(turn: TurnView): Promise<TurnView>;
  trace(after?: number): Promise<TraceEntry[]>;
  /** The types of the trace's events, in order. */
  events(): Promise<string[]>;
  /** The trace as prose, without parts that differ between runs. */
  prose(): Promise<string[]>;
  tasks(): Promise<TaskView[]>;
}

/** Uses one session of an engine. */
export const sessionOf = (engine: Engine, session_id = 's1', owner = 'local'): TestSession => {
  const session: TestSession = {
    owner,
    session_id,
    send: async (input, more = {}) => (await engine.submit({ owner, session_id, input, ...more })).turn,
    decide: (decision, more = {}) => session.ask('', { ...more, decision }),
    ask: async (input, more) => session.reply(await session.send(input, more)),
    reply: ({ id }) => engine.wait(owner, id, never),
    trace: (after = 0) => Array.fromAsync(engine.sessionTrace(owner, session_id, after)),
    events: async () => (await session.trace()).map(({ event }) => event.type),
    prose: async () => withoutIds(await session.trace()),
    tasks: async () => [...(await engine.tasks(owner, session_id, { limit: 500 })).items],
  };
  return session;
};

/** Names each task by its position in the trace, so that two runs of one history are equal. */
const withoutIds = (entries: TraceEntry[]): string[] => {
  const names = new Map<string, string>();
  for (const { task_id } of entries)
    if (task_id !== null && !names.has(task_id)) names.set(task_id, `task_${names.size + 1}`);
  return entries.map((entry) => {
    let prose = formatEntry(entry);
    for (const [id, name] of names) prose = prose.replaceAll(id, name);
    return prose;
  });
};
