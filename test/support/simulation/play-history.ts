import { rmSync } from 'node:fs';
import { pino } from 'pino';
import type { CallbackView } from '../../../contracts/callback.ts';
import { makeStoreDir } from '../engine/empty-store.ts';
import { type OpenedEngine, startEngine } from '../engine/open-engine.ts';
import { spyOnStore } from '../engine/store-spy.ts';
import { COMMANDS, createExternalCalls, ENDING, PRICES } from './external-calls.ts';
import type { History, Move } from './moves.ts';
import {
  ALL_SESSIONS,
  eventLoopTurns,
  hasOpenWork,
  isFinished,
  nextDue,
  sessionIds,
  sessionsWithDue,
  taskIds,
} from './open-work.ts';
import {
  type AcknowledgedTurn,
  OWN_RECEIVER,
  type PlayedHistory,
  type Say,
  SESSION_WITH_CALLBACKS,
  WEBHOOK,
} from './played-history.ts';
import { createReceiver } from './receiver.ts';
import { EXPECTED_LOGS, FORK_REFUSALS, REFUSALS } from './refusals.ts';

/** Longest pause before a callback is retried, in milliseconds. */
const CALLBACK_PAUSE_MS = 6 * 60 * 60 * 1_000;

/** Most turns of the event loop that the posts that are due may take: with a database that is far more than they need. */
const CALLBACK_TURNS_MAX = 16_000;

/** Most callbacks that are pending at once. */
const CALLBACKS_MAX = 100;

/** Rounds in which all callbacks must be delivered. */
const CALLBACK_ROUNDS_MAX = 8;

/** Rounds in which all open work must finish; a history that needs more counts as hung. */
const ENDING_ROUNDS_MAX = 500;

/**
 * Plays a history on a real store through all its crashes, finishes everything, and passes it to `check`. With
 * `hasReceiver`, events are posted meanwhile.
 */
export const playHistory = async (
  { limits, verifies, moves, isNative = false, ...more }: History,
  hasReceiver: boolean,
  check: (played: PlayedHistory) => Promise<void>,
): Promise<void> => {
  const dataDir = makeStoreDir();
  const spy = await spyOnStore(dataDir);
  const faults: string[] = [];
  const acknowledged: (AcknowledgedTurn | null)[] = [];
  /** Turns that were sent and are neither acknowledged nor refused yet. */
  const unanswered = new Set<{ processNumber: number }>();
  let now = 1_000_000_000_000;
  let startedAt = now;
  let seamsLeft = Number.POSITIVE_INFINITY;
  let lastProcess = 0;
  let isCrashed = true;
  let crashed = Promise.withResolvers<void>();
  let opened: Promise<OpenedEngine> | undefined;
  const receiver = hasReceiver ? createReceiver() : null;

  const external = createExternalCalls(
    async (effectId) => {
      if ((await spy.outcomesOf(effectId)) !== 0)
        faults.push(`${effectId} was performed again after its outcome was stored`);
    },
    { hasFallback: 'hasFallback' in more, isNative },
  );
  /** Collects the log of a process until it crashes; after that it may report its closed store. */
  const logOf = (processNumber: number) => {
    const write = (line: string): void => {
      const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string } };
      if (processNumber === lastProcess && !isCrashed && !EXPECTED_LOGS.has(msg))
        faults.push(`${msg}: ${err?.message}`);
    };
    return pino({ level: 'error' }, { write });
  };

  const running = async (): Promise<OpenedEngine> => {
    if (isCrashed || opened === undefined) {
      isCrashed = false;
      crashed = Promise.withResolvers();
      const processNumber = ++lastProcess;
      startedAt = now;
      seamsLeft = Number.POSITIVE_INFINITY;
      opened = startEngine({
        dataDir,
        log: logOf(processNumber),
        limits,
        prices: PRICES,
        commands: COMMANDS,
        model: external.model,
        tools: external.tools,
        verifiers: verifies ? [external.verifier] : [],
        now: () => now,
        ...(receiver !== null && {
          webhookUrl: WEBHOOK,
          postCallback: (url: string, init: RequestInit) => receiver.take(processNumber, url, init),
        }),
        crashAt: () => {
          if (processNumber !== lastProcess || --seamsLeft > 0) return false;
          isCrashed = true;
          crashed.resolve();
          return true;
        },
      });
    }
    const current = await opened;
    // A service accepts requests once it has started.
    await Promise.race([current.started, crashed.promise]);
    return current;
  };

  /** Errors of a process that crashed meanwhile are expected. */
  const refused = (processNumber: number, error: unknown): void => {
    if (processNumber === lastProcess && !isCrashed && !REFUSALS.has((error as { code: string }).code))
      faults.push(String(error));
  };

  /** Sends a request without waiting for its end. */
  const askFor = async (act: (opened: OpenedEngine) => Promise<unknown>): Promise<void> => {
    const opened = await running();
    const asking = { processNumber: lastProcess };
    unanswered.add(asking);
    act(opened)
      .catch((error: unknown) => refused(asking.processNumber, error))
      .finally(() => unanswered.delete(asking));
  };

  const say = async (sent: Say): Promise<void> => {
    const { kind: _, session, key, ...request } = sent;
    const asked = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
    const place = acknowledged.push(null) - 1;
    await askFor(async ({ engine }) => {
      const { turn } = await engine.submit({
        owner: 'local',
        session_id: session,
        input: request.input,
        ...asked,
        ...(key !== undefined && { idempotency_key: key }),
        ...(hasReceiver && session === SESSION_WITH_CALLBACKS && { callback_url: OWN_RECEIVER }),
      });
      acknowledged[place] = { sent, turn };
    });
  };

  /** Does something to one of the existing things, and waits for its end only as long as the request itself takes. */
  const doToOne = async (
    which: number,
    find: (engine: OpenedEngine['engine']) => Promise<string[]>,
    act: (engine: OpenedEngine['engine'], id: string) => Promise<unknown>,
    allowed: ReadonlySet<string> = new Set(),
  ): Promise<void> => {
    const { engine } = await running();
    const processNumber = lastProcess;
    const failed = (error: unknown): void => {
      if (!allowed.has((error as { code: string }).code)) refused(processNumber, error);
    };
    try {
      // A process that crashes meanwhile answers nothing.
      const ids = await Promise.race([find(engine), crashed.promise.then(() => [])]);
      if (ids.length === 0) return;
      const asking = { processNumber };
      unanswered.add(asking);
      act(engine, ids[which % ids.length]!)
        .catch(failed)
        .finally(() => unanswered.delete(asking));
    } catch (error) {
      failed(error);
    }
  };

  const fork = ({ which, at, input }: Extract<Move, { kind: 'fork' }>): Promise<void> =>
    doToOne(
      which,
      taskIds,
      async (engine, id) => {
        const seqs = (await Array.fromAsync(engine.taskTrace('local', id))).map(({ seq }) => seq);
        await engine.fork('local', id, { at: seqs[at % seqs.length]!, ...(input !== undefined && { input }) });
      },
      FORK_REFUSALS,
    );

  const deliverDue = (waits: boolean): Promise<void> =>
    askFor(async ({ engine, store: { ownerData } }) => {
      if (waits) now = Math.max(now, (await nextDue(ownerData)) ?? now);
      const [at, since] = [now, startedAt];
      for (const key of await sessionsWithDue(ownerData, at)) await engine.deliverDue(key, at, since);
    });

  const applyMove = async (move: Move): Promise<void> => {
    switch (move.kind) {
      case 'say':
        return say(move);
      case 'settleExternalCall':
        return external.settleCall(move.which, move.outcome);
      case 'cancel':
        return doToOne(move.which, taskIds, (engine, id) => engine.cancel('local', id));
      case 'fork':
        return fork(move);
      case 'remove':
        return doToOne(move.which, sessionIds, (engine, id) => engine.remove('local', id));
      case 'due':
        return deliverDue(move.waits);
      case 'removeOwner':
        return askFor(({ engine }) => engine.removeOwner('local'));
      case 'crash':
        isCrashed = true;
        return (await opened)?.crash();
      case 'crashAtSeam':
        seamsLeft = move.seams;
        return;
      case 'restart':
        await Promise.race([(await running()).engine.close(0), crashed.promise]);
        isCrashed = true;
        return;
      case 'clock':
        now += move.ms;
        return;
      default:
        return move satisfies never;
    }
  };

  const isDrained = async (): Promise<boolean> => {
    // A crashed process answers nothing.
    if ([...unanswered].some(({ processNumber }) => processNumber === lastProcess)) return false;
    const { engine } = await running();
    if (await hasOpenWork(engine)) return false;
    const turns = acknowledged.flatMap((each) => each?.turn.id ?? []);
    const finished = await Promise.all(turns.map((id) => isFinished(engine, id)));
    return finished.every((one) => one);
  };

  const isAnythingDue = async (): Promise<boolean> => {
    const next = await nextDue((await running()).store.ownerData);
    return next !== null && next <= now;
  };

  const drain = async (): Promise<void> => {
    for (let round = 0; round < ENDING_ROUNDS_MAX; round += 1) {
      const { engine } = await running();
      await eventLoopTurns(3);
      if (external.waiting() === 0 && (await isDrained())) {
        if (!(await isAnythingDue())) return;
        await deliverDue(false);
      }
      while (external.waiting() > 0) external.settleCall(0, ENDING);
      await eventLoopTurns(3);
      for (const { active_task, queue } of (await engine.sessions('local', ALL_SESSIONS)).items)
        if (active_task?.state === 'awaiting_user' && queue.length > 0)
          await engine.cancel('local', active_task.id).catch((error: unknown) => refused(lastProcess, error));
    }
    faults.push('open work of the history never finished');
  };

  const pendingCallbacks = async (): Promise<readonly CallbackView[]> => {
    const reader = { owner: 'local', isOperator: true };
    return (await (await running()).engine.callbacks(reader, ['pending'], { limit: CALLBACKS_MAX })).items;
  };

  /** Waits for the outcomes of the posts that are due, and returns whether none is left for later. */
  const areAllPosted = async (): Promise<boolean> => {
    for (let turns = 0; turns < CALLBACK_TURNS_MAX; turns += 20) {
      const pending = await pendingCallbacks();
      if (pending.length === 0) return true;
      if (pending.every(({ due_at }) => due_at !== null && Date.parse(due_at) > now)) return false;
      await eventLoopTurns(20);
    }
    return false;
  };

  /** Advances the clock so that callbacks are retried, once a round. */
  const drainCallbacks = async (): Promise<void> => {
    receiver?.acceptAll();
    for (let round = 0; round < CALLBACK_ROUNDS_MAX; round += 1) {
      if (await areAllPosted()) return;
      now += CALLBACK_PAUSE_MS;
      await (await running()).engine.close(0);
      isCrashed = true;
    }
    faults.push('callbacks were never delivered');
  };

  try {
    await running();
    for (const { move, turns } of moves) {
      await applyMove(move);
      await running();
      await eventLoopTurns(turns);
    }
    seamsLeft = Number.POSITIVE_INFINITY;
    await drain();
    await drainCallbacks();
    await check({
      last: await running(),
      rowsInStore: spy.rows,
      external,
      receiver,
      acknowledged: acknowledged.filter((each) => each !== null),
      faults,
    });
  } finally {
    if (!isCrashed) await (await opened)?.engine.close(0);
    await spy.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
