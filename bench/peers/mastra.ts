// A Mastra workflow with its LibSQL storage: one dountil() loop whose step performs one effect; Mastra stores a snapshot of
// the run at the start of each pass, so after each effect. Variants: normal (the store's own setting), full.
//
// The store is given a client with one connection: with a pool of its own it sets synchronous=NORMAL on the first
// connection only, so that with many sessions nearly every commit is fsynced and a step takes three times as long.

import { join } from 'node:path';
import { type Client, type Config, createClient } from '@libsql/client';
import { Mastra } from '@mastra/core';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { LibSQLStore } from '@mastra/libsql';
import { z } from 'zod';
import { perform } from './effects.ts';
import { durabilityOf, syncOf } from './event-log.ts';
import { type Peer, serve, versionOf } from './harness.ts';
import { folderBytes } from './process-figures.ts';
import { apply, initial, type PastTask, type State } from './workload.ts';

const AnyState = z.custom<State>();

const effect = createStep({
  id: 'effect',
  inputSchema: AnyState,
  outputSchema: AnyState,
  resumeSchema: z.object({ answer: z.string() }),
  suspendSchema: z.object({ question: z.string() }),
  execute: async ({ inputData: state, resumeData, suspend }) => {
    if (state.next !== 'ask') return apply(state, await perform(state));
    if (resumeData === undefined) return suspend({ question: state.question ?? '' });
    return apply(state, { kind: 'ask', value: resumeData.answer });
  },
});

const workflow = createWorkflow({ id: 'agent', inputSchema: AnyState, outputSchema: AnyState })
  .dountil(effect, async ({ inputData }) => inputData.next === 'end')
  .commit();

let client: Client;
let mastra: Mastra;
let durability = '';

/** Finished tasks, which a user of Mastra would keep as a thread's messages. */
const histories = new Map<string, PastTask[]>();

const runOf = (session: string, task: number) =>
  mastra.getWorkflow('agent').createRun({ runId: `${session}-${task}`, resourceId: session });

const ended = (run: { status: string; result?: unknown; error?: unknown }): State => {
  if (run.status !== 'success') throw new Error(`the run ended ${run.status}: ${String(run.error)}`);
  return run.result as State;
};

const peer: Peer = {
  about: () => ({ versions: `${versionOf('@mastra/core')} ${versionOf('@mastra/libsql')}`, durability }),
  async open(dir, variant) {
    durability = durabilityOf(variant);
    client = createClient({ url: `file:${join(dir, 'mastra.db')}`, concurrency: 1 } as Config);
    const storage = new LibSQLStore({ id: 'bench', client });
    mastra = new Mastra({ storage, workflows: { agent: workflow }, logger: false });
    await storage.init();
    if (syncOf(variant) === 'full') await client.execute('PRAGMA synchronous = FULL');
    const { rows } = await client.execute('PRAGMA synchronous');
    const synchronous = Number(rows[0]?.['synchronous']);
    if (synchronous !== (syncOf(variant) === 'full' ? 2 : 1)) throw new Error(`synchronous is ${synchronous}`);
  },
  async close() {
    client.close();
  },
  async task(session, task, goal, shape) {
    const run = await runOf(session, task);
    const end = await run.start({ inputData: initial(goal, shape, histories.get(session)) });
    if (end.status === 'suspended') return { ...initial(goal, shape), next: 'ask' };
    const state = ended(end);
    if (session === 'conversation') histories.set(session, state.history);
    return state;
  },
  answer: async (session, text) => ended(await (await runOf(session, 1)).resume({ resumeData: { answer: text } })),
  recover: async (session) => ended(await (await runOf(session, 1)).restart()),
  async bytes(dir) {
    await client.execute('PRAGMA wal_checkpoint(TRUNCATE)');
    return folderBytes(dir);
  },
};

await serve(import.meta, peer);
