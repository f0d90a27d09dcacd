import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { commandOf } from '../../src/commands/commands.ts';
import { replay } from '../../src/history/replay.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createDueClock } from '../../src/runtime/due-clock.ts';
import type { Engine } from '../../src/runtime/port.ts';
import { dueStore } from '../../src/store/sql/due.ts';
import { goalStore } from '../../src/tools/schedule/goals.ts';
import { scheduleTool } from '../../src/tools/schedule/schedule-tool.ts';
import { acts, asks, concludes, echo, finishes, plans } from '../support/engine/model-answers.ts';
import type { OpenEngine } from '../support/engine/test-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const MORNING = Date.parse('2026-03-02T08:00:00Z');
const KEY = { owner: 'local', session_id: 's1' };
const commands = [commandOf(scheduleTool)];

/** A session's turns that goals became, oldest first. */
const goalTurns = async (engine: Engine, session_id = 's1', owner = 'local') =>
  (await engine.turns(owner, session_id, { limit: 500 })).items.filter(({ kind }) => kind === 'goal').reverse();

/** The trace's entries on goals that came due. */
const dueIn = async (engine: Engine, session_id = 's1', owner = 'local') =>
  (await sessionOf(engine, session_id, owner).trace()).flatMap(({ event }) =>
    event.type === 'goal.due' ? [event] : [],
  );

/** Goals on a schedule (SPEC 8), as any engine must keep them. */
export const itRunsGoals = (open: OpenEngine): void => {
  describe('A goal on a schedule', () => {
    it('opens a task in its session at each of its times, and goes with the last', async () => {
      const clock = { now: MORNING };
      const posted: string[] = [];
      const opened = await open({
        model: createScriptedModel(echo),
        commands,
        now: () => clock.now,
        postCallback: async (url, { body }) => {
          posted.push(`${url} ${JSON.parse(String(body)).output}`);
          return new Response();
        },
      });
      const { engine } = opened;
      const session = sessionOf(engine);
      const made = await session.ask('/schedule goal "today 09:00" read the news --interval 1440 --times 2', {
        callback_url: 'http://here.test/',
      });
      const line = '#1 read the news  2026-03-02 09:00 (Mon)  every 1440 min, 2 times';
      expect(made).toMatchObject({ status: 'ran', output: `Scheduled ${line}` });
      expect(await session.ask('/schedule goals')).toMatchObject({ output: `Goals (1)\n${line}` });
      await engine.deliverDue(KEY, clock.now, 0);
      expect(await goalTurns(engine)).toEqual([]);

      for (const times of [1, 2]) {
        clock.now = MORNING + 60 * MINUTE + (times - 1) * DAY;
        for (let i = 0; i < 2; i += 1) await engine.deliverDue(KEY, clock.now, 0);
        const turns = await goalTurns(engine);
        expect(turns).toHaveLength(times);
        expect(await session.reply(turns.at(-1)!)).toMatchObject({ status: 'answered', output: 'did: read the news' });
      }
      const turns = await goalTurns(engine);
      expect((await engine.sessions('local', { limit: 5 }, { q: 'did:' })).items).toHaveLength(1);
      expect(await dueIn(engine)).toEqual(
        turns.map(({ id }, i) => ({
          type: 'goal.due',
          goal_id: 1,
          goal: 'read the news',
          late: false,
          started_turn_id: id,
          due_at: new Date(MORNING + 60 * MINUTE + i * DAY).toISOString(),
        })),
      );
      expect(await session.ask('/schedule goals')).toMatchObject({ output: 'No goal is scheduled.' });
      expect(await opened.ownerData.run(null, () => dueStore.nextDue(null))).toBeNull();
      expect(await replay(await session.trace())).toMatchObject({ ok: true });
      await expect
        .poll(() => posted.sort().join('\n'))
        .toBe(`http://here.test/ ${made.output}\n${'http://here.test/ did: read the news\n'.repeat(2)}`.trim());
    });

    it('fires once, marked late, for all times that it missed while the process was down', async () => {
      const clock = { now: MORNING };
      const opened = await open({ model: createScriptedModel(echo), commands, now: () => clock.now });
      await sessionOf(opened.engine).ask('/schedule goal "every day 09:00" water the plants');
      opened.crash();
      clock.now += 5 * DAY;
      const { engine, ownerData } = await opened.reopen();
      for (let i = 0; i < 2; i += 1) await engine.deliverDue(KEY, clock.now, clock.now);
      expect(await dueIn(engine)).toMatchObject([{ late: true, due_at: '2026-03-02T09:00:00.000Z' }]);
      const [turn] = await goalTurns(engine);
      expect(await sessionOf(engine).reply(turn!)).toMatchObject({ output: 'did: water the plants' });
      expect(await ownerData.run(null, () => dueStore.nextDue(['local']))).toBe(Date.parse('2026-03-07T09:00:00Z'));
    });

    it('may ask, and is skipped until that is answered', async () => {
      const clock = { now: MORNING };
      const model = createScriptedModel({
        plan: plans('Think'),
        thought: ({ task }) => (task.clarification_history.length === 0 ? asks('Which one?') : finishes()),
        replan: ({ task }) => concludes(task.clarification_history[0]?.text ?? ''),
      });
      const { engine } = await open({ model, commands, now: () => clock.now });
      const session = sessionOf(engine);
      await session.ask('/schedule goal "every day 09:00" choose');
      for (let day = 0; day < 2; day += 1) {
        clock.now = MORNING + 60 * MINUTE + day * DAY;
        await engine.deliverDue(KEY, clock.now, 0);
        await session.reply((await goalTurns(engine))[0]!);
      }
      expect(await goalTurns(engine)).toMatchObject([{ status: 'asking', question: 'Which one?' }]);
      expect(await dueIn(engine)).toMatchObject([{ late: false }, { late: false, skipped: 'unfinished' }]);
      expect((await engine.waiting('local', ['awaiting_user'], { limit: 9 })).items).toMatchObject([
        { question: 'Which one?' },
      ]);
      expect(await session.ask('the red one')).toMatchObject({ status: 'answered', output: 'the red one' });
      clock.now += DAY;
      await engine.deliverDue(KEY, clock.now, 0);
      expect(await goalTurns(engine)).toHaveLength(2);
    });

    it('waits in the queue while another task asks, and opens its own task after the answer', async () => {
      const clock = { now: MORNING };
      const model = createScriptedModel({
        ...echo,
        thought: ({ task }) =>
          task.goal === 'ask me' && task.clarification_history.length === 0 ? asks('Why?') : finishes(),
      });
      const { engine } = await open({ model, commands, now: () => clock.now });
      const session = sessionOf(engine);
      await session.ask('/schedule goal "today 09:00" continue');
      expect(await session.ask('ask me')).toMatchObject({ status: 'asking' });
      clock.now += 60 * MINUTE;
      await engine.deliverDue(KEY, clock.now, 0);
      expect(await goalTurns(engine)).toMatchObject([{ status: 'queued' }]);
      expect(await session.ask('Because')).toMatchObject({ output: 'did: ask me' });
      expect(await session.reply((await goalTurns(engine))[0]!)).toMatchObject({ output: 'did: continue' });
      expect(await session.tasks()).toHaveLength(2);
    });

    it('opens its own task, whatever its words mean to a paused task', async () => {
      const clock = { now: MORNING };
      const model = createScriptedModel(echo);
      const { engine } = await open({ model, commands, now: () => clock.now, limits: { max_steps: 1 } });
      const session = sessionOf(engine);
      await session.ask('/schedule goal "today 09:00" continue');
      expect(await session.ask('Mow')).toMatchObject({ status: 'paused' });
      clock.now += 60 * MINUTE;
      await engine.deliverDue(KEY, clock.now, 0);
      const [turn] = await goalTurns(engine);
      expect(await session.reply(turn!)).toMatchObject({ status: 'paused', task: { goal: 'continue' } });
      const tasks = (await session.tasks()).map(({ goal, step_count }) => `${goal} ${step_count}`);
      expect(tasks.sort()).toEqual(['Mow 1', 'continue 1']);
    });

    it('counts as a turn of its owner, and is skipped with the reason where a quota or limit refuses it', async () => {
      const clock = { now: MORNING };
      const opened = await open({
        model: createScriptedModel(echo),
        commands,
        now: () => clock.now,
        serviceLimits: { queued_turns: 2 },
      });
      const { engine } = opened;
      const session = sessionOf(engine);
      for (const goal of ['a', 'b', 'c']) await session.ask(`/schedule goal "today 09:00" ${goal}`);
      clock.now += 60 * MINUTE;
      await engine.deliverDue(KEY, clock.now, 0);
      expect(await dueIn(engine)).toMatchObject([
        ...[
          { goal: 'a', started_turn_id: expect.any(String) },
          { goal: 'b', started_turn_id: expect.any(String) },
        ],
        { goal: 'c', skipped: 'refused', reason: expect.stringContaining('2 turns of this session wait') },
      ]);
      for (const turn of await goalTurns(engine))
        expect(await session.reply(turn)).toMatchObject({ status: 'answered' });
    });

    it('is made by users alone, in words that are certain', async () => {
      const model = createScriptedModel({
        plan: plans('Schedule it'),
        thought: ({ task }) =>
          task.observations.length === 0 ? acts('schedule', 'goal "tomorrow 9am" take over') : finishes(),
        replan: ({ task }) => concludes(task.observations[0]!.result),
      });
      const { engine } = await open({ model, commands, tools: [scheduleTool], now: () => MORNING });
      const session = sessionOf(engine);
      expect(scheduleTool.usage).not.toContain('/schedule goal');
      expect(await session.ask('Go')).toMatchObject({ output: expect.stringContaining('/schedule goal') });
      expect(await session.ask('/schedule goals')).toMatchObject({ output: 'No goal is scheduled.' });
      const refused = [
        ...[
          '/schedule goal',
          '/schedule goal tomorrow read',
          '/schedule goal "tomorrow 9am"',
          '/schedule goals delete 1',
        ],
        ...['/schedule goal "2026-03-01 09:00" read', '/schedule goal "every day 9am" read --interval 5'],
        ...['/schedule goal "tomorrow 9am" read --times 3', `/schedule goal "tomorrow 9am" ${'x'.repeat(4_001)}`],
      ];
      for (const input of refused) expect([input, await session.ask(input)]).toMatchObject([input, { ok: false }]);
      await session.ask('/schedule goal 明天上午九点 读新闻');
      expect(await session.ask('/schedule goals delete 1')).toMatchObject({
        output: 'Deleted #1 读新闻  2026-03-03 09:00 (Tue)',
      });
    });

    it('is not copied into a fork, and is removed with its session', async () => {
      const clock = { now: MORNING };
      const { engine, ownerData } = await open({ model: createScriptedModel(echo), commands, now: () => clock.now });
      const session = sessionOf(engine);
      const { task_id } = await session.ask('Hello');
      await session.ask('/schedule goal "today 09:00" read');
      await engine.fork('local', task_id!, { at: 2, session_id: 'f' });
      clock.now += 60 * MINUTE;
      expect(await ownerData.run(null, () => dueStore.sessionsWithDue(null, clock.now, 9))).toEqual([KEY]);
      expect(await Array.fromAsync(engine.prune({ before: clock.now, includeWaiting: true }))).not.toContainEqual([
        expect.objectContaining(KEY),
      ]);
      await engine.remove('local', 's1');
      expect(await ownerData.run(null, () => dueStore.nextDue(null))).toBeNull();
    });
  });

  it('a thousand goals due in one minute all become turns once, though the process dies among them', async () => {
    const clock = { now: MORNING };
    const asked = new Set<string>();
    const [aFew, all] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // The first task of each session runs on, and the others wait in its queue.
    const model = createScriptedModel({
      thought: ({ task }) => {
        asked.add(task.task_id);
        if (asked.size === 30) aFew.resolve();
        if (asked.size === 100) all.resolve();
        return new Promise<never>(() => {});
      },
    });
    const opened = await open({ model, planning: false, now: () => clock.now });
    const owners = Array.from({ length: 10 }, (_, i) => `owner${i}`);
    const sessions = owners.flatMap((owner) => Array.from({ length: 10 }, (_, i) => ({ owner, session_id: `s${i}` })));
    for (const key of sessions) {
      await opened.engine.openSession(key);
      await opened.ownerData.run(key.owner, function* () {
        for (let i = 0; i < 10; i += 1) {
          const due_at = MORNING + MINUTE + i * 6_000;
          const series = { first_at: due_at, interval_minutes: null, rrule: null, timezone: 'UTC', times: 1 };
          const fields = { session_id: key.session_id, goal: `${i}`, series, callback_url: null, due_at };
          yield* goalStore.add(key.owner, fields, MORNING);
        }
      });
    }
    clock.now += 2 * MINUTE;
    const log = pino({ level: 'silent' });
    const start = ({ engine, ownerData }: typeof opened) => {
      const dueClock = createDueClock({ due: dueStore, ownerData, log, now: () => clock.now });
      dueClock.start(engine);
      return dueClock;
    };
    const first = start(opened);
    await aFew.promise;
    opened.crash();
    first.stop();

    const again = await opened.reopen();
    const second = start(again);
    await all.promise;
    second.stop();
    const each = Array.from({ length: 10 }, (_, i) => `${i}`);
    for (const { owner, session_id } of sessions) {
      const turns = await goalTurns(again.engine, session_id, owner);
      expect(turns.map(({ input }) => input)).toEqual(each);
      const due = await dueIn(again.engine, session_id, owner);
      expect(due.map(({ started_turn_id }) => started_turn_id)).toEqual(turns.map(({ id }) => id));
    }
    expect(await again.ownerData.run(null, () => dueStore.nextDue(null))).toBeNull();
  });
};
