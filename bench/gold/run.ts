import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../crashtest/random.ts';
import { QUIET } from '../quiet.ts';
import { spread, startTools } from './benchmark.ts';
import type { Dialogue, Job, Kill } from './play.ts';

const AGENTS = ['tripact', 'langgraph', 'mastra', 'openai-agents', 'flue', 'workflow'];

const DIALOGUES = Number(process.env['GOLD_DIALOGUES'] ?? 10);
const SEEDS = Number(process.env['GOLD_SEEDS'] ?? 5);

/** Processes of each agent that share its dialogues. */
const LANES = Number(process.env['GOLD_LANES'] ?? 1);

/** The part of the dialogues that is played, as in `2/8`: a long run in pieces. */
const [PART = 1, PARTS = 1] = (process.env['GOLD_PART'] ?? '1/1').split('/').map(Number);

/** A dialogue without progress for longer than this counts as lost, in milliseconds. */
const LONGEST_MS = 900_000;

/** How often an agent may fail in a dialogue; its process is started again, as a supervisor would. */
const TRIES = 3;

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
  /** Dialogues in which a call that writes was repeated. */
  rewritten: number;
  left_out: number;
  lost: number;
  wrong: number;
}

const { address, dialogues, total, leftOut, close } = await startTools();
const chosen = spread(dialogues, DIALOGUES).filter((_, index) => index % PARTS === PART - 1);

/** Runs an agent until it has played all its jobs. A dialogue that hangs, or fails three times, is lost. */
const playAll = async (agent: string, dir: string, jobs: Job[], tally: Tally): Promise<Set<string>> => {
  const progress = join(dir, 'progress');
  const file = join(dir, 'jobs.json');
  writeFileSync(file, JSON.stringify(jobs));
  const lost = new Set<string>();
  const failures = new Map<string, number>();
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
    const count = (failures.get(failed.run) ?? 0) + 1;
    failures.set(failed.run, count);
    if (!stood && count < TRIES) continue;
    lost.add(failed.run);
    appendFileSync(progress, `${failed.run} lost\n`);
    const why = stood ? 'stood still' : (said.split('\n').find((each) => each.includes('Error')) ?? said.slice(0, 200));
    console.error(`lost: ${failed.run}, ${JSON.stringify(failed.kill)}: ${why}`);
  }
};

const words = process.argv.slice(2);
const agents = AGENTS.filter((name) => words.length === 0 || words.includes(name));
const tallies = new Map<string, Tally>(
  agents.map((name) => [
    name,
    { dialogues: 0, killed: 0, twice: 0, twice_writing: 0, rewritten: 0, left_out: 0, lost: 0, wrong: 0 },
  ]),
);
const base = mkdtempSync(join(process.env['BENCH_DIR'] ?? import.meta.dirname, '.stores-'));

/** The tools' server's report on a run. */
interface Came {
  twice: number;
  twice_writing: number;
  left_out: number;
  wrong: boolean;
}

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
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const dir = join(base, `${agent}-${seed}-${lane}`);
    mkdirSync(dir);
    return playAll(
      agent,
      dir,
      jobs.filter((_, index) => index % LANES === lane),
      tally,
    );
  });
  const lost = new Set((await Promise.all(lanes)).flatMap((each) => [...each]));
  for (const { run, kill } of jobs) {
    const came = (await (await fetch(`${address}/report/${run}`)).json()) as Came;
    if (process.env['GOLD_VERBOSE'] !== undefined)
      console.error(run, JSON.stringify({ ...kill, ...came, lost: lost.has(run) }));
    tally.dialogues += 1;
    tally.twice += came.twice;
    tally.twice_writing += came.twice_writing;
    tally.rewritten += Number(came.twice_writing > 0);
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

/** Wilson's 95 % interval of a share, in percent. */
const interval = (count: number, of: number): string => {
  const z = 1.96;
  const share = count / of;
  const middle = share + z ** 2 / (2 * of);
  const half = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  const percent = (end: number): string => ((100 * Math.max(0, end)) / (1 + z ** 2 / of)).toFixed(1);
  return `${count} of ${of} (${percent(middle - half)}–${percent(middle + half)} %)`;
};

console.log(`| agent | killed | repeated calls | … that write | runs with a repeated write | missing calls | lost | wrong end states |
|---|---:|---:|---:|---:|---:|---:|---:|`);
for (const [name, tally] of tallies) {
  const { dialogues: runs, killed, twice, twice_writing, rewritten, left_out, lost, wrong } = tally;
  const cells = [name, killed, twice, twice_writing, interval(rewritten, runs), left_out, lost, interval(wrong, runs)];
  console.log(`| ${cells.join(' | ')} |`);
}
console.log(
  `\n${chosen.length} of ${total} dialogues, ${leftOut.length} not playable, ${SEEDS} seeds, ` +
    `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
);
for (const each of leftOut) console.log(`- ${each}`);
