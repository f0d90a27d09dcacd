import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { cpuMs, type Processes, type Served, whenReady, withProcesses } from './processes.ts';
import { EFFECTS } from './task-of-31.ts';

/** Sessions that run at once, and the counted tasks of each in a round. */
const SESSIONS = 4;
const TASKS = 20;

/** Rounds of each kind. They alternate, and the first of each is not counted. */
const ROUNDS = 6;

/** Followers of each session, in the order of measurement. */
const FOLLOWERS = [0, 1, 10] as const;

const turn = async ({ url }: Served, session: string): Promise<void> => {
  const response = await fetch(`${url}/v1/sessions/${session}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'Check the five parts of the release' }),
  });
  const { status, output } = (await response.json()) as { status: string; output: string };
  if (status !== 'answered') throw new Error(`the turn ended as ${status}: ${output}`);
};

/** A reader of a session's events. */
interface Follower {
  /** The number of entries received. */
  entries(): number;
  /** Resolves when it has received that many entries. */
  got(count: number): Promise<void>;
  close(): void;
}

const follow = async ({ url }: Served, session: string): Promise<Follower> => {
  const request: ClientRequest = get(`${url}/v1/sessions/${session}/events`, { agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the stream was refused with ${response.statusCode}`);
  let entries = 0;
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    entries += lines.filter((line) => line === 'event: trace').length;
  });
  return {
    entries: () => entries,
    got: async (count) => {
      while (entries < count) await once(response, 'data');
    },
    close: () => request.destroy(),
  };
};

/**
 * Runs tasks in new sessions with a number of followers each. Returns the service's processor time of an effect, in
 * microseconds.
 */
const takeRound = async (server: Served, round: string, followers: number): Promise<number> => {
  const sessions = Array.from({ length: SESSIONS }, (_, i) => `${round}-${i}`);
  // A session exists once it has had a turn.
  await Promise.all(sessions.map((session) => turn(server, session)));
  const readers = await Promise.all(
    sessions.flatMap((session) => Array.from({ length: followers }, () => follow(server, session))),
  );
  const rows = EFFECTS + 1;
  await Promise.all(readers.map((reader) => reader.got(rows)));
  const before = cpuMs(server.process);
  await Promise.all(
    sessions.map(async (session) => {
      for (let i = 0; i < TASKS; i++) await turn(server, session);
    }),
  );
  await Promise.all(readers.map((reader) => reader.got(rows * (1 + TASKS))));
  const used = cpuMs(server.process) - before;
  for (const reader of readers) {
    if (reader.entries() !== rows * (1 + TASKS)) throw new Error(`a follower got ${reader.entries()} entries`);
    reader.close();
  }
  return (used * 1_000) / (SESSIONS * TASKS * EFFECTS);
};

/**
 * Measures what followers add to the processor time of an effect, over HTTP, with a model and a tool that answer at
 * once.
 */
const measure = async (dir: string, { serve }: Processes): Promise<Record<string, number>> => {
  const server = await serve(dir, {}, { cwd: join(import.meta.dirname, 'followers') });
  await whenReady(server);
  const used = new Map(FOLLOWERS.map((followers) => [followers, 0]));
  for (let round = 0; round <= ROUNDS; round++)
    for (const followers of FOLLOWERS) {
      const taken = await takeRound(server, `r${round}-${followers}`, followers);
      if (round > 0) used.set(followers, used.get(followers)! + taken / ROUNDS);
    }
  const alone = used.get(0)!;
  return {
    without_us: alone,
    with_1_us: used.get(1)!,
    with_10_us: used.get(10)!,
    ratio_1: used.get(1)! / alone,
    ratio_10: used.get(10)! / alone,
    a_follower_of_10_us: (used.get(10)! - alone) / 10,
  };
};

const [, , , dir = ''] = process.argv;
console.log(JSON.stringify(await withProcesses((processes) => measure(dir, processes))));
