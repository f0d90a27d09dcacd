import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createNotices, type Notices } from '../../src/engine/notices.ts';

const never = new AbortController().signal;

const settles: Record<string, (notices: Notices<string>) => void> = {
  'are notified': ({ notify }) => notify('a', 'news'),
  'are failed': ({ fail }) => fail('a', new Error('failed')),
  'are dismissed': ({ dismiss }) => dismiss(),
};

describe('Waiters for the same', () => {
  it.each(Object.entries(settles))(
    'however many %s at once, go on a few in each turn of the event loop',
    async (_, settle) => {
      const notices = createNotices<string>();
      let settled = 0;
      const waiting = Array.from({ length: 200 }, () =>
        notices.next('a', never).then(
          () => (settled += 1),
          () => (settled += 1),
        ),
      );
      settle(notices);
      const inTurns: number[] = [];
      for (let before = 0; before < waiting.length; before = settled) {
        await nextTurn();
        inTurns.push(settled - before);
      }
      expect(Math.max(...inTurns)).toBeLessThanOrEqual(33);
      expect(notices.isAwaited('a')).toBe(false);
    },
  );

  it('wait no more when their signal aborts, and it says why', async () => {
    const notices = createNotices<string>();
    const gone = new AbortController();
    const [one, other] = [notices.next('a', gone.signal), notices.next('a', never)];
    gone.abort(new Error('gone'));
    await expect(one).rejects.toThrow('gone');
    await expect(notices.next('a', gone.signal)).rejects.toThrow('gone');
    notices.notify('a', 'news');
    expect(await other).toBe('news');
  });
});
