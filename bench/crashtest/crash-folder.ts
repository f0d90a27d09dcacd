import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TraceEntry } from '../../contracts/trace.ts';
import { checkCallbacks } from './check-callbacks.ts';
import { checkAnswers, checkRuns, checkTodos } from './check-effects.ts';
import { checkPlanFile } from './check-plan-file.ts';
import { checkReminded } from './check-reminders.ts';
import { checkSettled, readTrace } from './check-settled.ts';
import { checkStore } from './check-store.ts';
import { createClient } from './client.ts';
import { converse } from './conversation.ts';
import { createKiller } from './kill.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createMoments, type Moment } from './moments.ts';
import { createOpenEffects } from './open-effect.ts';
import { createRandom } from './random.ts';
import { compete } from './rivals.ts';
import { createServiceProcess } from './service-process.ts';
import { readStoredState } from './stored-state.ts';
import { startStubServers } from './stub-servers.ts';

/** How long the service gets to finish all open work after the last kill, in milliseconds. */
const SETTLE_MS_MAX = 60_000;

/** How long after the last command its reminder has arrived, in milliseconds. */
const REMINDED_MS = 3_000;

/** Sessions for each session of rivals. */
const SESSIONS_A_RIVALRY = 6;

/** One data folder under load and kills, from empty until settled. */
export interface CrashFolder {
  seed: number;
  sessions: number;
  /** When to kill, one after the other. */
  moments: Moment[];
  onKill(): void;
}

/** The recorded result. */
export interface FolderResult {
  ledger: Ledger;
  entries: TraceEntry[];
  /** The moments of the kills: those that came, and those whose wait ran out. */
  hit: Moment[];
  missed: Moment[];
  /** The number of todos with each text. */
  todos: Map<string, number>;
  /** The folder with everything if a rule was violated; otherwise removed. */
  dataDir: string;
}

/**
 * Runs the load in one data folder, kills at each moment and checks the store each time; then lets everything settle
 * and runs all checks.
 */
export const crashFolder = async ({ seed, sessions, moments: plan, onKill }: CrashFolder): Promise<FolderResult> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tripact-crash-'));
  const random = createRandom(seed);
  const ledger = createLedger();
  const { violations } = ledger;
  const moments = createMoments(random);
  const openEffects = createOpenEffects(dataDir);
  const stubs = await startStubServers({ ledger, moments, random: createRandom(seed + 1), openEffects });
  const service = createServiceProcess({
    dataDir,
    stubUrl: stubs.url,
    onOwnEnd: (how) => violations.push({ rule: 'endedByItself', detail: how }),
  });
  const client = createClient({ service, ledger, moments });
  const killAt = createKiller({ service, moments, random, dataDir });
  let isOver = false;

  const checkAfterCrash = (): void => {
    const stored = readStoredState(dataDir);
    if (stored !== null) violations.push(...checkStore(ledger, stored), ...checkCallbacks(ledger, stored));
  };

  /** Waits until all open work has finished without a crash, and reads it back. */
  const settleAll = async (names: string[], conversations: Promise<unknown>): Promise<TraceEntry[]> => {
    await service.start();
    const isSettled = await Promise.race([conversations.then(() => true), sleep(SETTLE_MS_MAX, false, { ref: false })]);
    if (!isSettled) {
      const open = ledger.turns.filter(({ reply }) => reply === null).map(({ key, input }) => `${key} "${input}"`);
      violations.push({ rule: 'notSettled', detail: `after ${SETTLE_MS_MAX} ms: ${open.join(', ')}` });
    }
    const url = await Promise.race([service.url(), service.ended().then(() => null)]);
    if (url === null) throw new Error('the service ended before it came to rest');
    await sleep(REMINDED_MS);
    const entries: TraceEntry[] = [];
    for (const name of names) {
      const trace = await readTrace(url, name, ledger.cancelled);
      entries.push(...trace.entries);
      violations.push(...trace.found, ...checkPlanFile(dataDir, name, trace.entries));
      violations.push(...(await checkSettled(url, name, ledger)));
    }
    for (const name of ledger.rivals) {
      const isRemoved = ledger.removed.get(name);
      const { status } = await fetch(`${url}/v1/sessions/${name}`);
      if (isRemoved === true && status !== 404)
        violations.push({ rule: 'removedBack', detail: `${name} is answered with ${status}` });
      if (isRemoved !== undefined && status === 404) continue;
      violations.push(...(await readTrace(url, name, ledger.cancelled)).found);
      if (isRemoved === undefined) violations.push(...(await checkSettled(url, name, ledger)));
    }
    return entries;
  };

  const names = Array.from({ length: sessions }, (_, i) => `s${i + 1}`);
  const rivalries = Array.from({ length: Math.ceil(sessions / SESSIONS_A_RIVALRY) }, (_, i) => `rivals${i + 1}`);
  const conversations = Promise.all([
    ...names.map((session_id, i) =>
      converse({ session_id, client, random: createRandom(seed + 2 + i), isOver: () => isOver }),
    ),
    ...rivalries.map((name, i) =>
      compete({ name, client, ledger, random: createRandom(seed + 2 + sessions + i), isOver: () => isOver }),
    ),
  ]);
  // A refused request is in the ledger, and unfinished work is reported once everything has settled.
  conversations.catch(() => {});
  const hit: Moment[] = [];
  const missed: Moment[] = [];
  for (const moment of plan) {
    ((await killAt(moment)) ? hit : missed).push(moment);
    checkAfterCrash();
    onKill();
    if (violations.length > 0) break;
  }
  isOver = true;
  let entries: TraceEntry[] = [];
  try {
    entries = await settleAll(names, conversations);
  } catch (error) {
    violations.push({ rule: 'notSettled', detail: String(error) });
  }
  await service.terminate();
  openEffects.release();
  await stubs.close();
  checkAfterCrash();
  const todos = readStoredState(dataDir)?.todos ?? new Map<string, number>();
  // Without the whole trace, everything would seem to be missing from it.
  if (entries.length > 0)
    violations.push(
      ...[...checkTodos(todos, entries), ...checkAnswers(ledger, entries)],
      ...[...checkRuns(ledger, entries), ...checkReminded(ledger, entries)],
    );
  if (violations.length === 0) rmSync(dataDir, { recursive: true, force: true });
  return { ledger, entries, hit, missed, todos, dataDir };
};
