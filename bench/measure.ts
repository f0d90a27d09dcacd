import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { EventNotAccepted } from '../machines/step.ts';
import { replay } from '../src/history/replay.ts';
import type { Engine } from '../src/runtime/port.ts';
import { openFloor } from './floor.ts';
import { openEngine, runTurn } from './service.ts';
import { benchModel, EFFECTS } from './task-of-31.ts';

/** One measurement in its own process and store: figures by name. Times are microseconds unless named otherwise. */
type Measure = (dir: string) => Promise<Record<string, number>>;

const micros = async (count: number, work: () => Promise<void>): Promise<number> => {
  const start = performance.now();
  await work();
  return ((performance.now() - start) * 1_000) / count;
};

const GOAL = 'Check the five parts of the release';

/** Tasks that the engine runs before the counted ones: a service runs for long, and by then its code is compiled. */
const WARM_UP = 1_024;

/** Rounds of floor and engine, alternating. */
const ROUNDS = 10;

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Takes each measure once a round, alternating, so that all meet the same disk. Returns the mean of each. */
const inTurn = async <Name extends string>(
  measures: Record<Name, () => number | Promise<number>>,
): Promise<Record<Name, number>> => {
  const taken = Object.entries<() => number | Promise<number>>(measures).map(([name, take]) => ({
    name,
    take,
    values: [] as number[],
  }));
  for (let round = 0; round < ROUNDS; round++) for (const { take, values } of taken) values.push(await take());
  return Object.fromEntries(taken.map(({ name, values }) => [name, mean(values)])) as Record<Name, number>;
};

const one: Measure = async (dir) => {
  const floor = openFloor(join(dir, 'floor'));
  const engine = openEngine(join(dir, 'engine'));
  const alone = openEngine(join(dir, 'alone'), { hasFiles: false });
  const tasks = 10;
  const run = async (by: Engine): Promise<void> => {
    for (let i = 0; i < tasks; i++) await runTurn(by, `one-${i % 4}`, GOAL);
  };
  floor.one(2_000);
  for (const each of [engine, alone]) for (let i = 0; i < WARM_UP; i += tasks) await run(each);
  const figures = await inTurn({
    floor: () => floor.one(tasks * EFFECTS),
    engine: () => micros(tasks * EFFECTS, () => run(engine)),
    without_files: () => micros(tasks * EFFECTS, () => run(alone)),
  });
  await Promise.all([engine.close(), alone.close()]);
  floor.close();
  const { floor: least, engine: ours, without_files } = figures;
  return { ...figures, ratio: ours / least, ratio_without: without_files / least };
};

const sixtyFour: Measure = async (dir) => {
  const floor = openFloor(join(dir, 'floor'));
  const engine = openEngine(join(dir, 'engine'));
  const alone = openEngine(join(dir, 'alone'), { hasFiles: false });
  const sessions = Array.from({ length: 64 }, (_, i) => `many-${i}`);
  const tasks = 2 * sessions.length;
  const run = async (by: Engine): Promise<void> => {
    await Promise.all(
      sessions.map(async (session) => {
        await runTurn(by, session, GOAL);
        await runTurn(by, session, GOAL);
      }),
    );
  };
  await floor.group(12_800);
  for (const each of [engine, alone]) for (let i = 0; i < WARM_UP; i += tasks) await run(each);
  const figures = await inTurn({
    floor_one: () => floor.one(500),
    floor_bare: () => floor.bare(tasks * EFFECTS),
    floor_group: () => floor.group(tasks * EFFECTS),
    engine: () => micros(tasks * EFFECTS, () => run(engine)),
    without_files: () => micros(tasks * EFFECTS, () => run(alone)),
  });
  await Promise.all([engine.close(), alone.close()]);
  floor.close();
  const { floor_group: least, floor_one, engine: ours, without_files } = figures;
  return {
    ...figures,
    ratio: ours / least,
    times_one_row: floor_one / ours,
    ratio_without: without_files / least,
  };
};

const bytes: Measure = async (dir) => {
  const engine = openEngine(dir, { keepsCalls: false });
  const tasks = 100;
  for (let i = 0; i < tasks; i++) await runTurn(engine, `disk-${i % 10}`, GOAL);
  let eventBytes = 0;
  for (let i = 0; i < 10; i++)
    for await (const { event } of engine.sessionTrace('local', `disk-${i}`)) eventBytes += JSON.stringify(event).length;
  await engine.close();
  const onDisk = statSync(join(dir, 'tripact.db')).size;
  const perEffect = onDisk / (tasks * EFFECTS);
  return { bytes_per_effect: perEffect, event_bytes: eventBytes / (tasks * EFFECTS), ratio: onDisk / eventBytes };
};

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The cost of each step of one task of 500 effects, from the times at which its model was asked. */
const longTask: Measure = async (dir) => {
  const asked: number[] = [];
  const model = benchModel({ actions: 50 });
  const engine = openEngine(dir, {
    model: {
      ...model,
      answer: (request, signal) => {
        asked.push(performance.now());
        return model.answer(request, signal);
      },
    },
  });
  for (let i = 0; i < 3; i++) await runTurn(engine, `warm-${i}`, GOAL);
  asked.length = 0;
  await runTurn(engine, 'long', GOAL);
  await engine.close();
  const gaps = asked.slice(1).map((at, i) => ((at - asked[i]!) * 1_000) / 2);
  const early = median(gaps.slice(0, 25));
  const late = median(gaps.slice(-25));
  return { step_10: early, step_500: late, ratio: late / early };
};

const conversation: Measure = async (dir) => {
  const engine = openEngine(dir);
  for (let i = 0; i < 20; i++) await runTurn(engine, 'warm', GOAL);
  const costs: number[] = [];
  for (let i = 0; i < 200; i++) costs.push(await micros(EFFECTS, () => runTurn(engine, 'talk', GOAL)));
  await engine.close();
  const [first, last] = [median(costs.slice(0, 20)), median(costs.slice(-20))];
  return { task_1: first, task_200: last, ratio: last / first };
};

const WAITING = 10_000;

/** 10,000 sessions that wait for an answer: their cost while idle, and how fast one of them loads. */
const waiting: Measure = async (dir) => {
  const filled = openEngine(dir, { model: benchModel({ asks: true }), hasFiles: false });
  await Promise.all(
    Array.from({ length: 64 }, async (_, lane) => {
      for (let i = lane; i < WAITING; i += 64) await runTurn(filled, `wait-${i}`, GOAL);
    }),
  );
  await filled.close();
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  const engine = openEngine(dir, { model: benchModel({ asks: true }), hasFiles: false });
  const opened = process.memoryUsage().rss - before;
  const used = process.cpuUsage(cpu);
  const loads: number[] = [];
  for (let i = 0; i < 200; i++) {
    const start = performance.now();
    await engine.session('local', `wait-${(i * 37) % WAITING}`);
    loads.push(performance.now() - start);
  }
  await engine.close();
  const [p50, p99] = [median(loads), loads.toSorted((a, b) => a - b)[197] ?? 0];
  return {
    load_p50_ms: p50,
    load_p99_ms: p99,
    open_cpu_ms: (used.user + used.system) / 1_000,
    open_rss_kib: opened / 1_024,
  };
};

const replaying: Measure = async (dir) => {
  const engine = openEngine(dir);
  for (let i = 0; i < 300; i++) await runTurn(engine, 'replay', GOAL);
  const lines = (await Array.fromAsync(engine.sessionTrace('local', 'replay'))).map((entry) => JSON.stringify(entry));
  await engine.close();
  const start = performance.now();
  const result = await replay(
    lines.map((line) => JSON.parse(line) as unknown),
    { gapless: true },
  );
  if (!result.ok) throw new EventNotAccepted(result.message);
  return { entries_per_s: (lines.length * 1_000) / (performance.now() - start) };
};

const measures: Record<string, Measure> = { one, sixtyFour, bytes, longTask, conversation, waiting, replaying };

const [, , name = '', dir = ''] = process.argv;
const measure = measures[name];
if (measure === undefined) throw new Error(`no measure "${name}"; there are ${Object.keys(measures).join(', ')}`);
const figures = await measure(dir);
// A corrupt store would make every figure worthless.
if (name === 'bytes') new Database(join(dir, 'tripact.db'), { readonly: true }).pragma('integrity_check');
console.log(JSON.stringify(figures));
