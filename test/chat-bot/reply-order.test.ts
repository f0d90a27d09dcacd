import { expect, it } from 'vitest';
import { createReplyOrder } from '../../examples/chat-bot/reply-order.ts';
import type { Turn } from '../../examples/chat-bot/tripact.ts';

const ended = (id: string, finished_at: string | null): Turn =>
  ({ id, session_id: 'me', created_at: '2026-01-01T00:00:00.000Z', finished_at }) as Turn;

const FIRST = '2026-01-01T00:00:01.000Z';
const SECOND = '2026-01-01T00:00:02.000Z';

/** Follows turns by hand: `replyTo` ends as the reply is posted, which `hold` may delay. */
const chat = (turns: Turn[]) => {
  const order = createReplyOrder(async (id) => turns.find((turn) => turn.id === id)!);
  const posted: string[] = [];
  const replyTo = (turn: Turn, hold: Promise<void>): Promise<void> =>
    order.run('me', turn.id, async () => {
      await hold;
      await order.earlier(turn);
      posted.push(turn.id);
    });
  return { posted, replyTo };
};

it('a reply whose turn ended later waits for the earlier one that is still being shown', async () => {
  const [a, b] = [ended('a', FIRST), ended('b', SECOND)];
  const { posted, replyTo } = chat([a, b]);
  const held = Promise.withResolvers<void>();
  const first = replyTo(a, held.promise);
  const second = replyTo(b, Promise.resolve());
  await new Promise(setImmediate);
  expect(posted).toEqual([]);
  held.resolve();
  await Promise.all([first, second]);
  expect(posted).toEqual(['a', 'b']);
});

it('a running turn, or one that waits behind others, delays no reply', async () => {
  const [a, b] = [ended('a', null), ended('b', SECOND)];
  const { posted, replyTo } = chat([a, b]);
  const held = Promise.withResolvers<void>();
  const first = replyTo(a, held.promise);
  await replyTo(b, Promise.resolve());
  expect(posted).toEqual(['b']);
  held.resolve();
  await first;
});

it('an earlier reply that cannot be posted delays no other, and two that ended at once do not wait for each other', async () => {
  const [a, b, c] = [ended('a', FIRST), ended('b', FIRST), ended('c', SECOND)];
  const { posted, replyTo } = chat([a, b, c]);
  const refused = replyTo(a, Promise.reject(new Error('the platform is away')));
  const others = [replyTo(c, Promise.resolve()), replyTo(b, Promise.resolve())];
  await expect(refused).rejects.toThrow('away');
  await Promise.all(others);
  expect(posted).toEqual(['b', 'c']);
});
