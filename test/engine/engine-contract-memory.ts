import { describe, expect, it } from 'vitest';
import { commandOf } from '../../src/commands/commands.ts';
import { replay } from '../../src/history/replay.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { rememberTool } from '../../src/tools/memory/memory.ts';
import { acts, asks, concludes, echo, finishes, plans } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const commands = [commandOf(rememberTool)];

/** The memory of an owner over sessions (SPEC 8), as any engine must keep it. */
export const itRemembers = (open: OpenEngine): void => {
  describe('A task', () => {
    it('knows what its owner said in other sessions, newest first, as it opened, also from the queue and in a fork', async () => {
      const known: string[][] = [];
      const model = createScriptedModel({
        ...echo,
        plan: ({ task }) => {
          known.push(task.memory.map(({ text }) => text));
          return plans('Talk');
        },
        thought: () => asks('Which one?'),
      });
      const opened = await open({ model, commands });
      const first = sessionOf(opened.engine, 's1');
      const second = sessionOf(opened.engine, 's2');
      await first.ask('/memory add Drinks tea');
      const asking = await first.ask('Hello');
      await first.ask('/memory add Lives in Kyoto');
      await second.ask('Hello');
      await sessionOf(opened.engine, 's1', 'someone-else').ask('Hello');
      expect(known).toEqual([['Drinks tea'], ['Lives in Kyoto', 'Drinks tea'], []]);

      const trace = await first.trace();
      const task = trace.find(({ event }) => event.type === 'task.opened');
      expect(task?.event).toMatchObject({ memory: [{ id: 1, text: 'Drinks tea' }] });
      expect(await replay(trace)).toMatchObject({ ok: true });

      opened.crash();
      const { engine } = await opened.reopen();
      const fork = await engine.fork('local', asking.task_id!, { session_id: 'forked', input: 'The first' });
      await sessionOf(engine, 'forked').reply(fork);
      const forked = await sessionOf(engine, 'forked').trace();
      expect(forked.find(({ event }) => event.type === 'task.opened')?.event).toMatchObject({
        memory: [{ id: 1, text: 'Drinks tea' }],
      });
      expect(await replay(forked)).toMatchObject({ ok: true });
    });

    it('knows the newest facts that fit 4,000 characters', async () => {
      const known: number[][] = [];
      const model = createScriptedModel({
        ...echo,
        plan: ({ task }) => {
          known.push(task.memory.map(({ id }) => id));
          return plans();
        },
      });
      const { engine } = await open({ model, commands });
      const session = sessionOf(engine);
      for (let i = 1; i <= 10; i += 1) await session.ask(`/memory add ${i} ${'x'.repeat(498)}`.slice(0, 512));
      await session.ask('Hello');
      expect(known).toEqual([[10, 9, 8, 7, 6, 5, 4, 3]]);
    });

    it('remembers by its tool, and the task after it knows', async () => {
      const known: string[] = [];
      const model = createScriptedModel({
        plan: ({ task }) => {
          known.push(...task.memory.map(({ text }) => text));
          return plans('Remember it');
        },
        thought: ({ task }) => (task.observations.length === 0 ? acts('remember', 'Is allergic to nuts') : finishes()),
        replan: ({ task }) => concludes(task.observations.at(-1)?.result ?? ''),
      });
      const opened = await open({ model, commands, tools: [rememberTool] });
      expect(await sessionOf(opened.engine).ask('I am allergic to nuts')).toMatchObject({
        output: 'Remembered #1 Is allergic to nuts',
      });
      opened.crash();
      const { engine } = await opened.reopen();
      const session = sessionOf(engine, 's2');
      expect(await session.ask('Remember it')).toMatchObject({ output: 'Already known: #1 Is allergic to nuts' });
      expect(known).toEqual(['Is allergic to nuts']);
      expect(await session.ask('/memory delete 1')).toMatchObject({ output: 'Forgot #1 Is allergic to nuts' });
    });
  });
};
