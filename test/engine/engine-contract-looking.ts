import { describe, expect, it } from 'vitest';
import { replay } from '../../src/history/replay.ts';
import { promptFor } from '../../src/models/prompt/prompt.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { controlledTool, quickTool } from '../support/engine/controlled-tools.ts';
import { callItemDone, callPlan, callTool, concludes, finishes } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** A task that looks first (SPEC 3, confirm_plan), as any engine must run it. */
export const itLooksFirst = (open: OpenEngine): void => {
  describe('A task that looks first', () => {
    it('calls only what reads until the yes, after a crash and in a fork too, and lets go what a message has behind it', async () => {
      const look = controlledTool('look');
      const dug: string[] = [];
      const dig = quickTool('dig', (input) => ({ ok: dug.push(input) > 0, result: 'dug' }), { writes: true });
      const model = createScriptedModel([
        [callPlan('See the garden'), callTool('look', 'north')],
        [callItemDone('There is a rose', {}), callPlan('Dig beside the rose'), callTool('dig', 'rose')],
        [callTool('dig', 'rose')],
        finishes(),
        concludes('Dug'),
        [callTool('dig', 'fork')],
        finishes(),
        concludes('Dug twice'),
      ]);
      const opened = await open({ model, tools: [look.tool, dig] });
      const sent = await sessionOf(opened.engine).send('Plant a tree', { confirm_plan: 'after_looking' });
      await look.called(1);
      opened.crash();
      const { engine } = await opened.reopen();
      (await look.called(2)).gives('a rose');
      const session = sessionOf(engine);
      const shown = await session.reply(sent);
      expect(shown).toMatchObject({ status: 'asking', question: expect.stringContaining('1. Dig beside the rose') });
      expect(dug).toEqual([]);
      expect(await session.ask('yes')).toMatchObject({ status: 'answered', output: 'Dug' });
      expect(dug).toEqual(['rose']);
      const trace = await session.trace();
      expect(await replay(trace)).toMatchObject({ ok: true });
      const asked = model.requests.map((request) =>
        promptFor({ ...request, now: 0 }, 'native')
          .user.map(({ text }) => text)
          .join(''),
      );
      expect(asked.map((text) => text.includes('Look first'))).toEqual([true, true, false, false, false]);
      expect(asked[2]).toMatch(/were not taken[\s\S]*dig/);

      const at = trace.find(({ event }) => event.type === 'replan.made')!.seq;
      const fork = { at, session_id: 's2', input: 'yes' };
      const forked = sessionOf(engine, 's2');
      expect(await forked.reply(await engine.fork('local', shown.task_id ?? '', fork))).toMatchObject({
        output: 'Dug twice',
      });
      expect(dug).toEqual(['rose', 'fork']);
    });

    it('by the configuration asks nobody where nothing is to be changed', async () => {
      const look = quickTool('look', () => ({ ok: true, result: 'a rose' }));
      const model = createScriptedModel([
        [callPlan('See the garden'), callTool('look')],
        [callItemDone('A rose', {}), { name: 'finish', input: { response: 'There is a rose' } }],
      ]);
      const { engine } = await open({ model, tools: [look], confirmPlan: 'after_looking' });
      expect(await sessionOf(engine).ask('What grows there?')).toMatchObject({ output: 'There is a rose' });
    });
  });
};
