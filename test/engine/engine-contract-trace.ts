import { describe, expect, it } from 'vitest';
import { type TraceEntry, TraceEntry as TraceEntrySchema } from '../../contracts/trace.ts';
import { replay } from '../../src/history/replay.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import type { Engine } from '../../src/runtime/port.ts';
import { quickTool } from '../support/engine/controlled-tools.ts';
import { acts, asks, concludes, echo, finishes, plans, replans } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { never, sessionOf } from '../support/engine/test-session.ts';

/** More entries than an engine reads at a time. */
const MANY_TURNS = 120;

const take = async (entries: AsyncIterable<TraceEntry>, count: number): Promise<TraceEntry[]> => {
  const taken: TraceEntry[] = [];
  for await (const entry of entries) {
    taken.push(entry);
    if (taken.length >= count) break;
  }
  return taken;
};
const followed = (engine: Engine, after: number, signal = never) => engine.follow('local', 's1', after, signal);

/** The trace and those who read it (SPEC 11, 12), as any engine must keep it. */
export const itKeepsTheTrace = (open: OpenEngine): void => {
  /** A session with tool calls, failures, questions, a pause and a cancel in it. */
  const eventful = async () => {
    const tool = quickTool('dig', (input) => ({ ok: input !== 'rock', result: input }));
    const model = createScriptedModel([
      ...[plans('Dig', 'Fill'), acts('dig', 'rock'), acts('dig', 'sand'), 'no JSON', finishes('a hole')],
      ...[replans('Fill'), asks('With what?'), concludes('Done')],
      ...[plans('Mow'), acts('tally'), asks('Really?')],
    ]);
    const opened = await open({ model, tools: [tool], limits: { max_steps: 8 } });
    const session = sessionOf(opened.engine);
    for (const input of ['Garden', 'Earth', 'continue', 'Mow', '/status', '/cancel']) await session.ask(input);
    expect((await session.tasks()).map(({ state }) => state)).toEqual(['done', 'cancelled']);
    expect(model.remaining()).toBe(0);
    return { opened, session };
  };

  describe('The trace', () => {
    it('is gapless from 1, keeps its contract line by line, and replays exactly', async () => {
      const { session, opened } = await eventful();
      const trace = await session.trace();
      expect(trace.map(({ seq }) => seq)).toEqual(trace.map((_, i) => i + 1));
      expect(trace.map((entry) => TraceEntrySchema.parse(JSON.parse(JSON.stringify(entry))))).toEqual(trace);
      expect(await replay(trace, { gapless: true })).toEqual({ ok: true, entries: trace.length });
      for (const { id } of await session.tasks())
        expect(await replay(opened.engine.taskTrace('local', id))).toMatchObject({ ok: true });
    });

    it('of a task is its part of the session’s, and starts with what opened it', async () => {
      const { session, opened } = await eventful();
      const tasks = await session.tasks();
      expect(tasks.length).toBeGreaterThan(1);
      for (const { id } of tasks) {
        const own = await Array.fromAsync(opened.engine.taskTrace('local', id));
        expect(own).toEqual((await session.trace()).filter(({ task_id }) => task_id === id));
        expect(own[0]?.event.type).toBe('task.opened');
      }
    });

    it('can be read from any place on', async () => {
      const { session } = await eventful();
      const trace = await session.trace();
      for (const after of [0, 1, trace.length - 1, trace.length, trace.length + 10])
        expect(await session.trace(after)).toEqual(trace.slice(after));
    });

    it('continues in order when the clock is set back an hour', async () => {
      let now = 7_200_000;
      const { engine } = await open({ model: createScriptedModel(echo), now: () => now });
      const session = sessionOf(engine);
      await session.ask('One');
      now -= 3_600_000;
      await session.ask('Two');
      expect((await session.tasks()).map(({ goal }) => goal)).toEqual(['One', 'Two']);
      expect((await session.trace()).map(({ seq }) => seq)).toEqual((await session.trace()).map((_, i) => i + 1));
      expect(await session.ask('/status')).toMatchObject({ output: expect.stringContaining('Two') });
      expect(await replay(await session.trace(), { gapless: true })).toMatchObject({ ok: true });
    });
  });

  describe('Following a session', () => {
    it('gives stored entries, then new ones as they are stored, without gap or repeat', async () => {
      const { engine } = await open({ model: createScriptedModel(echo) });
      const session = sessionOf(engine);
      await session.ask('One');
      const reading = take(followed(engine, 0), 12);
      await session.ask('Two');
      await session.ask('Three');
      expect(await reading).toEqual(await session.trace());
      expect(await session.trace()).toHaveLength(12);
    });

    it('continues after the last seen seq, also in the next process', async () => {
      const opened = await open({ model: createScriptedModel(echo) });
      await sessionOf(opened.engine).ask('One');
      const seen = await take(followed(opened.engine, 0), 3);
      opened.crash();
      const { engine } = await opened.reopen();
      const session = sessionOf(engine);
      const reading = take(followed(engine, seen.at(-1)!.seq), 5);
      await session.ask('Two');
      expect([...seen, ...(await reading)]).toEqual(await session.trace());
    });

    it('loses nothing to a reader that is slower than the session', async () => {
      const { engine } = await open({ model: createScriptedModel(echo) });
      const session = sessionOf(engine);
      await session.ask('First');
      const reader = followed(engine, 0)[Symbol.asyncIterator]();
      const read: (TraceEntry | undefined)[] = [];
      const next = async () => read.push((await reader.next()).value);
      await next();
      for (let turn = 0; turn < MANY_TURNS; turn += 1) await session.ask(`Turn ${turn}`);
      while (read.length < 4 * (MANY_TURNS + 1)) await next();
      expect(read).toEqual(await session.trace());
      await reader.return?.(undefined);
    });

    it('is done by many at once, each at its own pace', async () => {
      const { engine } = await open({ model: createScriptedModel(echo) });
      const session = sessionOf(engine);
      await session.ask('First');
      const readers = Array.from({ length: 20 }, (_, i) => take(followed(engine, i % 5), 12 - (i % 5)));
      await Promise.all([session.ask('Two'), session.ask('Three')]);
      for (const [i, read] of (await Promise.all(readers)).entries()) expect(read).toEqual(await session.trace(i % 5));
    });

    it('ends when the reader leaves, and when the service stops', async () => {
      const { engine } = await open({ model: createScriptedModel(echo) });
      await sessionOf(engine).ask('First');
      const leaver = new AbortController();
      const left = take(followed(engine, 0, leaver.signal), 100);
      leaver.abort();
      expect(await left).toHaveLength(4);
      const stopped = followed(engine, 0)[Symbol.asyncIterator]();
      for (const seq of [1, 2, 3, 4]) expect(await stopped.next()).toMatchObject({ value: { seq } });
      const end = stopped.next();
      await engine.close();
      expect(await end).toMatchObject({ done: true });
    });
  });

  it('lists tasks by when they last moved, by page, of a session, a state, a time, or one alone', async () => {
    const { engine } = await open({ model: createScriptedModel(echo) });
    const ids: string[] = [];
    for (const name of ['s1', 's2', 's1']) ids.unshift((await sessionOf(engine, name).ask('Go')).task_id!);
    const listed = async (query: object, page = { limit: 9 }) => {
      const { items, next, total } = await engine.moved('local', query, page);
      return { ids: items.map(({ task }) => task.id), next, total };
    };
    expect(await listed({})).toEqual({ ids, next: null, total: 3 });
    const { next, ...first } = await listed({}, { limit: 2 });
    expect(first).toEqual({ ids: ids.slice(0, 2), total: 3 });
    const rest = await engine.moved('local', {}, { limit: 2, after: next! });
    expect(rest.items.map(({ task }) => task.id)).toEqual(ids.slice(2));
    expect(await listed({ session_id: 's2' })).toMatchObject({ ids: [ids[1]], total: 1 });
    expect(await listed({ session_id: 'none' })).toMatchObject({ ids: [], total: 0 });
    expect(await listed({ task_id: ids[2] })).toMatchObject({ ids: [ids[2]], total: 1 });
    expect(await listed({ kinds: [{ state: 'done', outcome: 'completed' }] })).toMatchObject({ total: 3 });
    expect(await listed({ kinds: [{ state: 'done', outcome: 'failed' }] })).toMatchObject({ ids: [], total: 0 });
    expect(await listed({ since: Date.UTC(2999) })).toMatchObject({ ids: [], total: 0 });
    expect((await engine.moved('other', {}, { limit: 9 })).total).toBe(0);
  });

  it.each(['x', '1e3', '0x', '--1', '1.x'])(
    'a cursor that no list gave is refused, and not reported as damage: %s',
    async (after) => {
      const { engine } = await open({ model: createScriptedModel({}) });
      for (const list of [
        engine.sessions('local', { limit: 1, after }),
        engine.waiting('local', ['paused'], { limit: 1, after }),
        engine.moved('local', {}, { limit: 1, after }),
      ])
        await expect(list).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      expect(await engine.isReady()).toBe(true);
    },
  );
};
