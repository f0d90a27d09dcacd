import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../crashtest/random.ts';
import { QUIET } from '../quiet.ts';
import { spread, startTools } from './benchmark.ts';
import type { Dialogue, Job, Kill } from './play.ts';

const AGENTS = ['tripact', 'langgraph', 'mastra', 'openai-agents'];

const DIALOGUES = Number(process.env['GOLD_DIALOGUES'] ?? 10);
const SEEDS = Number(process.env['GOLD_SEEDS'] ?? 5);

/** A dialogue without progress for longer than this counts as lost, in milliseconds. */
const LONGEST_MS = 300_000;

/** A number derived from a text (FNV-1a). */
const seedOf = (text: string): number =>
  [...text].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619), 2_166_136_261);

/** Where each agent is killed in a dialogue, by the seed. */
const killOf = ({ id, turns }: Dialogue, seed: number): Kill => {
  const random = createRandom(seedOf(`${id} ${seed}`));
  const call = random.below(turns.flatMap(({ calls }) => calls).length);
  return { call, when: random.pick(['asked', 'sent', 'done'] as const) };
};

/** The summed outcomes of an agent's dialogues. */
interface Tally {
  dialogues: number;
  killed: number;
  twice: number;
  twice_writing: number;
  left_out: number;
  lost: number;
  wrong: number;
}

const { address, dialogues, total, leftOut, close } = await startTools();
const chosen = spread(dialogues, DIALOGUES);

/** Runs an agent until it has played all its jobs. A killed one restarts; one that fails or hangs is lost. */
const playAll = async (agent: string, dir: string, jobs: Job[], tally: Tally): Promise<Set<string>> => {
  const progress = join(dir, 'progress');
  const file = join(dir, 'jobs.json');
  writeFileSync(file, JSON.stringify(jobs));
  const lost = new Set<string>();
  for (;;) {
    const child = spawn(process.execPath, [join(import.meta.dirname, `${agent}.ts`), file, dir, address], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...QUIET, NODE_COMPILE_CACHE: join(base, 'compiled') },
    });
    let said = '';
    child.stderr.on('data', (text) => (said += String(text)));
    let timer: NodeJS.Timeout | undefined;
    let stood = false;
    let seen = '';
    const look = (): void => {
      const now = existsSync(progress) ? readFileSync(progress, 'utf8') : '';
      stood = now === seen;
      seen = now;
      if (stood) child.kill('SIGKILL');
      else timer = setTimeout(look, LONGEST_MS);
    };
    timer = setTimeout(look, LONGEST_MS);
    await once(child, 'close');
    clearTimeout(timer);
    if (child.exitCode === 0) return lost;
    if (child.signalCode === 'SIGKILL' && !stood) {
      tally.killed += 1;
      continue;
    }
    const lines = existsSync(progress) ? readFileSync(progress, 'utf8').split('\n') : [];
    const failed = jobs.find(({ run }) => !lines.includes(`${run} ended`) && !lines.includes(`${run} lost`));
    if (failed === undefined) throw new Error(`${agent} does not end: ${said}`);
    lost.add(failed.run);
    appendFileSync(progress, `${failed.run} lost\n`);
    const why = stood ? 'stood still' : (said.split('\n').find((each) => each.includes('Error')) ?? said.slice(0, 200));
    console.error(`lost: ${failed.run}, ${JSON.stringify(failed.kill)}: ${why}`);
  }
};

const words = process.argv.slice(2);
const agents = AGENTS.filter((name) => words.length === 0 || words.includes(name));
const tallies = new Map<string, Tally>(
  agents.map((name) => [name, { dialogues: 0, killed: 0, twice: 0, twice_writing: 0, left_out: 0, lost: 0, wrong: 0 }]),
);
const base = mkdtempSync(join(process.env['BENCH_DIR'] ?? import.meta.dirname, '.stores-'));

/** Plays all chosen dialogues with an agent, and sums up the outcomes. */
const playSeed = async (agent: string, seed: number): Promise<void> => {
  const tally = tallies.get(agent)!;
  const jobs = chosen.map((dialogue) => ({
    run: `${agent}-${seed}-${dialogue.id}`,
    dialogue,
    kill: killOf(dialogue, seed),
  }));
  for (const { run, dialogue, kill } of jobs)
    await fetch(`${address}/start`, { method: 'POST', body: JSON.stringify({ run, dialogue: dialogue.id, kill }) });
  const dir = join(base, `${agent}-${seed}`);
  mkdirSync(dir);
  const lost = await playAll(agent, dir, jobs, tally);
  for (const { run, kill } of jobs) {
    const came = (await (await fetch(`${address}/report/${run}`)).json()) as Omit<Tally, 'wrong'> & { wrong: boolean };
    if (process.env['GOLD_VERBOSE'] !== undefined)
      console.error(run, JSON.stringify({ ...kill, ...came, lost: lost.has(run) }));
    tally.dialogues += 1;
    tally.twice += came.twice;
    tally.twice_writing += came.twice_writing;
    tally.left_out += lost.has(run) ? 0 : came.left_out;
    tally.lost += Number(lost.has(run));
    tally.wrong += Number(came.wrong && !lost.has(run));
  }
};

const startedAt = performance.now();
try {
  for (let seed = 1; seed <= SEEDS; seed++) await Promise.all(agents.map((agent) => playSeed(agent, seed)));
} finally {
  rmSync(base, { recursive: true, force: true });
  close();
}

console.log(`| agent | dialogues | kill -9 | calls done twice | … that write | left out | lost | end states wrong |
|---|---:|---:|---:|---:|---:|---:|---:|`);
for (const [name, { dialogues: count, killed, twice, twice_writing, left_out: missing, lost, wrong }] of tallies)
  console.log(`| ${[name, count, killed, twice, twice_writing, missing, lost, wrong].join(' | ')} |`);
console.log(
  `\n${chosen.length} of ${total} dialogues, ${leftOut.length} not playable, ${SEEDS} seeds, ` +
    `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
);
for (const each of leftOut) console.log(`- ${each}`);
