// LangGraph.js with its SQLite or PostgreSQL checkpointer: one node for each effect, durability "sync", so that each checkpoint is
// written before the next node starts. Variants: normal (the SQLite saver's own setting), full (its database with
// synchronous=FULL), postgres.

import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';
import type { BaseCheckpointSaver } from '@langchain/langgraph-checkpoint';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { perform } from './effects.ts';
import { type Db, dbBytes, durabilityOf, openDb } from './event-log.ts';
import { type Peer, serve, versionOf } from './harness.ts';
import { connectPostgres, type Postgres } from './postgres.ts';
import { type Delta, delta, initial, type Shape, type State, type TranscriptEntry } from './workload.ts';

const last = <T>() => Annotation<T>({ reducer: (_, next) => next, default: () => null as T });

const Graph = Annotation.Root({
  goal: last<string>(),
  shape: last<Shape>(),
  history: last<State['history']>(),
  next: last<State['next']>(),
  plan: last<State['plan']>(),
  item: last<number>(),
  round: last<number>(),
  asked: last<boolean>(),
  tool: last<State['tool']>(),
  question: last<string | null>(),
  answer: last<string | null>(),
  transcript: Annotation<TranscriptEntry[], TranscriptEntry[] | null>({
    reducer: (entries, more) => (more === null ? [] : entries.concat(more)),
    default: () => [],
  }),
  results: last<string[]>(),
  effects: last<number>(),
});
type GraphState = typeof Graph.State;

const update = ({ append, ...rest }: Delta): typeof Graph.Update =>
  append === undefined ? rest : { ...rest, transcript: append };

const effect = async (state: GraphState) => update(delta(state, await perform(state)));
const ask = (state: GraphState) =>
  update(delta(state, { kind: 'ask', value: interrupt<string | null, string>(state.question) }));

const graph = new StateGraph(Graph)
  .addNode('planning', effect)
  .addNode('thinking', effect)
  .addNode('acting', effect)
  .addNode('asking', ask)
  .addNode('replanning', effect)
  .addEdge(START, 'planning')
  .addEdge('planning', 'thinking')
  .addConditionalEdges('thinking', (state) => state.next, { tool: 'acting', ask: 'asking', replan: 'replanning' })
  .addEdge('acting', 'thinking')
  .addEdge('asking', 'thinking')
  .addConditionalEdges('replanning', (state) => state.next, { thought: 'thinking', end: END });

const compile = (checkpointer: BaseCheckpointSaver) => graph.compile({ checkpointer });

let db: Db;
let app: ReturnType<typeof compile>;
let postgres: Postgres | null = null;
let durability = '';

const config = (session: string) => ({
  configurable: { thread_id: session },
  durability: 'sync' as const,
  recursionLimit: 10_000,
});

/** The saver on PostgreSQL, whose tables it creates. */
const postgresSaver = async ({ url }: Postgres): Promise<PostgresSaver> => {
  const saver = PostgresSaver.fromConnString(url);
  await saver.setup();
  return saver;
};

const versions = (): string => {
  const saver = `@langchain/langgraph-checkpoint-${postgres === null ? 'sqlite' : 'postgres'}`;
  const packages = ['@langchain/langgraph', saver, '@langchain/core'].map(versionOf);
  return [...packages, ...(postgres === null ? [] : [postgres.version])].join(' ');
};

const peer: Peer = {
  about: () => ({ versions: versions(), durability: postgres?.durability ?? durability }),
  async open(dir, variant) {
    durability = durabilityOf(variant);
    db = openDb(dir, variant);
    postgres = await connectPostgres(variant);
    app = compile(postgres === null ? new SqliteSaver(db) : await postgresSaver(postgres));
  },
  async close() {
    db.close();
    await postgres?.close();
  },
  async task(session, task, goal, shape) {
    const { history, ...first } = initial(goal, shape);
    const isFirst = task === 1 || session !== 'conversation';
    return app.invoke({ ...first, transcript: null, ...(isFirst ? { history } : {}) }, config(session));
  },
  answer: async (session, text) => (await app.invoke(new Command({ resume: text }), config(session))) as GraphState,
  recover: async (session) => app.invoke(null, config(session)),
  bytes: async (dir) => postgres?.bytes() ?? dbBytes(db, dir),
};

await serve(import.meta, peer);
