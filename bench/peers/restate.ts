// Restate: a virtual object for each session, one ctx.run() for each effect, on its own server (`restate-server.ts`).
// Variants: full (the log's WAL is fsynced, the default), normal (rocksdb-disable-wal-fsync).

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as restate from '@restatedev/restate-sdk';
import * as clients from '@restatedev/restate-sdk-clients';
import { perform } from './effects.ts';
import { type Peer, serve, versionOf } from './harness.ts';
import { folderBytes } from './process-figures.ts';
import { pause } from './server.ts';
import {
  ASKING,
  apply,
  CANONICAL,
  type Ended,
  goalOf,
  initial,
  type PastTask,
  type Shape,
  type State,
} from './workload.ts';

let asked = (_awakeable: string): void => {};

const agent = restate.object({
  name: 'agent',
  options: { inactivityTimeout: 200 },
  handlers: {
    task: async (ctx: restate.ObjectContext, { goal, shape }: { goal: string; shape: Shape }): Promise<Ended> => {
      let state = initial(goal, shape, (await ctx.get<PastTask[]>('history')) ?? []);
      while (state.next !== 'end') {
        if (state.next === 'ask') {
          const { id, promise } = ctx.awakeable<string>();
          asked(id);
          state = apply(state, { kind: 'ask', value: await promise });
        } else {
          const before: State = state;
          state = apply(before, await ctx.run(before.next, () => perform(before)));
        }
      }
      ctx.set('history', state.history);
      const { next, effects, answer } = state;
      return { next, effects, answer, shape };
    },
  },
});

const DURABILITY: Record<string, string> = {
  full: 'Restate log server, RocksDB WAL fsynced at every batch of appends (the default; survives power loss)',
  normal: 'Restate log server with rocksdb-disable-wal-fsync (survives kill -9, not power loss)',
};

const admin = process.env['BENCH_RESTATE_ADMIN']!;

/** How often the server is polled for a suspended run, in milliseconds. */
const LOOK_MS = 50;

let prefix = '';
let home = '';
let durability = '';
let client: clients.Ingress;

const call = async (session: string, task: number, goal: string, shape: Shape): Promise<Ended> =>
  client
    .objectClient<typeof agent>({ name: 'agent' }, prefix + session)
    .task({ goal, shape }, clients.rpc.opts({ idempotencyKey: `${prefix}${session}-${task}` }));

const post = async (path: string, body: object): Promise<Response> => {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const answer = await fetch(`${admin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`Restate answered ${path} with ${answer.status}: ${await answer.text()}`);
  return answer;
};

const isSuspended = async (session: string): Promise<boolean> => {
  const query = `SELECT status FROM sys_invocation WHERE target_service_key = '${prefix}${session}'`;
  const { rows } = (await (await post('/query', { query })).json()) as { rows: { status: string }[] };
  return rows.some(({ status }) => status === 'suspended');
};

/** Where the waiting run's awakeable is stored for the process that answers it. */
const awakeableFile = (): string => join(home, 'awakeable');

const untilAsked = async (session: string, task: number, goal: string, shape: Shape): Promise<Ended> => {
  const awakeable = new Promise<string>((resolve) => {
    asked = resolve;
  });
  call(session, task, goal, shape).catch(() => {}); // Ends with this process; the run continues without it.
  writeFileSync(awakeableFile(), await awakeable);
  while (!(await isSuspended(session))) await pause(LOOK_MS);
  return { ...initial(goal, shape), next: 'ask' };
};

const peer: Peer = {
  about: () => ({
    versions: `${versionOf('@restatedev/restate-server')} ${versionOf('@restatedev/restate-sdk')}`,
    durability,
  }),
  async open(dir, variant) {
    prefix = `${basename(dir)}-`;
    home = dir;
    durability = DURABILITY[variant] ?? '';
    const port = Number(process.env['BENCH_RESTATE_SERVICE']);
    await restate.serve({ services: [agent], port });
    client = clients.connect({ url: process.env['BENCH_RESTATE_INGRESS']! });
    const known = (await (await fetch(`${admin}/deployments`)).json()) as { deployments: unknown[] };
    if (known.deployments.length === 0) await post('/deployments', { uri: `http://127.0.0.1:${port}`, force: true });
  },
  async close() {},
  task: (session, task, goal, shape) => (shape.asks ? untilAsked : call)(session, task, goal, shape),
  async answer(session, text) {
    await client.resolveAwakeable(readFileSync(awakeableFile(), 'utf8'), text);
    return call(session, 1, goalOf(1), ASKING); // With the same idempotency key it waits for the existing run.
  },
  recover: (session) => call(session, 1, goalOf(1), CANONICAL),
  bytes: async () => folderBytes(process.env['BENCH_RESTATE_DATA']!),
};

await serve(import.meta, peer);
