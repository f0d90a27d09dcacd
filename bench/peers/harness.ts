import { mkdirSync, readFileSync } from 'node:fs';
import { startClock } from './effects.ts';
import { median, peakRss, serverCpu, serverRss } from './process-figures.ts';
import { ASKING, CANONICAL, check, type Ended, effectsOf, goalOf, longShape, type Shape } from './workload.ts';

/** One measured engine. A variant is how it stores: `full` survives power loss, `normal` only kill -9. */
export interface Peer {
  /** Packages, versions, and durability of this variant, for the report. Known once it is open. */
  about(): { versions: string; durability: string };
  open(dir: string, variant: string): Promise<void>;
  close(): Promise<void>;
  /** Runs a session's task to its end, or until it asks the user. A session keeps its finished tasks. */
  task(session: string, task: number, goal: string, shape: Shape): Promise<Ended>;
  /** In a new process: loads the waiting task, gives it the user's answer, and runs it to its end. */
  answer(session: string, text: string): Promise<Ended>;
  /** In a new process after kill -9: continues the task to its end. */
  recover(session: string): Promise<Ended>;
  /** Bytes on disk once all pending writes are done. */
  bytes(dir: string): Promise<number>;
}

/** Figures of one process by name, times in microseconds. */
export type Figures = Record<string, number>;

/** How long a rate is measured, in milliseconds. */
const WINDOW_MS = Number(process.env['BENCH_WINDOW_MS'] ?? 600);

/** Concurrent sessions in the measure of many. */
const SESSIONS = 64;

/** Effects of the long task, and tasks of the conversation. */
const LONG = 500;
const CONVERSATION = 200;

/** Tasks before a growth measure, so that it does not show the compiler warming up. */
const WARM = 30;

/** A package's installed version. */
export const versionOf = (name: string): string => {
  const file = new URL(`./node_modules/${name}/package.json`, import.meta.url);
  return `${name}@${(JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version}`;
};

let tasksStarted = 0;

/**
 * Per effect in microseconds: its time, and the processor time in this process and in the server; and the bytes on disk
 * of a task.
 */
interface Rate {
  us: number;
  cpu: number;
  server: number;
  bytes: number;
}

const rate = async (peer: Peer, dir: string, lanes: number): Promise<Rate> => {
  const bytes = await peer.bytes(dir);
  const before = { cpu: process.cpuUsage(), server: serverCpu() };
  const start = performance.now();
  let tasks = 0;
  const lane = async (): Promise<void> => {
    do {
      const task = ++tasksStarted;
      check(await peer.task(`s${task}`, task, goalOf(task), CANONICAL));
      tasks++;
    } while (performance.now() - start < WINDOW_MS);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const us = (performance.now() - start) * 1_000;
  const { user, system } = process.cpuUsage(before.cpu);
  const server = serverCpu() - before.server;
  const effects = tasks * effectsOf(CANONICAL);
  return {
    us: us / effects,
    cpu: (user + system) / effects,
    server: server / effects,
    bytes: ((await peer.bytes(dir)) - bytes) / tasks,
  };
};

const warmUp = async (peer: Peer): Promise<void> => {
  for (let task = 1; task <= WARM; task++) await peer.task(`warm${task}`, task, goalOf(task), CANONICAL);
};

const modes: Record<string, (peer: Peer, dir: string) => Promise<Figures>> = {
  async rates(peer, dir) {
    await rate(peer, dir, 1);
    const one = await rate(peer, dir, 1);
    const many = await rate(peer, dir, SESSIONS);
    return {
      one: one.us, one_cpu: one.cpu, one_server_cpu: one.server, bytes: one.bytes,
      many: many.us, many_cpu: many.cpu, many_server_cpu: many.server,
      rss: peakRss(), server_rss: serverRss(),
    };
  },
  async suspend(peer) {
    await peer.task('waiting', 1, goalOf(1), ASKING);
    return {};
  },
  async resume(peer) {
    check(await peer.answer('waiting', 'The release branch.'));
    return {};
  },
  async long(peer) {
    await warmUp(peer);
    const clock = startClock();
    check(await peer.task('long', 1, goalOf(1), longShape(LONG)));
    const steps = clock.slice(1).map((at, i) => (at - clock[i]!) * 1_000);
    return { first: median(steps.slice(10, 60)), last: median(steps.slice(-50)) };
  },
  async conversation(peer) {
    await warmUp(peer);
    const costs: number[] = [];
    for (let task = 1; task <= CONVERSATION; task++) {
      const start = performance.now();
      check(await peer.task('conversation', task, goalOf(task), CANONICAL));
      costs.push(((performance.now() - start) * 1_000) / effectsOf(CANONICAL));
    }
    return { first: median(costs.slice(0, 20)), last: median(costs.slice(-20)) };
  },
  async crash(peer) {
    await peer.task('crash', 1, goalOf(1), CANONICAL);
    throw new Error('the process should have been killed');
  },
  async recover(peer) {
    check(await peer.recover('crash'));
    return {};
  },
};

/** The line with a measuring process's answer: this mark, then JSON. */
export const ANSWER_MARK = '@@';

/** Runs `node <peer>.ts <variant> <mode> <dir>` if the peer's file is the main module, and prints one line of JSON. */
export const serve = async (meta: ImportMeta, peer: Peer): Promise<void> => {
  if (!meta.main) return;
  const [variant = '', mode = '', dir = ''] = process.argv.slice(2);
  const measure = modes[mode];
  if (measure === undefined || dir === '') throw new Error('usage: node <peer>.ts <variant> <mode> <dir>');
  const answer = (body: object): void => console.log(`${ANSWER_MARK}${JSON.stringify(body)}`);
  try {
    mkdirSync(dir, { recursive: true });
    const start = performance.now();
    await peer.open(dir, variant);
    const figures = await measure(peer, dir);
    answer({ ...peer.about(), figures: { ...figures, ms: performance.now() - start } });
    await peer.close();
    process.exit(0);
  } catch (error) {
    answer({ error: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  }
};
