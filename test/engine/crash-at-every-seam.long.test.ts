import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandOf } from '../../src/commands/commands.ts';
import { replay } from '../../src/history/replay.ts';
import type { ModelRequest } from '../../src/models/port.ts';
import { createScriptedModel, type ScriptedCall } from '../../src/models/scripted.ts';
import type { Engine } from '../../src/runtime/port.ts';
import { scheduleTool } from '../../src/tools/schedule/schedule-tool.ts';
import { quickTool } from '../support/engine/controlled-tools.ts';
import { type Restarts, startWithRestarts } from '../support/engine/crash-restarts.ts';
import { makeStoreDir } from '../support/engine/empty-store.ts';
import {
  acts,
  asks,
  callFinish,
  callItemDone,
  callPlan,
  callTool,
  concludes,
  finishes,
  plans,
  reads,
  replans,
} from '../support/engine/model-answers.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const never = new Promise<never>(() => {});

/** The model's answer to each of a goal's effects, by the effect's number in its task; a tool's effects are left out. */
const ANSWERS: Record<string, Record<number, Record<string, unknown> | string | Promise<never>>> = {
  Garden: {
    1: plans('Dig', 'Fill'),
    2: acts('dig', 'rock'),
    4: acts('tally', 'a hole'),
    6: 'no JSON',
    7: finishes('a hole'),
    8: replans('Fill'),
    9: asks('With what?'),
    10: replans('Fill'),
    11: acts('dig', 'earth'),
    13: finishes(),
    14: concludes('Dug and filled'),
  },
  Mow: { 1: plans('Mow'), 2: never },
  Rake: { 1: plans('Rake'), 2: acts('dig', 'leaves'), 4: concludes('Raked') },
};

/** Plays one long history with a user who sends again what a crash left without an answer. */
const play = async (crashAt: (nth: number) => boolean) => {
  const dataDir = makeStoreDir();
  const steered = Promise.withResolvers<void>();
  const mowing = Promise.withResolvers<void>();
  const raking = Promise.withResolvers<void>();
  let restarts: Restarts | undefined;
  const model = createScriptedModel(
    Object.fromEntries(
      ['plan', 'thought', 'replan'].map((contract) => [
        contract,
        async ({ effect_id, task }: { effect_id: string; task: { goal: string } }) => {
          await restarts?.assertNoOutcome(effect_id);
          if (task.goal === 'Mow' && contract === 'thought') mowing.resolve();
          return ANSWERS[task.goal]![Number(effect_id.split('.')[1])]!;
        },
      ]),
    ),
  );
  const dig = quickTool('dig', async (input, { effect_id }) => {
    await restarts?.assertNoOutcome(effect_id);
    if (input !== 'leaves') return { ok: input !== 'rock', result: `dug ${input}` };
    raking.resolve();
    await steered.promise;
    return { ok: true, result: 'raked' };
  });
  restarts = startWithRestarts(
    {
      model,
      tools: [dig],
      verifiers: [async () => ({ ok: true, output: 'fine' })],
      approve: ['tally'],
      limits: { max_steps: 8 },
      dataDir,
    },
    crashAt,
  );

  const { use } = restarts;
  const say = (input: string) => use((engine) => sessionOf(engine).ask(input, { idempotency_key: input }));
  const begin = (input: string, more = {}) =>
    use((engine) => sessionOf(engine).send(input, { idempotency_key: input, ...more }));
  const decide = (type: 'approve') => use((engine) => sessionOf(engine).decide({ type }, { idempotency_key: type }));
  const replies = [await say('Garden'), await decide('approve'), await say('Earth'), await say('continue')];
  const mow = await begin('Mow');
  await use(() => mowing.promise);
  const rake = await begin('Rake');
  replies.push(await say('/cancel'), await use((engine) => sessionOf(engine).reply(mow)));
  await use(() => raking.promise);
  const steer = await begin('Mind the cat', { on_busy: 'steer' });
  steered.resolve();
  replies.push(
    await use((engine) => sessionOf(engine).reply(rake)),
    await use((engine) => sessionOf(engine).reply(steer)),
  );

  const { engine, tallied } = await restarts.current();
  const session = sessionOf(engine);
  const outcome = {
    prose: await session.prose(),
    replies: replies.map(({ status, output, question }) => ({ status, output, question })),
    tallied: await tallied(),
    queue: (await engine.session('local', 's1')).queue,
    replayed: await replay(await session.trace(), { gapless: true }),
  };
  const seams = [...restarts.seams];
  await use((last) => last.close(0));
  rmSync(dataDir, { recursive: true });
  return { outcome, seams };
};

describe('A process that dies', async () => {
  const undisturbed = await play(() => false);

  it('has many seams to die at, in a history with everything in it', () => {
    const { outcome, seams } = undisturbed;
    expect(outcome.replies.map(({ status }) => status)).toEqual([
      ...['asking', 'asking', 'paused', 'answered', 'cancelled', 'cancelled', 'answered', 'answered'],
    ]);
    expect(outcome.tallied).toEqual(['a hole']);
    expect(new Set(seams)).toEqual(new Set(['before commit', 'after commit', 'before perform', 'after perform']));
    expect(outcome.prose.join('\n')).toMatch(
      /thought\.rejected.*awaiting_user.*paused.*verify\.run.*cancelled.*steer/s,
    );
  });

  it.each(undisturbed.seams.map((seam, i) => [i + 1, seam] as const))(
    'at seam %i, %s, leaves the same history',
    async (at) => {
      expect((await play((nth) => nth === at)).outcome).toEqual(undisturbed.outcome);
    },
  );

  it.each(undisturbed.seams.map((seam, i) => [i + 1, seam] as const))(
    'at seam %i, %s, and at the next one after that too, leaves the same history',
    async (at) => {
      expect((await play((nth) => nth === at || nth === at + 1)).outcome).toEqual(undisturbed.outcome);
    },
  );
});

/** The model's message to each effect of the task at which it is asked: all others are answered by a message before them. */
const MESSAGES: Record<number, ScriptedCall[]> = {
  1: [
    callPlan('Dig', 'Fill'),
    callTool('dig', 'a'),
    callTool('tally', 'a hole'),
    callTool('dig', 'b'),
    callTool('tally', 'two holes'),
    callFinish('written before the holes'),
  ],
  10: [callItemDone('two holes'), callTool('tally', 'rubble'), callTool('dig', 'behind the budget')],
  14: [callTool('dig', 'rock'), callTool('dig', 'behind a failure')],
  17: [{ name: 'ask_user', input: { question: 'With what?' } }],
  18: [callTool('dig', 'c'), callTool('water', 'the lawn'), callTool('dig', 'behind a question')],
  23: [callItemDone('filled'), callFinish('Dug and filled')],
};

describe('A process that dies within a message of several calls', async () => {
  const playChains = async (crashAt: (nth: number) => boolean) => {
    const dataDir = makeStoreDir();
    const runs: string[] = [];
    let restarts: Restarts | undefined;
    const answer = async ({ effect_id }: { effect_id: string }): Promise<ScriptedCall[]> => {
      await restarts?.assertNoOutcome(effect_id);
      const message = MESSAGES[Number(effect_id.split('.')[1])];
      if (message === undefined) throw new Error(`${effect_id} is answered by the message before it`);
      return message;
    };
    const dig = quickTool(
      'dig',
      async (input, { effect_id }) => {
        await restarts?.assertNoOutcome(effect_id);
        runs.push(input);
        return { ok: input !== 'rock', result: `dug ${input}` };
      },
      { writes: true },
    );
    restarts = startWithRestarts(
      {
        model: createScriptedModel({ plan: answer, thought: answer, replan: answer }),
        tools: [dig, quickTool('water')],
        approve: ['water'],
        limits: { max_steps: 12 },
        dataDir,
      },
      crashAt,
    );
    const { use } = restarts;
    const say = (input: string) => use((engine) => sessionOf(engine).ask(input, { idempotency_key: input }));
    const replies = [
      await say('Garden'),
      await say('continue'),
      await say('Earth'),
      await use((engine) => sessionOf(engine).decide({ type: 'approve' }, { idempotency_key: 'approve' })),
    ];
    const { engine, tallied } = await restarts.current();
    const session = sessionOf(engine);
    const outcome = {
      prose: await session.prose(),
      replies: replies.map(({ status, output, question }) => ({ status, output, question })),
      tallied: await tallied(),
      dug: [...new Set(runs)],
      replayed: await replay(await session.trace(), { gapless: true }),
    };
    const seams = [...restarts.seams];
    await use((last) => last.close(0));
    rmSync(dataDir, { recursive: true });
    return { outcome, seams, runs };
  };
  const undisturbed = await playChains(() => false);

  it('has taken what it could of each', () => {
    const { replies, tallied, dug, replayed } = undisturbed.outcome;
    expect(replies.map(({ status }) => status)).toEqual(['paused', 'asking', 'asking', 'answered']);
    expect([tallied, dug]).toEqual([
      ['a hole', 'two holes', 'rubble'],
      ['a', 'b', 'rock', 'c'],
    ]);
    expect(undisturbed.runs).toEqual(dug);
    expect(replayed).toMatchObject({ ok: true });
  });

  it.each(undisturbed.seams.map((seam, i) => [i + 1, seam] as const))(
    'at seam %i, %s, leaves the same history',
    async (at) => {
      expect((await playChains((nth) => nth === at)).outcome).toEqual(undisturbed.outcome);
    },
  );

  it.each(undisturbed.seams.map((seam, i) => [i + 1, seam] as const))(
    'at seam %i, %s, and at the next one after that too, leaves the same history',
    async (at) => {
      expect((await playChains((nth) => nth === at || nth === at + 1)).outcome).toEqual(undisturbed.outcome);
    },
  );
});

describe('Tools that run at most once, asked for in one message', async () => {
  const playOnces = async (crashAt: (nth: number) => boolean) => {
    const dataDir = makeStoreDir();
    const runs: string[] = [];
    const once = quickTool(
      'once',
      (input) => {
        runs.push(input);
        return { ok: true, result: `ran ${input}` };
      },
      { effect: 'at_most_once', writes: true },
    );
    const results = ({ task }: ModelRequest): ScriptedCall[] => [
      callFinish(task.observations.map(({ result }) => result).join(' | ')),
    ];
    const model = createScriptedModel({
      plan: { calls: [callTool('once', 'a'), callTool('tally', 'b'), callTool('once', 'c'), callTool('once', 'd')] },
      thought: results,
      replan: results,
    });
    const restarts = startWithRestarts({ model, tools: [once], dataDir }, crashAt);
    const { output } = await restarts.use((engine) => sessionOf(engine).ask('Do it', { idempotency_key: 'k1' }));
    const { engine, tallied } = await restarts.current();
    const session = sessionOf(engine);
    const asked = (await session.trace()).filter(({ event }) => 'message' in event);
    const replayed = await replay(await session.trace(), { gapless: true });
    const kept = { output, tallied: await tallied(), runs, asked: asked.length, replayed };
    const seams = [...restarts.seams];
    await restarts.use((last) => last.close(0));
    rmSync(dataDir, { recursive: true });
    return { ...kept, seams };
  };
  const undisturbed = await playOnces(() => false);

  it('run in its order', () => {
    expect(undisturbed).toMatchObject({
      output: 'ran a | tallied b | ran c | ran d',
      runs: ['a', 'c', 'd'],
      tallied: ['b'],
      asked: 2,
    });
  });

  it.each(undisturbed.seams.map((seam, i) => [i + 1, seam] as const))(
    'never run twice, and nothing runs after one with an unknown outcome, when the process dies at seam %i, %s',
    async (at) => {
      const { output, tallied, runs, asked, replayed } = await playOnces((nth) => nth === at);
      expect(replayed.ok).toBe(true);
      expect(asked).toBe(2);
      const results = output?.split(' | ') ?? [];
      const unknown = results.findIndex((result) => result.startsWith('outcome unknown'));
      expect([-1, results.length - 1]).toContain(unknown);
      const known = ['ran a', 'tallied b', 'ran c', 'ran d'].slice(0, unknown === -1 ? 4 : unknown);
      expect(results.slice(0, known.length)).toEqual(known);
      expect(tallied).toEqual(known.includes('tallied b') ? ['b'] : []);
      const finished = known.flatMap((result) => (result.startsWith('ran ') ? [result.slice(4)] : []));
      const next = ['a', 'c', 'd'][finished.length];
      const possible = unknown === -1 || next === undefined ? [finished] : [finished, [...finished, next]];
      expect(possible).toContainEqual(runs);
    },
  );
});

describe('A tool that runs at most once, when a person says yes to it', async () => {
  const playOnce = async (crashAt: (nth: number) => boolean) => {
    const dataDir = makeStoreDir();
    const runs: string[] = [];
    const dig = quickTool(
      'dig',
      (_, { effect_id }) => {
        runs.push(effect_id);
        return { ok: true, result: 'a hole' };
      },
      { effect: 'at_most_once', approval: true },
    );
    const model = createScriptedModel({
      plan: plans('Dig'),
      thought: ({ task }) => (task.observations.length === 0 ? acts('dig') : finishes()),
      replan: ({ task }) => concludes(task.observations[0]?.result ?? 'nothing'),
    });
    const restarts = startWithRestarts({ model, tools: [dig], dataDir }, crashAt);
    await restarts.use((engine) => sessionOf(engine).ask('Dig a hole', { idempotency_key: 'k1' }));
    const { output } = await restarts.use((engine) =>
      sessionOf(engine).decide({ type: 'approve' }, { idempotency_key: 'k2' }),
    );
    const { engine } = await restarts.current();
    const replayed = await replay(await sessionOf(engine).trace(), { gapless: true });
    const seams = [...restarts.seams];
    await restarts.use((last) => last.close(0));
    rmSync(dataDir, { recursive: true });
    return { output, runs, replayed, seams };
  };
  const undisturbed = await playOnce(() => false);

  it.each(undisturbed.seams.map((seam, i) => [i + 1, seam] as const))(
    'does, when the process dies at seam %i, %s',
    async (at) => {
      const { output, runs, replayed } = await playOnce((nth) => nth === at);
      expect(replayed.ok).toBe(true);
      expect(runs.length).toBeLessThanOrEqual(1);
      expect(output).toMatch(runs.length === 1 ? /^a hole$|^outcome unknown/ : /^outcome unknown/);
    },
  );

  it('ran, and its result is known, when the process does not die', () => {
    expect(undisturbed).toMatchObject({ output: 'a hole', runs: [expect.any(String)] });
  });
});

describe('A policy', async () => {
  /** Effects of the thoughts that want each payment. */
  const THOUGHTS: Record<string, number> = { small: 2, big: 4, huge: 6 };

  const playPolicy = async (crashAt: (nth: number) => boolean) => {
    const dataDir = makeStoreDir();
    const paid: string[] = [];
    let restarts: Restarts | undefined;
    let taskId = '';
    const pay = quickTool(
      'pay',
      (input) => {
        paid.push(input);
        return { ok: true, result: `paid ${input}` };
      },
      {
        writes: true,
        approval: async (input) => {
          await restarts?.assertNoOutcome(`${taskId}.${THOUGHTS[String(input)]}`);
          if (input === 'huge') return { deny: 'too much' };
          return input === 'big' ? { ask: 'Pay much' } : 'run';
        },
      },
    );
    const answer = ({ task }: ModelRequest): ScriptedCall[] => {
      taskId = task.task_id;
      const seen = task.observations.map(({ result }) => result);
      if (seen.length === 0) return [callTool('pay', 'small'), callTool('pay', 'big')];
      return seen.length < 3 ? [callTool('pay', 'huge')] : [callFinish(seen.join(' | '))];
    };
    restarts = startWithRestarts(
      { model: createScriptedModel({ plan: answer, thought: answer, replan: answer }), tools: [pay], dataDir },
      crashAt,
    );
    const { use } = restarts;
    const asked = await use((engine) => sessionOf(engine).ask('Pay', { idempotency_key: 'k1' }));
    const { output } = await use((engine) => sessionOf(engine).decide({ type: 'approve' }, { idempotency_key: 'k2' }));
    const session = sessionOf((await restarts.current()).engine);
    const trace = await session.trace();
    const outcome = {
      question: asked.question,
      output,
      prose: await session.prose(),
      paid: [...new Set(paid)],
      replayed: await replay(trace, { gapless: true }),
    };
    const seams = [...restarts.seams];
    await use((last) => last.close(0));
    rmSync(dataDir, { recursive: true });
    return { outcome, seams };
  };
  const undisturbed = await playPolicy(() => false);

  it('decides once about each call', () => {
    const { outcome } = undisturbed;
    expect(outcome.question).toContain('Pay much');
    expect(outcome.paid).toEqual(['small', 'big']);
    expect(outcome.output).toBe('paid small | paid big | pay did not run: its policy denies this call: too much');
    expect(outcome.replayed).toMatchObject({ ok: true });
  });

  it.each(undisturbed.seams.map((seam, i) => [i + 1, seam] as const))(
    'is never asked again for a verdict that is stored, when the process dies at seam %i, %s',
    async (at) => {
      expect((await playPolicy((nth) => nth === at)).outcome).toEqual(undisturbed.outcome);
    },
  );
});

describe('Tools that run side by side', async () => {
  const playReads = async (crashAt: (nth: number) => boolean) => {
    const dataDir = makeStoreDir();
    const runs = new Map<string, number>();
    let restarts: Restarts | undefined;
    const look = quickTool('look', async (input, { effect_id }) => {
      await restarts?.assertNoOutcome(effect_id);
      runs.set(effect_id, (runs.get(effect_id) ?? 0) + 1);
      return { ok: true, result: `cold in ${input}` };
    });
    const model = createScriptedModel({
      plan: plans('Weather'),
      thought: ({ task }) => (task.observations.length === 0 ? reads('look', 'Oslo', 'Rome', 'Bern') : finishes()),
      replan: ({ task }) => concludes(task.observations.map(({ result }) => result).join()),
    });
    restarts = startWithRestarts({ model, tools: [look], dataDir }, crashAt);
    const { use } = restarts;
    const turn = await use((engine) => sessionOf(engine).ask('Weather', { idempotency_key: 'k1' }));
    const { engine } = await restarts.current();
    const outcome = {
      output: turn.output,
      step_count: turn.task?.step_count,
      ids: runs.size,
      prose: await sessionOf(engine).prose(),
      replayed: await replay(await sessionOf(engine).trace(), { gapless: true }),
    };
    const seams = [...restarts.seams];
    await use((last) => last.close(0));
    rmSync(dataDir, { recursive: true });
    return { outcome, runs: Math.max(...runs.values()), seams };
  };
  const undisturbed = await playReads(() => false);

  it('are one entry with the results in their order', () => {
    expect(undisturbed).toMatchObject({ runs: 1, outcome: { step_count: 6, ids: 3, replayed: { ok: true } } });
    expect(undisturbed.outcome.output).toBe('cold in Oslo,cold in Rome,cold in Bern');
  });

  it.each(undisturbed.seams.map((seam, i) => [i + 1, seam] as const))(
    'leave the same history when the process dies at seam %i, %s, and run twice at most',
    async (at) => {
      const { outcome, runs } = await playReads((nth) => nth === at);
      expect(outcome).toEqual(undisturbed.outcome);
      expect(runs).toBeLessThanOrEqual(2);
    },
  );
});

describe('A goal that comes due, and a question that expires', async () => {
  const KEY = { owner: 'local', session_id: 's1' };
  const playDue = async (crashAt: (nth: number) => boolean) => {
    const dataDir = makeStoreDir();
    let now = Date.parse('2026-03-02T08:00:00Z');
    const model = createScriptedModel({
      plan: plans('Think'),
      thought: ({ task }) =>
        task.goal === 'Party' && task.clarification_history.length === 0 ? asks('Which day?') : finishes(),
      replan: ({ task }) => concludes(`${task.goal}: ${task.clarification_history[0]?.text ?? 'done'}`),
    });
    const restarts = startWithRestarts(
      { model, commands: [commandOf(scheduleTool)], dataDir, now: () => now },
      crashAt,
    );
    const { use } = restarts;
    const say = (input: string) =>
      use((engine) => sessionOf(engine).ask(input, { idempotency_key: input, expires_in: 60 }));
    const replies = [await say('/schedule goal "today 09:00" Weed'), await say('Party')];
    now += 3_600_000;
    await use((engine) => engine.deliverDue(KEY, now, 0));
    const goals = async (engine: Engine) =>
      (await engine.turns('local', 's1', { limit: 9 })).items.filter(({ kind }) => kind === 'goal');
    const turns = await use(goals);
    replies.push(await use((engine) => sessionOf(engine).reply(turns[0]!)), await say('continue'), await say('Monday'));
    const { engine } = await restarts.current();
    const outcome = {
      prose: (await sessionOf(engine).prose()).map((line) => line.replace(/turn_\w+/, 'its turn')),
      replies: replies.map(({ status, output, question }) => ({ status, output, question })),
      goals: (await goals(engine)).length,
      replayed: await replay(await sessionOf(engine).trace(), { gapless: true }),
    };
    const seams = [...restarts.seams];
    await use((last) => last.close(0));
    rmSync(dataDir, { recursive: true });
    return { outcome, seams };
  };
  const undisturbed = await playDue(() => false);

  it('come once', () => {
    expect(undisturbed.outcome).toMatchObject({ goals: 1, replayed: { ok: true } });
    expect(undisturbed.outcome.replies.map(({ output, question }) => question ?? output)).toEqual([
      ...[expect.stringContaining('#1 Weed'), 'Which day?', 'Weed: done', 'Which day?', 'Party: Monday'],
    ]);
    expect(undisturbed.outcome.prose.join('\n').match(/question\.expired|goal\.due/g)).toEqual([
      ...['question.expired', 'goal.due'],
    ]);
  });

  it.each(undisturbed.seams.map((seam, i) => [i + 1, seam] as const))(
    'leave the same history when the process dies at seam %i, %s',
    async (at) => {
      expect((await playDue((nth) => nth === at)).outcome).toEqual(undisturbed.outcome);
    },
  );
});
