import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, cpuMs, type Processes, type Served, whenReady, withProcesses } from './processes.ts';
import { CALLS, goalOf, quantile } from './whole-service/load.ts';
import type { ModelReport } from './whole-service/model-server.ts';

/** Turns in a round, and the pause between two starts, in milliseconds. */
const TURNS = 40;
const APART_MS = 40;

/** Rounds of each kind. They alternate, and the first of each is not counted. */
const ROUNDS = 4;

/** Pieces of a closing answer, which has 1,600 characters. */
const PIECES = 100;

/**
 * Runs a turn and returns when the first piece of its answer came, in milliseconds since the epoch; null: it has none.
 */
const turn = async ({ url }: Served, session: number, isWatched: boolean): Promise<number | null> => {
  const response = await fetch(`${url}/v1/sessions/bench-${session}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(isWatched && { accept: 'text/event-stream' }) },
    body: JSON.stringify({ input: goalOf(session) }),
  });
  let first: number | null = null;
  let said = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    said += piece;
    if (piece.includes('event: answer.delta')) first ??= performance.timeOrigin + performance.now();
  }
  if (!said.includes('"status":"answered"')) throw new Error(`the turn ended otherwise: ${said.slice(-500)}`);
  return first;
};

interface Round {
  cpu: number;
  firstTextMs: number[];
}

const takeRound = async (server: Served, model: ChildProcess, number: number, isWatched: boolean): Promise<Round> => {
  const before = cpuMs(server.process);
  const sessions = Array.from({ length: TURNS }, (_, i) => number * TURNS + i);
  const firsts = await Promise.all(
    sessions.map(async (session, i) => {
      await sleep(i * APART_MS);
      return turn(server, session, isWatched);
    }),
  );
  const cpu = (cpuMs(server.process) - before) / (TURNS * CALLS);
  const { firstTextAt } = await ask<ModelReport>(model);
  return { cpu, firstTextMs: firsts.flatMap((at, i) => (at === null ? [] : at - firstTextAt[sessions[i]!]!)) };
};

/**
 * Measures the service's processor time for streamed answers: turns with four model calls, the last of which is
 * streamed, compared with the same turns without streaming.
 */
const measure = async (dir: string, { serve, startModel }: Processes): Promise<Record<string, number>> => {
  const { model, settings } = await startModel({ ms: 100, pieces: PIECES });
  const server = await serve(dir, settings);
  await whenReady(server);
  const cpu = { watched_whole: 0, watched_streamed: 0, unwatched_whole: 0, unwatched_streamed: 0 };
  const firstTextMs: number[] = [];
  for (let round = 0, number = 0; round <= ROUNDS; round++)
    for (const who of ['watched', 'unwatched'] as const)
      for (const how of ['whole', 'streamed'] as const) {
        await ask(model, how === 'whole' ? 'whole' : 'stream');
        const taken = await takeRound(server, model, number++, who === 'watched');
        if (round === 0) continue;
        cpu[`${who}_${how}`] += taken.cpu / ROUNDS;
        if (how === 'streamed') firstTextMs.push(...taken.firstTextMs);
      }
  firstTextMs.sort((a, b) => a - b);
  return {
    whole_cpu_ms: cpu.watched_whole,
    streamed_cpu_ms: cpu.watched_streamed,
    watched_ratio: cpu.watched_streamed / cpu.watched_whole,
    unwatched_ratio: cpu.unwatched_streamed / cpu.unwatched_whole,
    first_text_p50_ms: quantile(firstTextMs, 0.5),
    first_text_p99_ms: quantile(firstTextMs, 0.99),
  };
};

const [, , , dir = ''] = process.argv;
console.log(JSON.stringify(await withProcesses((processes) => measure(dir, processes))));
