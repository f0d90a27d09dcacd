import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { noQueries } from '../../src/lib/queries.ts';
import { createDueClock } from '../../src/runtime/due-clock.ts';
import type { SessionKey } from '../../src/session/image.ts';

it('sessions with something due are worked on one after the other, and one that fails delays no other', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `s${i}`);
  const given: string[] = [];
  const all = Promise.withResolvers<void>();
  let atOnce = 0;
  let most = 0;
  const clock = createDueClock({
    due: {
      nextDue: () => noQueries(() => (given.length === 0 ? 0 : null)),
      sessionsWithDue: () => noQueries(() => names.map((session_id) => ({ owner: 'local', session_id }))),
    },
    ownerData: { run: async (_owner, work) => work().next().value as never },
    now: () => 1,
    log: pino({ level: 'silent' }),
  });
  clock.start({
    deliverDue: async ({ session_id }) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await Promise.resolve();
      atOnce -= 1;
      if (session_id === 's3') throw new Error('damaged');
      given.push(session_id);
      if (session_id === names.at(-1)) all.resolve();
    },
  });
  await all.promise;
  clock.stop();
  expect(most).toBe(1);
  expect(given).toEqual(names.filter((name) => name !== 's3'));
});

it('sessions without possible delivery starve no other: each is retried by itself, a minute later', async () => {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const broken = Array.from({ length: 25 }, (_, i) => `broken${i}`);
  const tried: string[] = [];
  /** Due times, the soonest first: broken ones stay. */
  const waiting = [
    ...broken.map((session_id) => ({ session_id, at: 0 })),
    { session_id: 'a', at: 10 },
    { session_id: 'b', at: 5_000 },
  ];
  const open = (except: readonly SessionKey[]) =>
    waiting.filter(({ session_id }) => !except.some((other) => other.session_id === session_id));
  const clock = createDueClock({
    due: {
      nextDue: (_owners, except) => noQueries(() => open(except)[0]?.at ?? null),
      sessionsWithDue: (_owners, now, limit, except) =>
        noQueries(() =>
          open(except)
            .filter(({ at }) => at <= now)
            .slice(0, limit)
            .map(({ session_id }) => ({ owner: 'local', session_id })),
        ),
    },
    ownerData: { run: async (_owner, work) => work().next().value as never },
    now: Date.now,
    log: pino({ level: 'silent' }),
  });
  clock.start({
    deliverDue: async ({ session_id }) => {
      tried.push(session_id);
      if (session_id.startsWith('broken')) throw new Error('damaged');
      waiting.splice(
        waiting.findIndex((each) => each.session_id === session_id),
        1,
      );
    },
  });
  onTestFinished(clock.stop);
  await vi.advanceTimersByTimeAsync(100);
  expect(tried).toEqual([...broken, 'a']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(tried.slice(26)).toEqual(['b']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tried.slice(27)).toEqual(broken);
});
