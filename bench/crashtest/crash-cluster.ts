import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { TraceEntry } from '../../contracts/trace.ts';
import { judge, recordCommits } from '../../test/support/postgres/laws.ts';
import { checkReminded } from './check-reminders.ts';
import { checkSettled, traceAt } from './check-settled.ts';
import { createClient } from './client.ts';
import { FAULTS, type Fault, keyOf, startCrashCluster } from './cluster.ts';
import { converse } from './conversation.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createMoments } from './moments.ts';
import { createRandom } from './random.ts';
import { compete } from './rivals.ts';
import { startStubServers } from './stub-servers.ts';

/** Mean time between two faults, in milliseconds. */
const PAUSE_MS_MEAN = 2_500;

/** How long the cluster gets to finish all open work after the last fault, in milliseconds. */
const SETTLE_MS_MAX = 300_000;

/** The owner of every second session, and of the rivals. Each other session has its own owner. */
const SHARED = 'shared';

/** Prefix of the rivals' session names. */
const RIVALS = 'rivals';

/** The open work: turns, callbacks, and due reminders. */
const OPEN = `SELECT (SELECT count(*) FROM turns WHERE finished_at IS NULL) + (SELECT count(*) FROM outbox WHERE state = 'pending')
  + (SELECT count(*) FROM reminders WHERE due_at IS NOT NULL) AS open`;

/** Options of a run. */
export interface ClusterTest {
  /** Faults in all. */
  kills: number;
  seed: number;
  sessions: number;
  nodes: number;
  /** Restate assigns the homes; otherwise leases do. */
  hasRestate: boolean;
  onFault(count: number, fault: Fault): void;
}

/** The recorded result. */
export interface ClusterResult {
  ledger: Ledger;
  entries: TraceEntry[];
  faults: Fault[];
  broken: string[];
  figures: [string, number][];
}

/** Runs the load on a cluster with overlapping faults, then lets everything settle, and checks the rules. */
export const crashCluster = async (test: ClusterTest): Promise<ClusterResult> => {
  const { kills, seed, sessions, hasRestate, onFault } = test;
  const random = createRandom(seed);
  const ledger = createLedger();
  const moments = createMoments(random);
  const asked = new Map<string, number>();
  // The same prompt is asked again if an answer was lost.
  const of = (_session: string, _goal: string, prompt: string): string => {
    const hash = createHash('sha256')
      .update(prompt.replace(/^Current time: .*$/m, ''))
      .digest('base64');
    asked.set(hash, (asked.get(hash) ?? 0) + 1);
    return hash;
  };
  const stubs = await startStubServers({ ledger, moments, random: createRandom(seed + 1), openEffects: { of } });
  const ownerOf = new Map(
    Array.from({ length: sessions }, (_, i) => [`s${i + 1}`, i % 2 === 0 ? SHARED : `owner${i + 1}`]),
  );
  const cluster = await startCrashCluster({
    nodes: test.nodes,
    owners: [...new Set([SHARED, ...ownerOf.values()])],
    stubUrl: stubs.url,
    hasRestate,
    random: createRandom(seed + 2),
    onOwnEnd: (how) => ledger.violations.push({ rule: 'endedByItself', detail: how }),
  });
  try {
    await recordCommits(cluster.databaseUrl);
    const clients = new Map(
      [SHARED, ...ownerOf.values()].map((owner) => [
        owner,
        createClient({ service: cluster, ledger, moments, apiKey: keyOf(owner), callbackUrl: `${stubs.url}/hook` }),
      ]),
    );
    let isOver = false;
    const conversations = Promise.allSettled([
      ...[...ownerOf].map(([session_id, owner], i) =>
        converse({
          session_id,
          client: clients.get(owner)!,
          random: createRandom(seed + 3 + i),
          isOver: () => isOver,
        }),
      ),
      compete({ name: RIVALS, client: clients.get(SHARED)!, ledger, random, isOver: () => isOver }),
    ]);

    const faults: Fault[] = [];
    const over: Promise<void>[] = [];
    const began = performance.now();
    const names = Object.keys(FAULTS) as Fault[];
    while (faults.length < kills && ledger.violations.length === 0) {
      await sleep(random.exponential(PAUSE_MS_MEAN));
      const fault = random.pick(names);
      const begun = cluster.begin(fault);
      if (begun === null) continue;
      faults.push(fault);
      over.push(begun);
      onFault(faults.length, fault);
    }
    await Promise.all(over);
    const underFire = performance.now() - began;
    isOver = true;

    const settled = async (): Promise<boolean> => {
      // A refused request is in the ledger.
      await conversations;
      const database = new pg.Client(cluster.databaseUrl);
      // It may still be querying when the cluster ends.
      database.on('error', () => {});
      await database.connect();
      try {
        while (Number((await database.query<{ open: string }>(OPEN)).rows[0]!.open) > 0) await sleep(500);
      } finally {
        await database.end();
      }
      return true;
    };
    const broken: string[] = [];
    const isSettled = await Promise.race([settled(), sleep(SETTLE_MS_MAX, false, { ref: false })]);
    if (!isSettled) broken.push(`not settled after ${SETTLE_MS_MAX} ms`);
    const settling = performance.now() - began - underFire;

    const headersOf = (owner: string) => ({ authorization: `Bearer ${keyOf(owner)}` });
    const judged = await judge(cluster.databaseUrl, async (owner, session) =>
      traceAt(await cluster.url(), session, headersOf(owner)),
    );
    broken.push(...judged.broken);
    for (const [session, owner] of isSettled ? ownerOf : [])
      ledger.violations.push(...(await checkSettled(await cluster.url(), session, ledger, headersOf(owner))));
    ledger.violations.push(...checkReminded(ledger, judged.entries));
    for (const [effect, runs] of Map.groupBy(ledger.runs, ({ effect_id }) => effect_id))
      if (runs.length > 1 && runs[0]!.tool !== 'ledger_again')
        ledger.violations.push({ rule: 'onceTwice', detail: `${effect}: ${runs.map(({ life }) => life).join(', ')}` });
    // A fork also has the answers of its task.
    const committed = judged.entries.flatMap(({ session_id, event }) =>
      'usage' in event && !session_id.startsWith(RIVALS) ? [event.usage?.input_tokens] : [],
    );
    for (const [answer, those] of Map.groupBy(committed, (each) => each))
      if (answer !== undefined && those.length > 1)
        ledger.violations.push({
          rule: 'answerUnknown',
          detail: `answer ${answer} is committed ${those.length} times`,
        });
    return {
      ledger,
      entries: judged.entries,
      faults,
      broken,
      figures: [
        ['seconds under faults', Math.round(underFire / 1_000)],
        ['seconds until all had settled', Math.round(settling / 1_000)],
        ['turns and commands acknowledged', ledger.turns.filter(({ turn_id }) => turn_id !== null).length],
        ['commits of owners', judged.commits],
        ['trace entries replayed', judged.entries.length],
        ['model calls', ledger.purchases.length],
        ['… bought again', [...asked.values()].reduce((sum, times) => sum + times - 1, 0)],
        ['runs of outside tools', ledger.runs.length],
        ['callbacks received', ledger.callbacks.length],
      ],
    };
  } finally {
    await cluster.end();
    await stubs.close();
  }
};
