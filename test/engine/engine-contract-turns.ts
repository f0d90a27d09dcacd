import { describe, expect, it } from 'vitest';
import { replay } from '../../src/history/replay.ts';
import { noQueries } from '../../src/lib/queries.ts';
import { createScriptedModel, type ScriptedAnswer } from '../../src/models/scripted.ts';
import { controlledTool, quickTool } from '../support/engine/controlled-tools.ts';
import { acts, asking, asks, concludes, echo, finishes, plans } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { never, sessionOf } from '../support/engine/test-session.ts';

const SESSIONS = 64;
const TURNS_EACH = 3;

/** Turns, who may see them, and what is asked twice (SPEC 8, 11), as any engine must do it. */
export const itKeepsTurns = (open: OpenEngine): void => {
  describe('An idempotency key', () => {
    it('stands for one turn: the same request again gets it, also while it runs, when it is done and after a crash', async () => {
      const answer = Promise.withResolvers<ScriptedAnswer>();
      const model = createScriptedModel([answer.promise, finishes(), concludes('Hi')]);
      const opened = await open({ model });
      const session = sessionOf(opened.engine);
      const more = { idempotency_key: 'k1', timezone: 'Asia/Tokyo' };
      const first = await session.send('Hello', more);
      const second = await session.send('Hello', more);
      expect(second.id).toBe(first.id);
      answer.resolve(plans('Think'));
      const replies = [await session.reply(first), await session.ask('Hello', more)];
      expect(replies[1]).toEqual(replies[0]);
      expect(await opened.engine.turnByKey('local', 'k1')).toEqual(replies[0]);
      expect(await opened.engine.turnByKey('local', 'k2')).toBeNull();
      expect(await opened.engine.turnByKey('other', 'k1')).toBeNull();
      opened.crash();
      expect(await sessionOf((await opened.reopen()).engine).ask('Hello', more)).toEqual(replies[0]);
      expect(session.session_id).toBe('s1');
      expect(model.remaining()).toBe(0);
    });

    /** Sessions in the middle of a tool call: commits are then shared, and requests arrive concurrently. */
    const busyEngine = async () => {
      const controlled = controlledTool('dig');
      const model = createScriptedModel({
        ...echo,
        thought: ({ task }) => (task.session_id.startsWith('busy') ? acts('dig') : finishes()),
      });
      const { engine } = await open({ model, tools: [controlled.tool] });
      for (const [i, name] of ['busy1', 'busy2', 'busy3'].entries()) {
        await sessionOf(engine, name).send('Dig');
        await controlled.called(i + 1);
      }
      return engine;
    };

    it.each(['enqueue', 'reject', 'steer'] as const)(
      'applies to requests that come at once, with on_busy %s',
      async (on_busy) => {
        const session = sessionOf(await busyEngine());
        const turns = await Promise.all(
          Array.from({ length: 5 }, () => session.send('Hello', { idempotency_key: 'k1', on_busy })),
        );
        expect(new Set(turns.map(({ id }) => id)).size).toBe(1);
        expect(await session.reply(turns[0]!)).toMatchObject({ output: 'did: Hello' });
        expect(await session.tasks()).toHaveLength(1);
        expect((await session.events()).filter((type) => type === 'steer.received')).toEqual([]);
      },
    );

    it('applies to requests to two sessions at once: one gets the turn, the other one is refused', async () => {
      const engine = await busyEngine();
      const sent = ['s1', 's2'].map((name) => sessionOf(engine, name).send('Hello', { idempotency_key: 'k1' }));
      const results = await Promise.allSettled(sent);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'IDEMPOTENCY_KEY_REUSED' },
      });
    });

    it('applies to a command, which runs once', async () => {
      let runs = 0;
      const ring = {
        name: 'ring',
        help: () => ({ summary: 'Rings', usage: '/ring' }),
        run: () => noQueries(() => ({ ok: true, result: `rang ${++runs}` })),
      };
      const session = sessionOf((await open({ model: createScriptedModel([]), commands: [ring] })).engine);
      const more = { idempotency_key: 'k1' };
      const turns = await Promise.all([session.ask('/ring', more), session.ask('/ring', more)]);
      expect([...turns, await session.ask('/ring', more)].map(({ output }) => output)).toEqual([
        'rang 1',
        'rang 1',
        'rang 1',
      ]);
      expect(turns[0]?.id).toBe(turns[1]?.id);
    });

    it('is refused with another body, whatever differs, in any session', async () => {
      const { engine } = await open({ model: createScriptedModel(echo) });
      await sessionOf(engine).ask('Hello', { idempotency_key: 'k1' });
      const reused = { code: 'IDEMPOTENCY_KEY_REUSED', status: 422 };
      const again = (input: string, more = {}, session = 's1') =>
        sessionOf(engine, session).send(input, { idempotency_key: 'k1', ...more });
      await expect(again('Hello there')).rejects.toMatchObject(reused);
      await expect(again('Hello', { timezone: 'Asia/Tokyo' })).rejects.toMatchObject(reused);
      await expect(again('Hello', { confirm_plan: true })).rejects.toMatchObject(reused);
      await expect(again('Hello', { on_busy: 'steer' })).rejects.toMatchObject(reused);
      await expect(again('Hello', {}, 's2')).rejects.toMatchObject(reused);
      await expect(again('/status')).rejects.toMatchObject(reused);
    });

    it('of two different bodies at once keeps one, and refuses the other', async () => {
      const session = sessionOf((await open({ model: createScriptedModel(echo) })).engine);
      const results = await Promise.allSettled(
        ['One', 'Two'].map((input) => session.ask(input, { idempotency_key: 'k1' })),
      );
      expect(results[0]).toMatchObject({ status: 'fulfilled', value: { output: 'did: One' } });
      expect(results[1]).toMatchObject({ status: 'rejected', reason: { code: 'IDEMPOTENCY_KEY_REUSED' } });
      expect(await session.tasks()).toHaveLength(1);
    });

    it('belongs to its owner', async () => {
      const { engine } = await open({ model: createScriptedModel(echo) });
      const [ann, bob] = [sessionOf(engine, 's1', 'ann'), sessionOf(engine, 's1', 'bob')];
      const more = { idempotency_key: 'k1' };
      expect((await ann.ask('One', more)).output).toBe('did: One');
      expect((await bob.ask('Two', more)).output).toBe('did: Two');
    });
  });

  describe('A reply', () => {
    it('stays as it was given, however its task continues', async () => {
      const model = createScriptedModel([...asking('Which colour?'), concludes('Painted')]);
      const { engine } = await open({ model });
      const session = sessionOf(engine);
      const asked = await session.ask('Paint');
      await session.ask('Red');
      expect(await engine.turn('local', asked.id)).toEqual(asked);
      expect(asked).toMatchObject({ status: 'asking', task: { state: 'awaiting_user' } });
      expect(await session.tasks()).toMatchObject([{ state: 'done' }]);
    });

    it('can be waited for by many, and given up by one', async () => {
      const controlled = controlledTool('dig');
      const model = createScriptedModel([plans('Dig'), acts('dig'), finishes(), concludes('Dug')]);
      const { engine } = await open({ model, tools: [controlled.tool] });
      const session = sessionOf(engine);
      const turn = await session.send('Dig');
      const leaver = new AbortController();
      const left = engine.wait('local', turn.id, leaver.signal);
      const waiting = [session.reply(turn), session.reply(turn)];
      leaver.abort(new Error('gone'));
      await expect(left).rejects.toThrow('gone');
      (await controlled.called(1)).gives('a hole');
      expect((await Promise.all(waiting)).map(({ output }) => output)).toEqual(['Dug', 'Dug']);
    });
  });

  describe("Another owner's sessions, tasks and turns", () => {
    it('are as unknown as those that never were', async () => {
      const { engine } = await open({ model: createScriptedModel(asking('Which?')) });
      const turn = await sessionOf(engine, 'secret', 'ann').ask('Paint');
      const codes = async (owner: string, session: string, task: string, id: string) => {
        const tries: (() => unknown)[] = [
          async () => await engine.session(owner, session),
          () => engine.tasks(owner, session, { limit: 500 }),
          async () => await Array.fromAsync(engine.sessionTrace(owner, session)),
          () => engine.follow(owner, session, 0, never)[Symbol.asyncIterator]().next(),
          async () => await engine.task(owner, task),
          async () => await Array.fromAsync(engine.taskTrace(owner, task)),
          () => engine.cancel(owner, task),
          () => engine.turn(owner, id),
          () => engine.wait(owner, id, never),
        ];
        return Promise.all(
          tries.map(async (attempt) => {
            try {
              await attempt();
              return 'found';
            } catch (error) {
              return `${(error as { code: string }).code}: ${String(error).replaceAll(session, 'S').replaceAll(task, 'T').replaceAll(id, 'I')}`;
            }
          }),
        );
      };
      const foreign = await codes('bob', 'secret', turn.task_id!, turn.id);
      expect(foreign).toEqual(await codes('bob', 'nowhere', 'task_0nothing', 'turn_0nothing'));
      expect(new Set(foreign.map((text) => text.split(':')[0]))).toEqual(
        new Set(['SESSION_NOT_FOUND', 'TASK_NOT_FOUND', 'TURN_NOT_FOUND']),
      );
      expect((await engine.sessions('bob', { limit: 10 })).items).toEqual([]);
      expect(await engine.task('ann', turn.task_id!)).toEqual(turn.task);
    });
  });

  describe('The views', () => {
    it('list the sessions that were used last first, at most so many', async () => {
      let now = 0;
      const { engine } = await open({ model: createScriptedModel(echo), now: () => now++ });
      for (const id of ['a', 'b', 'c', 'a']) await sessionOf(engine, id).ask('Hello');
      expect((await engine.sessions('local', { limit: 10 })).items.map(({ session_id }) => session_id)).toEqual([
        'a',
        'c',
        'b',
      ]);
      expect((await engine.sessions('local', { limit: 2 })).items.map(({ session_id }) => session_id)).toEqual([
        'a',
        'c',
      ]);
    });

    it('show a session with its task, its phase and its queue', async () => {
      const controlled = controlledTool('dig');
      const model = createScriptedModel([plans('Dig'), acts('dig'), finishes(), concludes('Dug'), ...asking('Which?')]);
      const { engine } = await open({ model, tools: [controlled.tool], now: () => 1_000 });
      const session = sessionOf(engine);
      const first = await session.send('Dig');
      const call = await controlled.called(1);
      const second = await session.send('Paint');
      const at = '1970-01-01T00:00:01.000Z';
      expect(await engine.session('local', 's1')).toEqual({
        session_id: 's1',
        agent: null,
        title: 'Dig',
        forked_from: null,
        timezone: 'UTC',
        phase: 'executing',
        active_task: await engine.task('local', first.task_id!),
        last_task: { id: first.task_id, state: 'acting', outcome: null },
        queue: [{ turn_id: second.id, input: 'Paint', created_at: at }],
        last_seq: 3,
        created_at: at,
        updated_at: at,
      });
      call.gives('a hole');
      const asked = await session.reply(second);
      expect(await engine.session('local', 's1')).toMatchObject({
        phase: 'blocked',
        queue: [],
        active_task: asked.task,
      });
      expect((await engine.tasks('local', 's1', { limit: 500 })).items).toMatchObject([
        { state: 'done' },
        { state: 'awaiting_user' },
      ]);
    });
  });

  describe(`${SESSIONS} sessions at once`, () => {
    it('each get their own replies in order, and no step of one is in the trace of another', async () => {
      const dig = quickTool('dig', (input, { session_id }) => ({ ok: true, result: `${session_id} dug ${input}` }));
      const model = createScriptedModel({
        plan: plans('Dig'),
        thought: ({ task }) => (task.successful_steps === 0 ? acts('dig', task.goal) : finishes()),
        replan: ({ task }) => concludes(task.observations[0]?.result ?? 'nothing'),
      });
      const opened = await open({ model, tools: [dig] });
      const sessions = Array.from({ length: SESSIONS }, (_, i) => sessionOf(opened.engine, `s${i}`));
      const goals = Array.from({ length: TURNS_EACH }, (_, turn) => `goal ${turn}`);
      const replies = await Promise.all(sessions.map((session) => Promise.all(goals.map((goal) => session.ask(goal)))));
      for (const [i, session] of sessions.entries()) {
        expect(replies[i]?.map(({ output }) => output)).toEqual(goals.map((goal) => `s${i} dug ${goal}`));
        expect((await session.trace()).map(({ seq }) => seq)).toEqual((await session.trace()).map((_, at) => at + 1));
        const others = (await sessions[0]!.prose()).map((line) => line.replaceAll('s0 dug', `s${i} dug`));
        expect(await session.prose()).toEqual(others);
      }
    });
  });

  /** An engine whose first task asks where to go; every later thought ends its item. */
  const askingOnce = async () => {
    const model = createScriptedModel({ ...echo, thought: [asks('Where to?'), finishes(), finishes(), finishes()] });
    const opened = await open({ model });
    const { task_id } = await sessionOf(opened.engine).ask('Plan a trip');
    return { opened, model, taskId: task_id ?? 'none' };
  };

  describe('The tasks that a fork opens later', () => {
    it('know what was said and answered before the fork, also after a restart', async () => {
      const { opened, model, taskId } = await askingOnce();
      const turn = await opened.engine.fork('local', taskId, { input: 'Rome' });
      const session = sessionOf(opened.engine, turn.session_id);
      expect(await session.reply(turn)).toMatchObject({ output: 'did: Plan a trip' });
      await session.ask('And then?');
      const before = [
        { said: 'Plan a trip', answered: 'Please confirm: Where to?' },
        { said: 'Rome', answered: 'did: Plan a trip' },
      ];
      expect(model.requests.at(-1)?.task.conversation).toEqual(before);
      expect(await replay(await session.trace(), { gapless: true })).toMatchObject({ ok: true });
      await opened.engine.close();
      const next = createScriptedModel(echo);
      await sessionOf((await opened.reopen({ model: next })).engine, turn.session_id).ask('And now?');
      expect(next.requests.at(-1)?.task.conversation).toEqual([
        ...before,
        { said: 'And then?', answered: 'did: And then?' },
      ]);
    });
  });
};
