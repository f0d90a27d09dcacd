import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startDueClock } from '../../src/engine/due-clock.ts';
import { askNothing } from '../../src/store/questions.ts';

it('sessions in which something is due are worked on one after the other, and one that fails holds up no other', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `s${i}`);
  const given: string[] = [];
  const all = Promise.withResolvers<void>();
  let atOnce = 0;
  let most = 0;
  const clock = startDueClock({
    due: {
      nextDue: () => askNothing(() => (given.length === 0 ? 0 : null)),
      sessionsWithDue: () => askNothing(() => names.map((session_id) => ({ owner: 'local', session_id }))),
    },
    ownerData: { run: async (_owner, work) => work().next().value as never },
    engine: {
      deliverDue: async ({ session_id }) => {
        atOnce += 1;
        most = Math.max(most, atOnce);
        await Promise.resolve();
        atOnce -= 1;
        if (session_id === 's3') throw new Error('damaged');
        given.push(session_id);
        if (session_id === names.at(-1)) all.resolve();
      },
    },
    now: () => 1,
    log: pino({ level: 'silent' }),
  });
  await all.promise;
  clock.stop();
  expect(most).toBe(1);
  expect(given).toEqual(names.filter((name) => name !== 's3'));
});
