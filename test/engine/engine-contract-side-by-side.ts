import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { replay } from '../../src/history/replay.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { type ControlledTool, controlledTool, quickTool } from '../support/engine/controlled-tools.ts';
import { concludes, finishes, plans, reads } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { never, sessionOf } from '../support/engine/test-session.ts';

/** A time limit that a call is meant to run into, in milliseconds. */
const SHORT_MS = 5;

/** Calls of tools that only read, beside each other (SPEC 3, 7), as any engine must make them. */
export const itReadsSideBySide = (open: OpenEngine): void => {
  const cities = (...rest: object[]) =>
    createScriptedModel([plans('Weather'), reads('look', 'Oslo', 'Rome', 'Bern'), ...rest]);
  const ending = [finishes('cold'), concludes('All cold')];
  const observed = (trace: TraceEntry[]) =>
    trace.flatMap(({ event }) =>
      event.type === 'observations.recorded' ? event.observations.map(({ ok, result }) => [ok, result]) : [],
    );
  const allCalled = ({ called }: ControlledTool) => Promise.all([called(1), called(2), called(3)]);

  describe('Reads side by side', () => {
    it('are all under way before one has ended, and are observed in the order asked, whichever ends first', async () => {
      const look = controlledTool('look');
      const session = sessionOf((await open({ model: cities(...ending), tools: [look.tool] })).engine);
      const turn = await session.send('Weather');
      const calls = await allCalled(look);
      expect(calls.map(({ call }) => call.effect_id)).toEqual([0, 1, 2].map((at) => `${turn.task_id}.3.${at}`));
      expect(calls.map(({ input }) => input)).toEqual(['Oslo', 'Rome', 'Bern']);
      for (const call of calls.toReversed()) call.gives(`cold in ${call.input}`);
      expect(await session.reply(turn)).toMatchObject({
        status: 'answered',
        output: 'All cold',
        task: { step_count: 6, successful_steps: 3 },
      });
      const trace = await session.trace();
      expect(observed(trace)).toEqual([
        [true, 'cold in Oslo'],
        [true, 'cold in Rome'],
        [true, 'cold in Bern'],
      ]);
      expect(await replay(trace, { gapless: true })).toMatchObject({ ok: true });
    });

    it('have their own time limits and failures each: one that throws or takes too long spoils no other', async () => {
      const look = controlledTool('look');
      const { engine } = await open({ model: cities(...ending), tools: [look.tool], toolTimeoutMs: SHORT_MS });
      const session = sessionOf(engine);
      const turn = await session.send('Weather');
      const [oslo, rome] = await allCalled(look);
      oslo.throws(new Error('no such city'));
      rome.gives('cold');
      expect(await session.reply(turn)).toMatchObject({ task: { successful_steps: 1, failed_steps: 2 } });
      expect(observed(await session.trace())).toEqual([
        [false, 'no such city'],
        [true, 'cold'],
        [false, `look did not finish within ${SHORT_MS} ms`],
      ]);
    });

    it.each([
      ['idempotent', 'run all of them again after a crash, under the same ids', 6],
      ['at_most_once', 'run none again that may run only once', 3],
    ] as const)('%s: %s', async (effect, _, runs) => {
      const look = controlledTool('look', { effect });
      const opened = await open({ model: cities(...ending), tools: [look.tool] });
      const turn = await sessionOf(opened.engine).send('Weather');
      const [oslo] = await allCalled(look);
      oslo.gives('cold');
      opened.crash();
      const { engine } = await opened.reopen({ model: createScriptedModel(ending) });
      if (effect === 'idempotent') for (const nth of [4, 5, 6]) (await look.called(nth)).gives('cold again');
      expect(await sessionOf(engine).reply(turn)).toMatchObject({ status: 'answered' });
      const ids = look.calls.map(({ call }) => call.effect_id);
      expect(ids).toHaveLength(runs);
      expect(new Set(ids).size).toBe(3);
      const text = effect === 'idempotent' ? 'cold again' : expect.stringContaining('outcome unknown');
      expect(observed(await sessionOf(engine).trace())).toEqual([0, 1, 2].map(() => [effect === 'idempotent', text]));
    });

    it('are aborted by a cancel, and what they still give is written down', async () => {
      const look = controlledTool('look');
      const { engine } = await open({ model: cities(), tools: [look.tool] });
      const session = sessionOf(engine);
      await session.send('Weather');
      const calls = await allCalled(look);
      expect(calls.map(({ call }) => call.signal.aborted)).toEqual([false, false, false]);
      await session.ask('/cancel');
      expect(calls.map(({ call }) => call.signal.aborted)).toEqual([true, true, true]);
      for (const call of calls) call.gives(`cold in ${call.input}`);
      let last: TraceEntry | null = null;
      for await (const entry of engine.follow('local', 's1', 4, never)) {
        last = entry;
        break;
      }
      const outcome = 'cold in Oslo\ncold in Rome\ncold in Bern';
      expect(last?.event).toEqual({ type: 'result.superseded', effect: 3, outcome });
    });

    it('run no tool that by now writes or needs approval', async () => {
      const look = controlledTool('look');
      const opened = await open({ model: cities(), tools: [look.tool] });
      const turn = await sessionOf(opened.engine).send('Weather');
      await allCalled(look);
      opened.crash();
      const { tool, calls } = controlledTool('look', { writes: true });
      const { engine } = await opened.reopen({ model: createScriptedModel(ending), tools: [tool] });
      expect(await sessionOf(engine).reply(turn)).toMatchObject({ task: { failed_steps: 3 } });
      expect(calls).toEqual([]);
      expect(observed(await sessionOf(engine).trace())[0]?.[1]).toContain('may not be called beside other tools');
    });

    it('are made again by a fork that begins while they are open, under its own ids', async () => {
      const seen: string[] = [];
      const look = quickTool('look', (input, { effect_id }) => {
        seen.push(effect_id);
        return { ok: true, result: `cold in ${input}` };
      });
      const model = cities(...ending, finishes('mild'), concludes('All mild'));
      const { engine } = await open({ model, tools: [look] });
      const session = sessionOf(engine);
      const { task_id } = await session.ask('Weather');
      const at = (await session.trace()).find(({ effects }) => effects[0]?.type === 'tool.batch')?.seq;
      expect(await engine.previewFork('local', task_id!, at)).toMatchObject({
        recalled: [{ type: 'model.plan' }, { type: 'model.thought' }],
        performed: ['Oslo', 'Rome', 'Bern'].map((input, i) => ({
          effect_id: `${task_id}.3.${i}`,
          type: 'tool.batch',
          tool: 'look',
          input,
          writes: false,
        })),
      });
      const fork = await engine.fork('local', task_id!, { at });
      expect(await sessionOf(engine, fork.session_id).reply(fork)).toMatchObject({ output: 'All mild' });
      expect(seen.slice(3)).toEqual([0, 1, 2].map((i) => `${fork.task_id}.3.${i}`));
      const trace = await sessionOf(engine, fork.session_id).trace();
      expect(await replay(trace)).toEqual({ ok: true, entries: trace.length });
    });
  });
};
