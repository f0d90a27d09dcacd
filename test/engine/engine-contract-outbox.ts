import { describe, expect, it } from 'vitest';
import { CallbackState, callbackBodies } from '../../contracts/callback.ts';
import { TurnView } from '../../contracts/turn-view.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { asking, echo, finishes } from '../support/engine/model-answers.ts';
import type { OpenEngine, TestEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const WEBHOOK = 'http://webhook.example/';

interface Post {
  url: string;
  id: string;
  body: { type: keyof typeof callbackBodies; owner: string; data: Record<string, unknown> };
}

/** A post, checked against its contract: an event to the webhook, the turn itself to a `callback_url`. */
const bodyOf = (url: string, body: unknown): Post['body'] => {
  if (url !== WEBHOOK) return { type: 'turn.finished', owner: '', data: TurnView.parse(body) };
  const { type } = body as Post['body'];
  return callbackBodies[type].parse(body);
};

/** A receiver of callbacks. It answers by the status that a post is given, and holds back what `isHeld` says until `release`. */
const receiver = (statusOf: (post: Post) => number = () => 204, isHeld: (post: Post) => boolean = () => false) => {
  const posts: Post[] = [];
  const released = Promise.withResolvers<void>();
  const postCallback = async (url: string, { headers, body, signal }: RequestInit): Promise<Response> => {
    const post = { url, id: new Headers(headers).get('webhook-id')!, body: bodyOf(url, JSON.parse(String(body))) };
    posts.push(post);
    if (isHeld(post)) {
      const aborted = new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      await Promise.race([released.promise, aborted]);
    }
    return new Response(null, { status: statusOf(post) });
  };
  return {
    posts,
    postCallback,
    release: () => released.resolve(),
    types: () => posts.map(({ body }) => body.type).sort(),
    ids: () => posts.map(({ id }) => id),
  };
};

const callbacksOf = async ({ engine }: TestEngine, owner = 'local', isOperator = true) =>
  (await engine.callbacks({ owner, isOperator }, CallbackState.options, { limit: 500 })).items;

const asksDay = () => createScriptedModel(asking('Which day?'));

/** Posts to programs (SPEC 16), as any engine must do it. */
export const itKeepsTheOutbox = (open: OpenEngine): void => {
  describe('The outbox', () => {
    it("has an event for each notice, to its turn's callback_url and to the webhook", async () => {
      const { posts, postCallback, types } = receiver();
      const opened = await open({ model: asksDay(), webhookUrl: WEBHOOK, postCallback });
      const { id } = await sessionOf(opened.engine).ask('Book', {
        callback_url: 'http://own.example/',
        metadata: { k: 1 },
      });
      await expect.poll(types).toEqual(['question.asked', 'turn.finished', 'turn.finished']);
      expect(posts.find(({ url }) => url !== WEBHOOK)).toMatchObject({ id, body: { data: { id, status: 'asking' } } });
      await expect
        .poll(async () => (await callbacksOf(opened)).map(({ state }) => state))
        .toEqual(Array(3).fill('delivered'));
      expect(new Set(posts.map(({ id }) => id)).size).toBe(3);
      expect(posts.map(({ body }) => body.data['metadata'])).toEqual(Array(3).fill({ k: 1 }));
    });

    it('has nothing of a plan that its user edits while the task waits or is paused', async () => {
      const { types, postCallback } = receiver();
      const model = createScriptedModel([...asking('Which day?'), ...asking('Which week?').slice(0, 1), finishes()]);
      const opened = await open({ model, webhookUrl: WEBHOOK, postCallback, limits: { max_steps: 1 } });
      const waiting = sessionOf(opened.engine);
      expect(await waiting.ask('Book')).toMatchObject({ status: 'asking' });
      const paused = sessionOf(opened.engine, 's2');
      expect(await paused.ask('Cook')).toMatchObject({ status: 'paused' });
      const told = ['question.asked', 'task.paused', 'turn.finished', 'turn.finished'];
      await expect.poll(types).toEqual(told);
      for (const session of [waiting, paused])
        expect(await session.ask('/plan add Say so')).toMatchObject({ output: expect.stringContaining('Say so') });
      await expect.poll(types).toEqual([...told, 'turn.finished', 'turn.finished']);
      await expect
        .poll(async () => (await callbacksOf(opened)).map(({ state }) => state))
        .toEqual(Array(6).fill('delivered'));
    });

    it('is empty if there are no receivers', async () => {
      const opened = await open({ model: asksDay() });
      await sessionOf(opened.engine).ask('Book');
      expect(await callbacksOf(opened)).toEqual([]);
    });

    it('is posted again after a crash between its commit and its delivery, under the same ids', async () => {
      const first = receiver(undefined, () => true);
      const opened = await open({ model: asksDay(), webhookUrl: WEBHOOK, postCallback: first.postCallback });
      await sessionOf(opened.engine).ask('Book', { callback_url: 'http://own.example/' });
      await expect.poll(first.types).toHaveLength(3);
      opened.crash();
      const second = receiver();
      const reopened = await opened.reopen({ postCallback: second.postCallback });
      await expect.poll(second.types).toHaveLength(3);
      expect(second.ids().sort()).toEqual(first.ids().sort());
      await expect
        .poll(async () => (await callbacksOf(reopened)).every(({ state }) => state === 'delivered'))
        .toBe(true);
      expect((await reopened.engine.usage('local')).pending_callbacks).toBe(0);
      expect((await reopened.engine.activity()).callbacks_pending).toBe(0);
      reopened.crash();
      const third = receiver();
      await sessionOf((await reopened.reopen({ postCallback: third.postCallback })).engine).ask('/status');
      await expect.poll(third.types).toEqual(['turn.finished']);
    });

    it("is posted for other owners while one's receiver hangs, whatever that one has waiting", async () => {
      const { posts, postCallback, release } = receiver(undefined, ({ url }) => url === 'http://hangs.example/');
      const opened = await open({ model: createScriptedModel(echo), postCallback });
      const slow = sessionOf(opened.engine, 's1', 'slow');
      for (let i = 0; i < 15; i += 1) await slow.ask('/status', { callback_url: 'http://hangs.example/' });
      await expect.poll(() => posts.length).toBe(15);
      for (let i = 0; i < 20; i += 1)
        await sessionOf(opened.engine, `f${i}`, 'quick').ask('/status', { callback_url: 'http://answers.example/' });
      await expect.poll(() => posts.filter(({ url }) => url === 'http://answers.example/').length).toBe(20);
      release();
    });

    it('gives up where a receiver answers 410 or never accepts, and posts it again when it is sent again', async () => {
      let status = 503;
      const { ids, postCallback } = receiver(() => status);
      const opened = await open({
        model: createScriptedModel(echo),
        postCallback,
        serviceLimits: { pending_callbacks: 1 },
        callbackPostsMax: 1,
      });
      const session = sessionOf(opened.engine);
      const { id } = await session.ask('/status', { callback_url: 'http://own.example/' });
      const state = async () => (await callbacksOf(opened)).find((each) => each.id === id);
      await expect.poll(state).toMatchObject({ state: 'given_up', attempts: 1, last_error: 'HTTP 503', due_at: null });
      status = 410;
      await opened.engine.resendCallback({ owner: 'local', isOperator: false }, id);
      await expect.poll(state).toMatchObject({ state: 'given_up', attempts: 1, last_error: 'HTTP 410' });
      status = 204;
      await opened.engine.resendCallback({ owner: 'local', isOperator: false }, id);
      await expect.poll(state).toMatchObject({ state: 'delivered', last_error: null });
      expect(ids()).toEqual([id, id, id]);
      expect((await opened.engine.usage('local')).pending_callbacks).toBe(0);
      const unknown = { code: 'CALLBACK_NOT_FOUND' };
      await expect(opened.engine.resendCallback({ owner: 'other', isOperator: false }, id)).rejects.toMatchObject(
        unknown,
      );
    });

    it('tells nothing of a session that was removed meanwhile, and counts it no more', async () => {
      let isUp = false;
      const { posts, postCallback } = receiver(() => (isUp ? 204 : 503));
      const opened = await open({ model: createScriptedModel(echo), webhookUrl: WEBHOOK, postCallback });
      await sessionOf(opened.engine).ask('/status', { callback_url: 'http://own.example/' });
      await expect.poll(() => posts.length).toBe(2);
      await expect.poll(async () => (await callbacksOf(opened)).every(({ attempts }) => attempts === 1)).toBe(true);
      isUp = true;
      await opened.engine.remove('local', 's1');
      await expect.poll(async () => callbacksOf(opened)).toEqual([]);
      expect((await opened.engine.usage('local')).pending_callbacks).toBe(0);
      expect((await opened.engine.activity()).callbacks_pending).toBe(0);
      expect(posts).toHaveLength(2);
    });

    it("shows each owner its own, and the webhook's to operators alone", async () => {
      const { postCallback } = receiver();
      const opened = await open({ model: createScriptedModel(echo), webhookUrl: WEBHOOK, postCallback });
      await sessionOf(opened.engine, 's1', 'ada').ask('/status', { callback_url: 'http://own.example/' });
      const targets = async (owner: string, isOperator: boolean) =>
        (await callbacksOf(opened, owner, isOperator)).map(({ target }) => target).sort();
      expect(await targets('ada', false)).toEqual(['callback_url']);
      expect(await targets('ada', true)).toEqual(['callback_url', 'webhook']);
      expect(await targets('bob', false)).toEqual([]);
      expect(await targets('bob', true)).toEqual(['webhook']);
    });
  });
};
