import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import type { TurnView } from '../../../contracts/http.ts';
import { makeDataDir, type SqliteTestEngine, startSqliteEngine } from '../engine/sqlite-engine.ts';
import { createExternalCalls, ENDING, type ExternalCalls } from './external-calls.ts';
import type { History, Move } from './moves.ts';
import { SESSIONS } from './moves.ts';

/** Rounds in which everything that is left comes to its end; a history that needs more hangs. */
const ENDING_ROUNDS_MAX = 500;

/** What a turn is refused with when nothing is wrong with the service. */
const REFUSALS = new Set([
  'TASK_RUNNING',
  'IDEMPOTENCY_KEY_REUSED',
  'SHUTTING_DOWN',
  'TASK_FINISHED',
  'TASK_NOT_FOUND',
]);

/** What a simulated external failure is logged as; anything else that is logged as an error is a fault of the engine. */
const EXPECTED_LOGS = new Set(['the model adapter failed', 'a transactional tool threw']);

type Say = Extract<Move, { kind: 'say' }>;

/** A turn that the service took in, and how it was sent. */
export interface AcknowledgedTurn {
  sent: Say;
  turn: TurnView;
}

/** A history that was played to its end. */
export interface PlayedHistory {
  readonly last: SqliteTestEngine;
  readonly external: ExternalCalls;
  /** In the order they were sent. */
  readonly acknowledged: readonly AcknowledgedTurn[];
  /** What must not have happened, in words. */
  readonly faults: readonly string[];
}

const eventLoopTurns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise(setImmediate);
};

let emptyStore: Buffer | undefined;

/** A data folder with an empty store in it: migrating one takes longer than a whole history. */
const dataDirWithStore = (): string => {
  const dataDir = makeDataDir();
  if (emptyStore === undefined) {
    startSqliteEngine({ dataDir, model: createExternalCalls(() => {}).model }).crash();
    emptyStore = readFileSync(`${dataDir}/tripact.db`);
  } else writeFileSync(`${dataDir}/tripact.db`, emptyStore);
  return dataDir;
};

/** Plays a history on a real store through all its crashes, finishes everything, and passes it to `check`. */
export const playHistory = async (
  { limits, verifies, moves }: History,
  check: (played: PlayedHistory) => Promise<void>,
): Promise<void> => {
  const dataDir = dataDirWithStore();
  const spy = new Database(`${dataDir}/tripact.db`);
  const outcomeOf = spy.prepare("SELECT count(*) FROM entries WHERE event ->> 'effect_id' = ?").pluck();
  const faults: string[] = [];
  const acknowledged: (AcknowledgedTurn | null)[] = [];
  let now = 1_000_000_000_000;
  let seamsLeft = Number.POSITIVE_INFINITY;
  let life = 0;
  let isDead = true;
  let death = Promise.withResolvers<void>();
  let opened: SqliteTestEngine | undefined;

  const external = createExternalCalls((effectId) => {
    if (outcomeOf.get(effectId) !== 0) faults.push(`${effectId} was performed again after its outcome was stored`);
  });
  /** What a process logs while it lives; a dead one may complain of its closed store. */
  const logOf = (bornIn: number) => {
    const write = (line: string): void => {
      const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string } };
      if (bornIn === life && !isDead && !EXPECTED_LOGS.has(msg)) faults.push(`${msg}: ${err?.message}`);
    };
    return pino({ level: 'error' }, { write });
  };

  const living = (): SqliteTestEngine => {
    while (isDead || opened === undefined) {
      isDead = false;
      death = Promise.withResolvers();
      const bornIn = ++life;
      seamsLeft = Number.POSITIVE_INFINITY;
      try {
        opened = startSqliteEngine({
          dataDir,
          log: logOf(bornIn),
          limits,
          model: external.model,
          tools: external.tools,
          verifiers: verifies ? [external.verifier] : [],
          now: () => now,
          diesAt: () => {
            if (bornIn !== life || --seamsLeft > 0) return false;
            isDead = true;
            death.resolve();
            return true;
          },
        });
      } catch (error) {
        if (!isDead) throw error;
      }
    }
    return opened;
  };

  /** Errors of a process that died meanwhile are nobody's. */
  const refused = (bornIn: number, error: unknown): void => {
    if (bornIn === life && !isDead && !REFUSALS.has((error as { code: string }).code)) faults.push(String(error));
  };

  const say = (sent: Say): void => {
    const { kind: _, session, key, ...request } = sent;
    const asked = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
    const place = acknowledged.push(null) - 1;
    const bornIn = life;
    living()
      .engine.submit({
        owner: 'local',
        session_id: session,
        input: request.input,
        ...asked,
        ...(key !== undefined && { idempotency_key: key }),
      })
      .then(
        ({ turn }) => {
          acknowledged[place] = { sent, turn };
        },
        (error: unknown) => refused(bornIn, error),
      );
  };

  const cancel = async (which: number): Promise<void> => {
    const { engine } = living();
    const bornIn = life;
    const taskIds = async (): Promise<string[]> => {
      const { items } = await engine.sessions('local', { limit: SESSIONS.length });
      const tasks = await Promise.all(items.map(({ session_id }) => engine.tasks('local', session_id, { limit: 500 })));
      return tasks.flatMap((page) => page.items.map(({ id }) => id));
    };
    try {
      const ids = await taskIds();
      if (ids.length === 0) return;
      engine.cancel('local', ids[which % ids.length]!).catch((error: unknown) => refused(bornIn, error));
    } catch (error) {
      refused(bornIn, error);
    }
  };

  const happens = async (move: Move): Promise<void> => {
    switch (move.kind) {
      case 'say':
        return say(move);
      case 'comeBack':
        return external.comeBack(move.which, move.outcome);
      case 'cancel':
        return cancel(move.which);
      case 'crash':
        isDead = true;
        return opened?.crash();
      case 'crashAtSeam':
        seamsLeft = move.seams;
        return;
      case 'restart':
        await Promise.race([living().engine.close(0), death.promise]);
        isDead = true;
        return;
      case 'clock':
        now += move.ms;
        return;
      default:
        return move satisfies never;
    }
  };

  const isFinished = async ({ turn }: AcknowledgedTurn): Promise<boolean> =>
    (await living().engine.turn('local', turn.id)).finished_at !== null;
  const isOver = async (): Promise<boolean> => {
    const finished = await Promise.all(acknowledged.filter((each) => each !== null).map(isFinished));
    return finished.every((one) => one);
  };

  const bringToItsEnd = async (): Promise<void> => {
    for (let round = 0; round < ENDING_ROUNDS_MAX; round += 1) {
      const { engine } = living();
      await eventLoopTurns(3);
      if (external.waiting() === 0 && (await isOver())) return;
      while (external.waiting() > 0) external.comeBack(0, ENDING);
      await eventLoopTurns(3);
      for (const { active_task, queue } of (await engine.sessions('local', { limit: SESSIONS.length })).items)
        if (active_task?.state === 'awaiting_user' && queue.length > 0) await engine.cancel('local', active_task.id);
    }
    faults.push('the history never came to its end');
  };

  try {
    living();
    for (const { move, turns } of moves) {
      await happens(move);
      living();
      await eventLoopTurns(turns);
    }
    seamsLeft = Number.POSITIVE_INFINITY;
    await bringToItsEnd();
    await check({ last: living(), external, acknowledged: acknowledged.filter((each) => each !== null), faults });
  } finally {
    if (!isDead) await opened?.engine.close(0);
    spy.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
