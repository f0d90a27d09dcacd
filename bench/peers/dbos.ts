// DBOS Transact: one workflow for each task, one runStep() for each effect, on its own PostgreSQL (`postgres.ts`).
// Variants: full (synchronous_commit=on), normal (off); fsync=on in both.

import { basename } from 'node:path';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { perform } from './effects.ts';
import { type Peer, serve, versionOf } from './harness.ts';
import { connectPostgres, type Postgres } from './postgres.ts';
import { apply, initial, type PastTask, type Shape, type State } from './workload.ts';

let asked = (_: State): void => {};

const agent = DBOS.registerWorkflow(
  async (goal: string, shape: Shape, history: PastTask[]): Promise<State> => {
    let state = initial(goal, shape, history);
    while (state.next !== 'end') {
      if (state.next === 'ask') {
        asked(state);
        const text = await DBOS.recv<string>('answer', { timeoutSeconds: 3_600 });
        state = apply(state, { kind: 'ask', value: text ?? '' });
      } else {
        const before = state;
        state = apply(before, await DBOS.runStep(() => perform(before), { name: before.next }));
      }
    }
    return state;
  },
  { name: 'agent' },
);

/** How often the end of a recovered workflow is polled, in milliseconds. */
const POLL = { pollingIntervalMs: 5 };

let prefix = '';
let postgres: Postgres;
const histories = new Map<string, PastTask[]>();

/** A workflow of the previous process: launch() has restarted it from its stored steps. */
const recovered = (session: string): Promise<State> =>
  DBOS.retrieveWorkflow<State>(`${prefix}${session}-1`).getResult(POLL);

const peer: Peer = {
  about: () => ({
    versions: `${versionOf('@dbos-inc/dbos-sdk')} ${postgres.version}`,
    durability: postgres.durability,
  }),
  async open(dir, variant) {
    prefix = `${basename(dir)}-`;
    postgres = (await connectPostgres(variant))!;
    DBOS.setConfig({ name: 'bench', systemDatabaseUrl: postgres.url, logLevel: 'error', applicationVersion: '1' });
    await DBOS.launch();
  },
  async close() {
    await postgres.close();
    await DBOS.shutdown();
  },
  async task(session, task, goal, shape) {
    const waits = new Promise<State>((resolve) => {
      asked = resolve;
    });
    const workflowID = `${prefix}${session}-${task}`;
    const handle = await DBOS.startWorkflow(agent, { workflowID })(goal, shape, histories.get(session) ?? []);
    const state = await (shape.asks ? waits : handle.getResult());
    if (session === 'conversation') histories.set(session, state.history);
    return state;
  },
  async answer(session, text) {
    await DBOS.send(`${prefix}${session}-1`, text, 'answer');
    return recovered(session);
  },
  recover: recovered,
  bytes: () => postgres.bytes(),
};

await serve(import.meta, peer);
