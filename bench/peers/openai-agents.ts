// The OpenAI Agents SDK with a SQLite session store. The SDK owns the tool loop and writes the session once per run, so what
// is durable at once is a run (the plan, one plan item, one replan) and not an effect: kill -9 loses the thoughts and tool
// results of the current item. The plan, which the SDK does not know, is stored by the application after each run.
// A session is one task, and earlier tasks go into the planner's input: with one session for the whole conversation each
// run reads, copies and compares every item of it. Variants: full, normal.

import { Agent, type AgentOutputItem, type Model, Runner, type Session, tool } from '@openai/agents';
import { z } from 'zod';
import { Plan, Replan } from './contracts.ts';
import { perform } from './effects.ts';
import { type Db, dbBytes, durabilityOf, openDb } from './event-log.ts';
import { type Peer, serve, versionOf } from './harness.ts';
import { apply, initial, type Outcome, type PastTask, type State } from './workload.ts';

/** A running task: the fake model and tools advance it; the SDK's loop decides when they are called. */
interface Task {
  state: State;
}

const advance = async (task: Task): Promise<Outcome> => {
  const outcome = await perform(task.state);
  task.state = apply(task.state, outcome);
  return outcome;
};

const outputOf = (outcome: Outcome, effects: number): AgentOutputItem => {
  if (outcome.kind === 'thought' && outcome.value.decision === 'continue') {
    const { name, args } = outcome.value.tool;
    const given = JSON.stringify({ thought: outcome.value.thought, ...args });
    return { type: 'function_call', callId: `c${effects}`, name, status: 'completed', arguments: given };
  }
  const content = [{ type: 'output_text' as const, text: JSON.stringify(outcome.value) }];
  return { type: 'message', id: `m${effects}`, role: 'assistant', status: 'completed', content };
};

const modelOf = (task: Task): Model => ({
  async getResponse() {
    const output = outputOf(await advance(task), task.state.effects);
    return { usage: { requests: 1, inputTokens: 812, outputTokens: 77, totalTokens: 889 } as never, output: [output] };
  },
  getStreamedResponse() {
    throw new Error('not streamed');
  },
});

const act = (name: string) =>
  tool({
    name,
    description: name,
    parameters: z.object({ thought: z.string(), query: z.string(), limit: z.string() }),
    execute: async (_, context) => String((await advance(context!.context as Task)).value),
  });

const Finished = z.object({
  decision: z.enum(['done', 'ask']),
  thought: z.string(),
  result: z.string().optional(),
  question: z.string().optional(),
});
const planner = new Agent<Task, typeof Plan>({ name: 'planner', instructions: 'Plan the task.', outputType: Plan });
const worker = new Agent<Task>({
  name: 'worker',
  instructions: 'Work on the item.',
  tools: [act('search'), act('read_file')],
});
const replanner = new Agent<Task>({ name: 'replanner', instructions: 'Replan.' });

/** The application's storage: the items of each session, and each task's state after its last run. */
const openStore = (db: Db) => {
  db.exec(`CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, session TEXT NOT NULL, item TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS by_session ON items (session);
    CREATE TABLE IF NOT EXISTS states (session TEXT PRIMARY KEY, state TEXT NOT NULL)`);
  const put = db.prepare('INSERT INTO items (session, item) VALUES (?, ?)');
  const putAll = db.transaction((session: string, items: object[]) => {
    for (const item of items) put.run(session, JSON.stringify(item));
  });
  const items = db.prepare<[string, number], { item: string }>(
    'SELECT item FROM items WHERE session = ? ORDER BY id DESC LIMIT ?',
  );
  const save = db.prepare('INSERT OR REPLACE INTO states VALUES (?, ?)');
  const state = db.prepare<[string], { state: string }>('SELECT state FROM states WHERE session = ?');
  const unused = async (): Promise<never> => {
    throw new Error('not used');
  };
  const session = (id: string): Session => ({
    getSessionId: async () => id,
    getItems: async (limit = -1) =>
      items
        .all(id, limit)
        .reverse()
        .map(({ item }) => JSON.parse(item)),
    addItems: async (added) => putAll(id, added),
    popItem: unused,
    clearSession: unused,
  });
  return {
    session,
    save: (id: string, current: State) => void save.run(id, JSON.stringify({ ...current, transcript: [] })),
    load: (id: string): State => JSON.parse(state.get(id)!.state) as State,
  };
};

let db: Db;
let store: ReturnType<typeof openStore>;
let durability = '';

const histories = new Map<string, PastTask[]>();

const drive = async (id: string, from: State): Promise<State> => {
  const task: Task = { state: from };
  const runner = new Runner({ model: modelOf(task), tracingDisabled: true });
  const options = { session: store.session(id), context: task, maxTurns: 10_000 };
  const said = async (agent: typeof worker, input: string): Promise<unknown> =>
    JSON.parse(String((await runner.run(agent, input, options)).finalOutput));
  while (task.state.next !== 'end' && task.state.next !== 'ask') {
    const { next, item, goal, history } = task.state;
    if (next === 'plan') await runner.run(planner, JSON.stringify([...history, { goal }]), options);
    else if (next === 'replan') Replan.parse(await said(replanner, `Replan after item ${item}.`));
    else Finished.parse(await said(worker, `Work on item ${item}.`));
    store.save(id, task.state);
  }
  return task.state;
};

const peer: Peer = {
  about: () => ({ versions: versionOf('@openai/agents'), durability }),
  async open(dir, variant) {
    durability = `once per run, not per effect; ${durabilityOf(variant)}`;
    db = openDb(dir, variant);
    store = openStore(db);
  },
  async close() {
    db.close();
  },
  async task(session, task, goal, shape) {
    const state = await drive(`${session}-${task}`, initial(goal, shape, histories.get(session)));
    if (session === 'conversation') histories.set(session, state.history);
    return state;
  },
  answer: (session, text) => drive(`${session}-1`, apply(store.load(`${session}-1`), { kind: 'ask', value: text })),
  recover: (session) => drive(`${session}-1`, store.load(`${session}-1`)),
  bytes: async (dir) => dbBytes(db, dir),
};

await serve(import.meta, peer);
