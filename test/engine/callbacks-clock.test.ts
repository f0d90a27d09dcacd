import { expect, it, vi } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { echo } from '../support/engine/model-answers.ts';
import { openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const HOUR_MS = 60 * 60 * 1_000;

const CALLBACK = { callback_url: 'http://own.example/' };

/** An engine with a clock that is set by hand, and a receiver that refuses the first posts. */
const open = async (refused: number) => {
  let now = Date.UTC(2026, 10, 1);
  let posts = 0;
  const postCallback = async (): Promise<Response> => {
    posts += 1;
    return new Response(null, { status: posts <= refused ? 503 : 204 });
  };
  const opened = await openEngine({ model: createScriptedModel(echo), postCallback, now: () => now });
  const due = opened.db.prepare('SELECT state, due_at - ? FROM outbox ORDER BY number').raw();
  return {
    opened,
    postCallback,
    posts: () => posts,
    /** The state of each callback, and in how many milliseconds it is posted. */
    due: () => due.all(now),
    set: (ms: number) => {
      now += ms;
    },
  };
};

it('posts soon what waits to be posted again when the clock is set back by an hour, and waits as long as ever after that', async () => {
  const { opened, posts, due, set } = await open(2);
  await sessionOf(opened.engine).ask('One', CALLBACK);
  await vi.waitFor(() => expect(due()).toEqual([['pending', expect.any(Number)]]));
  await vi.waitFor(() => expect(due()[0]).not.toEqual(['pending', 0]));
  set(-HOUR_MS);
  await vi.waitFor(() => expect(posts()).toBe(2), { timeout: 5_000 });
  await vi.waitFor(() => expect((due()[0] as number[])[1]).toBeGreaterThan(0));
  expect((due()[0] as number[])[1]).toBeLessThanOrEqual(5_000);
  set(5_000);
  await sessionOf(opened.engine).ask('Two', CALLBACK);
  await vi.waitFor(() => expect(due()).toEqual(Array(2).fill(['delivered', null])));
});

it('posts after a start what a clock that was a year ahead had put off', async () => {
  const { opened, postCallback, due, posts } = await open(1);
  await sessionOf(opened.engine).ask('One', CALLBACK);
  await vi.waitFor(() => expect((due()[0] as number[])[1]).toBeGreaterThan(0));
  await opened.engine.close();
  const back = Date.UTC(2025, 10, 1);
  const { db } = await opened.reopen({ postCallback, now: () => back });
  await vi.waitFor(() => expect(posts()).toBe(2));
  await vi.waitFor(() => expect(db.prepare('SELECT state FROM outbox').pluck().get()).toBe('delivered'));
});
