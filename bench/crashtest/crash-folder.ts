import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TraceEntry } from '../../contracts/trace.ts';
import { createClient } from './client.ts';
import { converse } from './conversation.ts';
import { judgeAnswers, judgeRuns, judgeTodos } from './judge-effects.ts';
import { judgePlanFile } from './judge-files.ts';
import { judgeRest, readTrace } from './judge-rest.ts';
import { judgeStore } from './judge-store.ts';
import { createKiller } from './kill.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createMoments, type Moment } from './moments.ts';
import { createOpenEffects } from './open-effect.ts';
import { createRandom } from './random.ts';
import { createServiceProcess } from './service-process.ts';
import { readStoredState } from './stored-state.ts';
import { startWorld } from './world.ts';

/** How long the service gets to finish all that is open once nothing kills it any more, in milliseconds. */
const REST_MS_MAX = 60_000;

/** One data folder under load and kills, from empty to rest. */
export interface CrashFolder {
  seed: number;
  sessions: number;
  /** When to kill, one after the other. */
  moments: Moment[];
  onKill(): void;
}

/** What came of it. */
export interface FolderResult {
  ledger: Ledger;
  entries: TraceEntry[];
  /** The moments of the kills, by whether the moment came or its wait ran out. */
  hit: Moment[];
  missed: Moment[];
  /** How many todos there are of a text. */
  todos: Map<string, number>;
  /** Where everything lies when something was violated; removed otherwise. */
  dataDir: string;
}

/** Runs the load in one data folder, kills at each moment and judges the store each time; then lets it rest, and judges all of it. */
export const crashFolder = async ({ seed, sessions, moments: plan, onKill }: CrashFolder): Promise<FolderResult> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tripact-crash-'));
  const random = createRandom(seed);
  const ledger = createLedger();
  const { violations } = ledger;
  const moments = createMoments(random);
  const openEffects = createOpenEffects(dataDir);
  const world = await startWorld({ ledger, moments, random: createRandom(seed + 1), openEffects });
  const service = createServiceProcess({
    dataDir,
    worldUrl: world.url,
    onOwnEnd: (how) => violations.push({ rule: 'endedByItself', detail: how }),
  });
  const client = createClient({ service, ledger, moments });
  const killAt = createKiller({ service, moments, random, dataDir });
  let isOver = false;

  const judgeCrash = (): void => {
    const stored = readStoredState(dataDir);
    if (stored !== null) violations.push(...judgeStore(ledger, stored));
  };

  /** Lets all that is open finish without a crash, and reads it back. */
  const comeToRest = async (names: string[], conversations: Promise<unknown>): Promise<TraceEntry[]> => {
    await service.start();
    const isResting = await Promise.race([conversations.then(() => true), sleep(REST_MS_MAX, false, { ref: false })]);
    if (!isResting) {
      const open = ledger.turns.filter(({ reply }) => reply === null).map(({ key, input }) => `${key} "${input}"`);
      violations.push({ rule: 'notAtRest', detail: `after ${REST_MS_MAX} ms: ${open.join(', ')}` });
    }
    const url = await Promise.race([service.url(), service.ended().then(() => null)]);
    if (url === null) throw new Error('the service ended before it came to rest');
    const entries: TraceEntry[] = [];
    for (const name of names) {
      const trace = await readTrace(url, name, ledger.cancelled);
      entries.push(...trace.entries);
      violations.push(...trace.found, ...judgePlanFile(dataDir, name, trace.entries));
      violations.push(...(await judgeRest(url, name, ledger)));
    }
    return entries;
  };

  const names = Array.from({ length: sessions }, (_, i) => `s${i + 1}`);
  const conversations = Promise.all(
    names.map((session_id, i) =>
      converse({ session_id, client, random: createRandom(seed + 2 + i), isOver: () => isOver }),
    ),
  );
  // A refused request is in the ledger, and what was not finished is told at rest.
  conversations.catch(() => {});
  const hit: Moment[] = [];
  const missed: Moment[] = [];
  for (const moment of plan) {
    ((await killAt(moment)) ? hit : missed).push(moment);
    judgeCrash();
    onKill();
    if (violations.length > 0) break;
  }
  isOver = true;
  let entries: TraceEntry[] = [];
  try {
    entries = await comeToRest(names, conversations);
  } catch (error) {
    violations.push({ rule: 'notAtRest', detail: String(error) });
  }
  await service.terminate();
  openEffects.release();
  await world.close();
  judgeCrash();
  const todos = readStoredState(dataDir)?.todos ?? new Map<string, number>();
  // Without the whole trace everything would seem to be missing from it.
  if (entries.length > 0)
    violations.push(...judgeTodos(todos, entries), ...judgeAnswers(ledger, entries), ...judgeRuns(ledger, entries));
  if (violations.length === 0) rmSync(dataDir, { recursive: true, force: true });
  return { ledger, entries, hit, missed, todos, dataDir };
};
