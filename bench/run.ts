import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Repetitions of each measure, interleaved, each in a new process with a new store. */
const REPETITIONS = Number(process.env['BENCH_REPS'] ?? 5);

/** The measures, and the goals for their figures. */
const MEASURES: { name: string; script: string; title: string; goals: Record<string, string> }[] = [
  { name: 'one', script: 'measure.ts', title: 'one session at a time, µs an effect', goals: { ratio: '≤ 1.9' } },
  {
    name: 'sixtyFour',
    script: 'measure.ts',
    title: '64 sessions in one process, µs an effect',
    goals: { ratio: '≤ 2.8' },
  },
  { name: 'longTask', script: 'measure.ts', title: 'one task of 500 effects, µs an effect', goals: { ratio: '≤ 1.2' } },
  {
    name: 'conversation',
    script: 'measure.ts',
    title: '200 tasks in one session, µs an effect',
    goals: { ratio: '≤ 1.2' },
  },
  { name: 'bytes', script: 'measure.ts', title: 'bytes on disk an effect', goals: { ratio: '≤ 2' } },
  { name: 'waiting', script: 'measure.ts', title: '10,000 waiting sessions', goals: { load_p50_ms: '≤ 10' } },
  { name: 'replaying', script: 'measure.ts', title: 'replay', goals: { entries_per_s: '≥ 10,000' } },
  {
    name: 'cold',
    script: 'measure-http.ts',
    title: 'from spawning the process: ready, the first model call; the first turn behind /readyz',
    goals: { first_model_call_ms: '≤ 600', first_turn_ms: '≤ 120' },
  },
  { name: 'http', script: 'measure-http.ts', title: 'HTTP with the offline model, 16 clients', goals: {} },
  {
    name: 'service',
    script: 'measure-service.ts',
    title: '1,000 turns at once, 4 model calls of 1 s each, and the SDK alone; a model call',
    goals: { cpu_ratio: '≤ 1.25', peak_ratio: '≤ 1.5', p99_ratio: '≤ 2' },
  },
  {
    name: 'answers',
    script: 'measure-answers.ts',
    title:
      'answers of 100 pieces, streamed beside whole, with a client that listens and with one that does not; a model call',
    goals: { watched_ratio: '≤ 1.05', unwatched_ratio: '≤ 1.05', first_text_p99_ms: '≤ 100' },
  },
  {
    name: 'followers',
    script: 'measure-followers.ts',
    title: 'followers of a session over HTTP, processor time of an effect',
    goals: { ratio_1: '≤ 1.1' },
  },
  {
    name: 'load',
    script: 'measure-load.ts',
    title: 'under load: 1,000 turns in flight, 1,000 connections, a greedy caller, more than it can carry',
    goals: { flight_p99_delay_ms: '≤ 50', flight_answered: '1,000', modest_answered: '50', unexpected: '0', lost: '0' },
  },
  {
    name: 'nodes',
    script: 'measure-cluster.ts',
    title:
      'SQLite, and PostgreSQL with 1, 2 and 4 nodes: 64 sessions over HTTP, a model that answers at once; an effect',
    goals: {},
  },
  { name: 'busy', script: 'measure-cluster.ts', title: 'what 600 and 3,000 sessions add to a turn of 15 s', goals: {} },
  { name: 'forwarded', script: 'measure-cluster.ts', title: 'two nodes: direct and forwarded', goals: {} },
  {
    name: 'takeover',
    script: 'measure-cluster.ts',
    title: 'kill -9 of the home of 1, 100, 1,000 tasks: to the first and the last call elsewhere',
    goals: {},
  },
  {
    name: 'back',
    script: 'measure-cluster.ts',
    title: 'two nodes: PostgreSQL killed, away for 2, 20, 60 s, and back: to ready, and to an answer at each',
    goals: {},
  },
];

const USAGE = `npm run bench -- [<measure> …]

Takes the measures named, or all of them, each ${REPETITIONS} times in new processes on loopback, and prints a table of medians.
${MEASURES.map(({ name, title }) => `  ${name.padEnd(14)} ${title}`).join('\n')}

Environment:
  BENCH_REPS        how often each is taken (5)
  BENCH_DIR         the folder on whose disk the stores lie (the current one)
  BENCH_MAIN        src/main.mjs of another build: http, cold, service, followers and load measure that one
  BENCH_SESSIONS    turns at once that service and load take (1,000)
  BENCH_NODE_FLAGS  flags for the service's process, such as "--cpu-prof --cpu-prof-dir=/tmp/profiles"`;

const run = promisify(execFile);

const wanted = process.argv.slice(2);
if (wanted.includes('--help')) {
  console.log(USAGE);
  process.exit(0);
}
const unknown = wanted.find((name) => !MEASURES.some((measure) => measure.name === name));
if (unknown !== undefined) {
  console.error(`There is no measure "${unknown}".\n\n${USAGE}`);
  process.exit(2);
}

// All folders stay until the end: ext4 takes 50 times as long to create a file just after many were removed.
const base = mkdtempSync(join(process.env['BENCH_DIR'] ?? process.cwd(), '.bench-'));

const measureOnce = async (script: string, name: string): Promise<Record<string, number>> => {
  const dir = mkdtempSync(join(base, `${name}-`));
  const { stdout } = await run(process.execPath, ['--expose-gc', join(import.meta.dirname, script), name, dir]);
  return JSON.parse(stdout) as Record<string, number>;
};

const shown = (value: number): string => {
  if (value >= 1_000) return Math.round(value).toLocaleString('en');
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
};

const chosen = MEASURES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const samples = new Map<string, Record<string, number>[]>();
try {
  for (let repetition = 0; repetition < REPETITIONS; repetition++)
    for (const { name, script } of chosen) {
      process.stderr.write(`\r${repetition + 1}/${REPETITIONS} ${name.padEnd(14)}`);
      samples.set(name, [...(samples.get(name) ?? []), await measureOnce(script, name)]);
    }
} finally {
  rmSync(base, { recursive: true, force: true });
}
process.stderr.write(`${'\r'.padEnd(30)}\r`);

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, median (min–max) of ${REPETITIONS}.\n`);
console.log('| measure | figure | median | spread | to reach |\n|---|---|---:|---:|---|');
for (const { name, title, goals } of chosen) {
  const runs = samples.get(name) ?? [];
  for (const figure of new Set(runs.flatMap(Object.keys))) {
    const sorted = runs.flatMap((values) => values[figure] ?? []).sort((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
    const spread = `${shown(sorted[0] ?? 0)}–${shown(sorted.at(-1) ?? 0)}`;
    console.log(`| ${title} | ${figure} | ${shown(middle)} | ${spread} | ${goals[figure] ?? ''} |`);
  }
}
