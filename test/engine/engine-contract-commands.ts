import { describe, expect, it } from 'vitest';
import type { PlanEdit } from '../../contracts/event.ts';
import { PLAN_ITEMS_READ_MAX } from '../../contracts/limits.ts';
import type { CommandCall } from '../../src/commands/commands.ts';
import { noQueries } from '../../src/lib/queries.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { controlledTool } from '../support/engine/controlled-tools.ts';
import { digging } from '../support/engine/digging.ts';
import { acts, asking, concludes, finishes, plans, replans } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { never, sessionOf } from '../support/engine/test-session.ts';

/** Slash commands and the user's edits of a plan (SPEC 2.2, 3, 8), as any engine must do them. */
export const itRunsCommands = (open: OpenEngine): void => {
  describe('A slash command', () => {
    it('runs at once while a task runs, reaches no model, and leaves the task as it was', async () => {
      const { engine, model, session, first, call } = await digging(open, [finishes(), concludes('Dug')]);
      const queued = await session.send('Another');
      const before = { trace: await session.trace(), tasks: await session.tasks(), asked: model.requests.length };
      const status = await session.ask('/status');
      expect(status).toMatchObject({ kind: 'command', status: 'ran', task_id: null, task: null });
      expect(status.output).toContain('Dig a hole');
      expect(status.output).toContain('Inputs in the queue: 1');
      expect({ trace: await session.trace(), tasks: await session.tasks(), asked: model.requests.length }).toEqual(
        before,
      );
      await session.ask('/cancel');
      call.gives('a hole');
      expect(await session.reply(first)).toMatchObject({ status: 'cancelled' });
      await expect.poll(async () => (await engine.turn('local', queued.id)).task_id).not.toBeNull();
    });

    it('is no answer to a task that waits, and leaves it waiting', async () => {
      const model = createScriptedModel([...asking('Which colour?'), concludes('Painted')]);
      const session = sessionOf((await open({ model })).engine);
      await session.ask('Paint');
      const before = { trace: await session.trace(), tasks: await session.tasks() };
      for (const input of ['/status', '/help', '/nonsense', '/']) await session.ask(input);
      expect({ trace: await session.trace(), tasks: await session.tasks() }).toEqual(before);
      expect(await session.ask('Red')).toMatchObject({ status: 'answered', output: 'Painted' });
    });

    it('that is unknown is answered with the list, in the language of the input', async () => {
      const session = sessionOf((await open({ model: createScriptedModel([]) })).engine);
      const unknown = await session.ask('/nonsense');
      expect(unknown).toMatchObject({ status: 'ran', ok: false });
      expect(unknown.output).toMatch(/^There is no command \/nonsense\./);
      for (const name of ['/status', '/continue', '/resume', '/cancel', '/plan', '/help'])
        expect(unknown.output).toContain(name);
      expect((await session.ask('/查看')).output).toMatch(/^没有命令/);
    });

    it("knows its session's zone, owner and task", async () => {
      const calls: CommandCall[] = [];
      const look = {
        name: 'look',
        help: () => ({ summary: 'Looks', usage: '/look' }),
        run: (rest: string, call: CommandCall) =>
          noQueries(() => {
            calls.push(call);
            return { ok: true, result: `saw ${rest}` };
          }),
      };
      const { engine } = await open({
        model: createScriptedModel(asking('Which colour?')),
        commands: [look],
        now: () => 1_000,
      });
      const session = sessionOf(engine, 's1', 'ann');
      await session.ask('Paint', { timezone: 'Asia/Tokyo' });
      expect(await session.ask('/look  here ')).toMatchObject({ output: 'saw here' });
      expect(calls).toMatchObject([
        {
          owner: 'ann',
          session_id: 's1',
          timezone: 'Asia/Tokyo',
          now: 1_000,
          queued: 0,
          decider: { owner: 'ann', roles: [] },
          task: { state: 'awaiting_user' },
        },
      ]);
    });

    it('is there in a session that has had no task, and is kept as a turn', async () => {
      const { engine } = await open({ model: createScriptedModel([]) });
      const turn = await sessionOf(engine).ask('/status');
      expect(turn.output).toBe('This session has had no task yet.');
      expect(await engine.turn('local', turn.id)).toEqual(turn);
      expect(await engine.session('local', 's1')).toMatchObject({
        phase: null,
        active_task: null,
        queue: [],
        last_seq: 0,
      });
    });
  });

  describe("The session's time zone", () => {
    it('is the last one that any turn named, also a command, and the host’s before', async () => {
      const model = createScriptedModel([
        ...asking('When?'),
        replans('Go'),
        ...asking('Where?').slice(1),
        concludes('Gone'),
      ]);
      const opened = await open({ model, hostTimezone: 'Europe/Berlin' });
      const session = sessionOf(opened.engine);
      await session.ask('Go');
      await session.ask('/status', { timezone: 'Asia/Tokyo' });
      expect((await opened.engine.session('local', 's1')).timezone).toBe('Asia/Tokyo');
      await session.ask('Tomorrow');
      expect((await opened.engine.session('local', 's1')).timezone).toBe('Asia/Tokyo');
      await opened.engine.close();
      const again = sessionOf((await opened.reopen()).engine);
      await again.ask('Home');
      expect(model.requests.map(({ timezone }) => timezone)).toEqual([
        ...['Europe/Berlin', 'Europe/Berlin'],
        ...['Asia/Tokyo', 'Asia/Tokyo', 'Asia/Tokyo'],
      ]);
    });
  });

  describe('Editing the plan', () => {
    const pausedPlan = async (...then: Parameters<typeof createScriptedModel>[0] & object[]) => {
      const model = createScriptedModel([plans('Dig', 'Fill', 'Mow'), finishes(), ...then]);
      const opened = await open({ model, limits: { max_steps: 1 } });
      const session = sessionOf(opened.engine);
      await session.ask('Garden');
      return { session, model, ...opened };
    };
    const stepsOf = async (session: ReturnType<typeof sessionOf>) =>
      (await session.tasks())[0]?.plan.map(({ step, status }) => `${step}: ${status}`);

    it('of a paused task changes it and leaves it paused; replan runs when it continues', async () => {
      const { session, model } = await pausedPlan(concludes('Done'));
      const edited = await session.ask('/plan add Rake');
      expect(edited).toMatchObject({ kind: 'command', status: 'ran', task: { state: 'paused', needs_replan: true } });
      await session.ask('/plan drop 2');
      await session.ask('/plan move 4 2');
      expect(await stepsOf(session)).toEqual([
        'Dig: completed',
        'Rake: not_started',
        'Fill: dropped',
        'Mow: not_started',
      ]);
      expect(await session.ask('continue')).toMatchObject({ status: 'answered' });
      expect(model.requests.at(-1)?.contract).toBe('replan');
      expect((await session.events()).filter((type) => type === 'plan.edited')).toHaveLength(3);
    });

    it('of a task that waits leaves it waiting for the same answer', async () => {
      const model = createScriptedModel([...asking('Which colour?'), concludes('Painted')]);
      const session = sessionOf((await open({ model })).engine);
      await session.ask('Paint');
      expect(await session.ask('/plan add Clean up')).toMatchObject({
        status: 'ran',
        task: { state: 'awaiting_user' },
      });
      expect(await session.ask('Red')).toMatchObject({ status: 'answered', output: 'Painted' });
    });

    it.each(['/plan drop 9', '/plan move 1 9', '/plan mark 4 completed'])(
      '%s names no item, and the task is as it was',
      async (input) => {
        const { session } = await pausedPlan(concludes('Done'));
        const before = { trace: await session.trace(), tasks: await session.tasks() };
        expect(await session.ask(input)).toMatchObject({
          status: 'ran',
          output: 'The plan has no item with that number. /plan shows it.',
        });
        expect({ trace: await session.trace(), tasks: await session.tasks() }).toEqual(before);
        expect(await session.ask('continue')).toMatchObject({ status: 'answered', output: 'Done' });
      },
    );

    it(`is full with ${PLAN_ITEMS_READ_MAX} items, over HTTP too`, async () => {
      const { engine, session } = await pausedPlan(concludes('Done'));
      const [task] = await session.tasks();
      const add = Array<PlanEdit>(PLAN_ITEMS_READ_MAX / 2).fill({ kind: 'add', step: 'Rake' });
      await engine.editPlan('local', task!.id, add);
      await expect(engine.editPlan('local', task!.id, add)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
      await engine.editPlan('local', task!.id, add.slice(task!.plan.length));
      expect((await session.ask('/plan add Rake')).output).toBe('The plan is full; drop an item first.');
    });

    it('needs a plan', async () => {
      const session = sessionOf((await open({ model: createScriptedModel([new Error('broken')]) })).engine);
      expect((await session.ask('/plan add Rake')).output).toMatch(/^No task of this session waits or is paused/);
      expect(await session.ask('Garden')).toMatchObject({ status: 'paused' });
      expect((await session.ask('/plan add Rake')).output).toMatch(/^The task has no plan yet/);
      expect((await session.ask('/plan add')).output).toMatch(/^Usage:/);
      expect(await session.events()).toEqual(['task.opened', 'model.unavailable']);
    });

    it('is refused while the task runs', async () => {
      const { session, first, call } = await digging(open, [finishes(), concludes('Dug')]);
      expect((await session.ask('/plan add Rake')).output).toMatch(/^The task is running/);
      call.gives('a hole');
      expect(await session.reply(first)).toMatchObject({ status: 'answered' });
    });
  });

  describe('A tool that a user tries', () => {
    it('is called once, beside a task that runs, and its result is the reply', async () => {
      const controlled = controlledTool('dig');
      const probe = controlledTool('probe', { approval: true });
      const model = createScriptedModel([plans('Dig'), acts('dig'), finishes(), concludes('Dug')]);
      const { engine } = await open({ model, tools: [controlled.tool, probe.tool] });
      const session = sessionOf(engine);
      const task = await session.send('Dig a hole');
      const digging = await controlled.called(1);
      const before = await session.trace();
      const tried = await session.send('/tool probe  the ground\nhere');
      const call = await probe.called(1);
      expect(tried).toMatchObject({ kind: 'command', status: 'running', task_id: null, output: null });
      expect(call.input).toBe(' the ground\nhere');
      expect((await engine.session('local', tried.session_id)).queue).toEqual([]);
      call.gives('hard');
      expect(await session.reply(tried)).toMatchObject({ kind: 'command', status: 'ran', output: 'hard', task: null });
      expect(await session.trace()).toEqual(before);
      digging.gives('a hole');
      expect(await session.reply(task)).toMatchObject({ status: 'answered' });
    });

    it('in the store is called in the commit of its turn', async () => {
      const session = sessionOf((await open({ model: createScriptedModel([]) })).engine);
      expect(await session.ask('/tool tally a line')).toMatchObject({ status: 'ran', output: 'tallied a line' });
    });

    it('that fails, throws, is late or is unknown says so', async () => {
      const slow = controlledTool('slow', { timeoutMs: 5 });
      const dig = controlledTool('dig');
      const { engine } = await open({ model: createScriptedModel([]), tools: [slow.tool, dig.tool] });
      const session = sessionOf(engine);
      expect((await session.ask('/tool slow x')).output).toMatch(/^The tool failed: slow did not finish within 5 ms/);
      const thrown = await session.send('/tool dig x');
      (await dig.called(1)).throws(new Error('a rock'));
      expect((await session.reply(thrown)).output).toBe('The tool failed: a rock');
      const failed = await session.send('/tool dig x');
      (await dig.called(2)).gives('water', false);
      expect((await session.reply(failed)).output).toBe('The tool failed: water');
      expect((await session.ask('/tool nothing x')).output).toContain(
        'There is no tool nothing. The tools are: tally, slow, dig.',
      );
      expect((await session.ask('/tool')).output).toBe('Usage: /tool <name> <input>');
    });

    it('leaves the session free: an input that comes meanwhile opens its task, and the session cannot be removed', async () => {
      const probe = controlledTool('probe');
      const model = createScriptedModel([plans(), finishes(), concludes('Hello')]);
      const { engine } = await open({ model, tools: [probe.tool] });
      const session = sessionOf(engine);
      const tried = await session.send('/tool probe x');
      const call = await probe.called(1);
      expect(await session.ask('Hi')).toMatchObject({ status: 'answered', output: 'Hello' });
      await expect(engine.remove('local', tried.session_id)).rejects.toMatchObject({ code: 'TASK_RUNNING' });
      call.gives('done');
      expect(await session.reply(tried)).toMatchObject({ output: 'done' });
      await engine.remove('local', tried.session_id);
    });

    it('is bounded in number over all sessions of its owner', async () => {
      const probe = controlledTool('probe');
      const limits = { tool_runs: 1 };
      const { engine } = await open({ model: createScriptedModel([]), tools: [probe.tool], serviceLimits: limits });
      const tried = await sessionOf(engine, 's1').send('/tool probe x');
      const other = sessionOf(engine, 's2');
      await expect(other.send('/tool probe y')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
      (await probe.called(1)).gives('done');
      await sessionOf(engine, 's1').reply(tried);
      await other.send('/tool probe z');
    });

    it('when the process ends is not called again: the reply says that its result is unknown', async () => {
      const probe = controlledTool('probe', { effect: 'idempotent' });
      const opened = await open({ model: createScriptedModel([]), tools: [probe.tool] });
      const tried = await sessionOf(opened.engine).send('/tool probe x');
      await probe.called(1);
      opened.crash();
      const { engine } = await opened.reopen();
      const turn = await engine.wait('local', tried.id, never);
      expect(turn).toMatchObject({
        kind: 'command',
        status: 'ran',
        output: expect.stringContaining('outcome unknown'),
      });
      expect(probe.calls).toHaveLength(1);
    });
  });
};
