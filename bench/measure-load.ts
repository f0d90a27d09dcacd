import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Calls, Reply } from './load/callers.ts';
import type { LoopDelay } from './load/loop-delay.ts';
import { ask, cpuMs, nextMessage, type Processes, whenReady, withProcesses } from './processes.ts';
import { goalOf, quantile, SESSIONS } from './whole-service/load.ts';

/** More turns in flight than the process can carry. */
const TOO_MANY = 4 * SESSIONS;

/** Time within which the turns arrive, in milliseconds; the rest is measured separately. */
const ARRIVAL_MS = 1_500;

const JSON_HEADERS = { 'content-type': 'application/json' };
const body = JSON.stringify({ input: goalOf(0) }).replace('release 0 ', 'release {n} ');

/** The key of an owner. */
const keyOf = (owner: string): string => `${owner}-key-0000000000`;

const turns = (count: number, prefix: string, owner: string, extra: Record<string, string> = {}): Calls => ({
  count,
  method: 'POST',
  path: `/v1/sessions/${prefix}-{n}/turns`,
  body,
  headers: { ...JSON_HEADERS, ...extra, authorization: `Bearer ${keyOf(owner)}` },
});

/** Replies that a caller cannot act on: a broken connection, a fault, or a refusal without a time to retry. */
const unexpected = (replies: Reply[]): number =>
  replies.filter(({ status, retryAfter }) =>
    [429, 503].includes(status) ? retryAfter === null : ![200, 202].includes(status),
  ).length;

const countOf = (replies: Reply[], ...statuses: number[]): number =>
  replies.filter(({ status }) => statuses.includes(status)).length;

const msAt = (replies: Reply[], share: number): number =>
  quantile(
    replies.map(({ ms }) => ms).sort((a, b) => a - b),
    share,
  );

/**
 * `tripact serve` under load, with a model that answers after a second: 1,000 turns in flight, a burst of 1,000
 * connections, a caller above its limits beside another one, and four times as many turns. Each measure includes the
 * event loop's delay in the service.
 */
const measure = async (dir: string, { serve, start, startModel }: Processes): Promise<Record<string, number>> => {
  const { settings } = await startModel({ spread: 0.2 });
  const file = join(dir, 'loop-delay.json');
  const keys = ['ann', 'bob', 'cy', 'dan'].map((owner) => `${owner}:${keyOf(owner)}`).join(',');
  const settingsOfLoad = { TRIPACT_API_KEYS: keys, TRIPACT_LOG_LEVEL: 'warn', LOOP_DELAY_FILE: file };
  const watch = ['--import', join(import.meta.dirname, 'load', 'loop-delay.ts')];
  const service = await serve(dir, { ...settings, ...settingsOfLoad }, { flags: watch });
  const { process: server, port, url } = service;
  const loopDelay = async (): Promise<LoopDelay> => {
    rmSync(file, { force: true });
    server.kill('SIGUSR2');
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(10);
    return JSON.parse(readFileSync(file, 'utf8')) as LoopDelay;
  };
  await whenReady(service);
  const startCallers = async (): Promise<ChildProcess> => {
    const callers = start('load/callers.ts', String(port));
    await nextMessage(callers);
    return callers;
  };
  const [callers, others] = [await startCallers(), await startCallers()];
  const send = (calls: Calls): Promise<Reply[]> => ask(callers, calls);
  await send(turns(5, 'warm', 'ann'));

  await loopDelay();
  const before = cpuMs(server);
  const sent = send(turns(SESSIONS, 'flight', 'ann'));
  await sleep(ARRIVAL_MS);
  const arrivalDelay = await loopDelay();
  const inFlight = await sent;
  const cpu = cpuMs(server) - before;
  const flightDelay = await loopDelay();

  // The connections of those turns are not reused.
  const fresh = await startCallers();
  await loopDelay();
  const burst = await ask<Reply[]>(fresh, {
    count: 1_000,
    method: 'GET',
    path: '/v1/limits',
    headers: { authorization: `Bearer ${keyOf('dan')}` },
  } satisfies Calls);
  const burstDelay = await loopDelay();

  const greedy = send(turns(TOO_MANY, 'greedy', 'ann', { prefer: 'respond-async' }));
  const modest = await ask<Reply[]>(others, turns(50, 'modest', 'bob'));
  const refused = await greedy;
  const greedyDelay = await loopDelay();

  // One more owner than the process can carry beside the work in progress.
  const above = await send(turns(TOO_MANY, 'above', 'cy', { prefer: 'respond-async' }));
  const aboveDelay = await loopDelay();
  const owned: [string, Reply[]][] = [
    [keyOf('ann'), refused],
    [keyOf('cy'), above],
  ];
  let lost = 0;
  for (const [key, replies] of owned)
    for (const { body: read } of replies.filter(({ status }) => status === 202)) {
      const { id } = JSON.parse(read) as { id: string };
      const ask = (): Promise<Response> =>
        fetch(`${url}/v1/turns/${id}`, { headers: { authorization: `Bearer ${key}` } });
      let found = await ask();
      while ([429, 503].includes(found.status)) {
        await sleep(200);
        found = await ask();
      }
      if (!found.ok) lost += 1;
    }
  return {
    arrival_max_delay_ms: arrivalDelay.max,
    flight_p99_delay_ms: flightDelay.p99,
    flight_max_delay_ms: flightDelay.max,
    flight_turn_p50_ms: msAt(inFlight, 0.5),
    flight_turn_p99_ms: msAt(inFlight, 0.99),
    flight_cpu_ms_a_turn: cpu / SESSIONS,
    flight_answered: countOf(inFlight, 200),
    burst_p99_delay_ms: burstDelay.p99,
    burst_max_delay_ms: burstDelay.max,
    burst_answered: countOf(burst, 200),
    burst_refused: countOf(burst, 429, 503),
    greedy_max_delay_ms: greedyDelay.max,
    greedy_taken: countOf(refused, 202),
    greedy_refused: countOf(refused, 429, 503),
    modest_answered: countOf(modest, 200),
    modest_turn_p99_ms: msAt(modest, 0.99),
    above_max_delay_ms: aboveDelay.max,
    above_taken: countOf(above, 202),
    above_refused: countOf(above, 429, 503),
    unexpected: unexpected([...inFlight, ...burst, ...refused, ...modest, ...above]),
    lost,
  };
};

const [, , , dir = ''] = process.argv;
console.log(JSON.stringify(await withProcesses((processes) => measure(dir, processes))));
