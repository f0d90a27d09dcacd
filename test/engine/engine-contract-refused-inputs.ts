import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createScriptedModel, type ScriptedAnswer } from '../../src/models/scripted.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { todoTool } from '../../src/tools/todo/todo-tool.ts';
import { acts, concludes, finishes, plans } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** Nobody is asked about an action that its tool refuses (SPEC 3, approval), by any engine. */
export const itChecksInputsFirst = (open: OpenEngine): void => {
  describe('An input that the tool refuses', () => {
    /** A task whose model pays 20 euros for order 17, as its first thoughts do with these inputs. */
    const paying = async (inputs: string[], ...then: ScriptedAnswer[]) => {
      const paid: unknown[] = [];
      const pay = defineTool({
        name: 'pay',
        description: 'Pays.',
        input: z.object({ order: z.int(), euros: z.number().positive() }),
        approval: true,
        run: (order) => {
          paid.push(order);
          return 'paid';
        },
      });
      const model = createScriptedModel([plans('Pay'), ...inputs.map((input) => acts('pay', input)), ...then]);
      const opened = await open({ model, tools: [pay] });
      return { opened, session: sessionOf(opened.engine), model, paid };
    };
    const good = '{"order":17,"euros":20}';

    it.each([
      ['{"order":17,"euros":-5}', '"euros": Too small: expected number to be >0'],
      ['{"order":17', 'This is not valid JSON'],
      ['{"order":17,"euros":5,"dry_run":true}', 'there is no field "dry_run"'],
    ])('never asks, and is a failed observation: %s', async (input, problem) => {
      const { session, model, paid } = await paying([input, good], finishes(), concludes('Paid'));
      expect(await session.ask('Pay it')).toMatchObject({
        status: 'asking',
        approval: { tool: 'pay', input: good },
        task: { step_count: 3, failed_steps: 1 },
      });
      const result = expect.stringContaining(problem);
      const observation = { tool: 'pay', input, ok: false, result };
      expect((await session.trace()).map(({ event }) => event)).toContainEqual(
        expect.objectContaining({ type: 'observation.recorded', ...observation }),
      );
      expect(model.requests.at(-1)?.task.observations).toMatchObject([observation]);
      expect(await session.ask('yes')).toMatchObject({ status: 'answered', output: 'Paid' });
      expect(paid).toEqual([{ order: 17, euros: 20 }]);
    });

    it('of a transactional tool never asks either', async () => {
      const model = createScriptedModel([plans('Note it'), acts('todo', 'add'), acts('todo', 'add Milk')]);
      const session = sessionOf((await open({ model, tools: [todoTool], approve: ['todo'] })).engine);
      expect(await session.ask('Note it')).toMatchObject({
        approval: { input: 'add Milk' },
        task: { failed_steps: 1 },
      });
    });

    it('does not run in a fork either that begins before it was observed', async () => {
      const bad = '{"order":17,"euros":-5}';
      const { opened, session, paid } = await paying([bad, good, good]);
      const { task_id } = await session.ask('Pay it');
      const wanted = (await session.trace()).find(({ event }) => event.type === 'thought.made');
      const forked = await opened.engine.fork('local', task_id ?? '', { session_id: 's2', at: wanted?.seq ?? 0 });
      const fork = sessionOf(opened.engine, 's2');
      expect(await fork.reply(forked)).toMatchObject({ approval: { input: good }, task: { failed_steps: 1 } });
      expect(paid).toEqual([]);
    });

    it.each(['{"order":17,"euros":-5}', '{"order":17,', 'seventeen'])(
      'as an edit is refused, and the action waits on: %s',
      async (input) => {
        const { session, paid } = await paying([good], finishes(), concludes('Paid'));
        const { approval } = await session.ask('Pay it');
        const before = await session.trace();
        await expect(session.decide({ type: 'edit', input })).rejects.toMatchObject({
          code: 'INVALID_REQUEST',
          status: 400,
          message: expect.stringContaining('Usage: JSON of this schema'),
        });
        expect(await session.trace()).toEqual(before);
        const edited = '{"order":17,"euros":19}';
        expect(await session.decide({ type: 'edit', input: edited }, { answers: approval?.id ?? '' })).toMatchObject({
          output: 'Paid',
        });
        expect(paid).toEqual([{ order: 17, euros: 19 }]);
      },
    );
  });
};
