import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { measureCrash, measureOne, measureResume } from './measure.ts';
import { PEERS } from './peers.ts';
import { type Measured, report } from './report.ts';

/** Repetitions of each measure, interleaved over all peers, so that a slow phase of the machine affects them all. */
const REPETITIONS = Number(process.env['BENCH_REPS'] ?? 3);

const words = process.argv.slice(2);
const chosen = PEERS.flatMap((peer) => peer.variants.map((variant) => ({ peer, variant }))).filter(
  ({ peer, variant }) => words.length === 0 || words.some((word) => `${peer.name}:${variant}`.includes(word)),
);
if (chosen.length === 0) {
  console.error(`no such peer; there are ${PEERS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

// Not in the system's temporary folder, which may be in memory: an fsync has to cost what it really costs.
const parent = process.env['BENCH_DIR'] ?? import.meta.dirname;
mkdirSync(parent, { recursive: true });
const base = mkdtempSync(join(parent, '.stores-'));
chmodSync(base, 0o755); // A server may run as another user.

const progress = (line: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
};

const all: Measured[] = chosen.map((each) => ({
  ...each,
  versions: '',
  durability: '',
  rates: [],
  resume: [],
  long: [],
  conversation: [],
  repeated: null,
  failure: null,
}));

/** Measures, unless this variant failed before. A peer that cannot start is skipped by name and stops no other. */
const attempt = async (measured: Measured, what: string, work: () => Promise<void>): Promise<void> => {
  if (measured.failure !== null) return;
  progress(`${what} ${measured.peer.name} ${measured.variant}`);
  try {
    await work();
  } catch (error) {
    measured.failure = `${what}: ${(error as Error).message.split('\n')[0]}`;
  }
};

const rate = (measured: Measured): Promise<void> =>
  attempt(measured, 'rates', async () => {
    const { versions, durability, figures } = await measureOne(base, measured.peer, measured.variant, 'rates');
    measured.versions = versions;
    measured.durability = durability;
    measured.rates.push(figures);
  });

const behave = async (measured: Measured): Promise<void> => {
  const { peer, variant } = measured;
  await attempt(measured, 'cold resume', async () => {
    measured.resume.push(await measureResume(base, peer, variant));
  });
  await attempt(measured, 'long task', async () => {
    measured.long.push((await measureOne(base, peer, variant, 'long')).figures);
  });
  await attempt(measured, 'conversation', async () => {
    measured.conversation.push((await measureOne(base, peer, variant, 'conversation')).figures);
  });
};

const startedAt = performance.now();
try {
  const firsts = all.filter(({ peer, variant }) => variant === peer.variants[0]);
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    for (const measured of all) await rate(measured);
    for (const measured of firsts) await behave(measured);
  }
  for (const measured of firsts)
    await attempt(measured, 'kill -9', async () => {
      measured.repeated = await measureCrash(base, measured.peer, measured.variant);
    });
  progress('');
  console.log(report(all, REPETITIONS));
  console.log(`\n${((performance.now() - startedAt) / 1_000).toFixed(0)} s in all`);
} finally {
  rmSync(base, { recursive: true, force: true });
}
