import { crashFolder, type FolderResult } from './crash-folder.ts';
import { MOMENTS, type Moment } from './moments.ts';
import { createRandom, type Random } from './random.ts';

/**
 * Kills in one data folder. Then everything settles, all checks run, and a new folder starts, so that no check grows
 * without bound.
 */
const KILLS_PER_FOLDER = 50;

/**
 * Distance between the seeds of two folders, for each kill between them: a folder uses one for each of its sessions.
 */
const SEEDS_PER_KILL = 1_000;

/** Options of a run. */
export interface CrashTest {
  kills: number;
  seed: number;
  sessions: number;
  /** Only this moment; absent: all in turn. */
  at?: Moment;
  /** Called after every kill with the number of kills so far. */
  onKill(count: number): void;
}

const shuffled = <Each>(list: Each[], random: Random): Each[] => {
  const rest = [...list];
  return list.map(() => rest.splice(random.below(rest.length), 1)[0]!);
};

/** Every moment once before any is repeated, each time in another order. */
const planKills = ({ kills, at }: CrashTest, random: Random): Moment[] => {
  const all = at === undefined ? (Object.keys(MOMENTS) as Moment[]) : [at];
  const plan: Moment[] = [];
  while (plan.length < kills) plan.push(...shuffled(all, random));
  return plan.slice(0, kills);
};

/** Runs folder after folder until all kills are done or a rule was violated. */
export const crashtest = async (test: CrashTest): Promise<FolderResult[]> => {
  const { seed, sessions, onKill } = test;
  const plan = planKills(test, createRandom(seed));
  const results: FolderResult[] = [];
  let count = 0;
  for (let from = 0; from < plan.length; from += KILLS_PER_FOLDER) {
    const result = await crashFolder({
      seed: seed + from * SEEDS_PER_KILL,
      sessions,
      moments: plan.slice(from, from + KILLS_PER_FOLDER),
      onKill: () => {
        count += 1;
        onKill(count);
      },
    });
    results.push(result);
    if (result.ledger.violations.length > 0) break;
  }
  return results;
};
