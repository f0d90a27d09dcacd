import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { replay } from '../../src/history/replay.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { quickTool } from '../support/engine/controlled-tools.ts';
import { acts, asks, concludes, finishes, plans, replans } from '../support/engine/model-answers.ts';
import { type OpenedEngine, openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** As long as an engine ever waits before it tries to store something again, in milliseconds. */
const RETRY_MS = 1_000;

/** More commits than the history below has. */
const COMMITS_MAX = 40;

type Fault = 'is not stored' | 'is stored, and its answer is lost';

/** Plays a history whose `failAt`-th commit has a fault, with a user who sends again what was refused. */
const play = async (failAt: number, fault: Fault = 'is not stored') => {
  let commits = 0;
  const runs: string[] = [];
  const dig = quickTool(
    'dig',
    (input, { effect_id }) => {
      runs.push(effect_id);
      return { ok: true, result: `dug ${input}` };
    },
    { effect: 'at_most_once' },
  );
  const model = createScriptedModel([
    ...[plans('Dig', 'Fill'), acts('dig'), acts('tally', 'a hole'), finishes(), replans('Fill'), asks('With what?')],
    ...[replans('Fill'), acts('tally', 'earth'), finishes(), concludes('Done')],
  ]);
  // The engine tries again after a while; here it does so as soon as it has logged the failure.
  const isTriedAgain = () => setImmediate(() => vi.advanceTimersByTime(RETRY_MS));
  let opened: OpenedEngine | undefined;
  opened = await openEngine({
    model,
    tools: [dig],
    log: pino({ level: 'debug' }, { write: (line) => void (line.includes('trying again') && isTriedAgain()) }),
    around: (store) => ({
      ...store,
      commit: async (image, decide) => {
        commits += 1;
        const isAtFault = opened !== undefined && commits === failAt;
        if (isAtFault && fault === 'is not stored') throw new ServiceError('STORAGE_UNAVAILABLE', 'the disk fails');
        const decision = await store.commit(image, decide);
        if (isAtFault) throw new ServiceError('STORAGE_UNAVAILABLE', 'the answer got lost');
        return decision;
      },
    }),
  });
  // The commits of the start apart.
  commits = 0;
  const session = sessionOf(opened.engine);
  const say = async (input: string) => {
    for (;;)
      try {
        return (await session.ask(input, { idempotency_key: input })).output;
      } catch (error) {
        expect(error).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
      }
  };
  const outputs = [await say('Garden'), await say('/status'), await say('Earth')];
  return {
    commits,
    history: {
      outputs,
      prose: await session.prose(),
      tallied: await opened.tallied(),
      runs: runs.length,
      asked: model.requests.length,
      replayed: await replay(await session.trace(), { gapless: true }),
    },
  };
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('Any one commit', () => {
  it.each(['is not stored', 'is stored, and its answer is lost'] as const)(
    'that %s is repaired: nothing is lost, done twice or bought twice, and the history is the same',
    async (fault) => {
      const undisturbed = await play(0);
      expect(undisturbed.history).toMatchObject({ tallied: ['a hole', 'earth'], runs: 1, asked: 10 });
      expect(undisturbed.commits).toBeLessThan(COMMITS_MAX);
      const withoutTask = (outputs: unknown[]) => outputs.map((output) => String(output).replace(/task_\w+/, 'task'));
      for (let failAt = 1; failAt <= undisturbed.commits; failAt += 1) {
        const { history } = await play(failAt, fault);
        expect({ failAt, ...history, outputs: withoutTask(history.outputs) }).toEqual({
          failAt,
          ...undisturbed.history,
          outputs: withoutTask(undisturbed.history.outputs),
        });
      }
    },
  );
});

it('an answer fits the question of a commit that was stored and seemed to fail', async () => {
  let isLost = false;
  const { engine } = await openEngine({
    model: createScriptedModel([plans('Fill'), asks('With what?'), replans('Fill'), finishes(), concludes('Done')]),
    around: (store) => ({
      ...store,
      commit: async (image, decide) => {
        const decision = await store.commit(image, decide);
        if (isLost || !decision.changes.some(({ type }) => type === 'turn.finished')) return decision;
        isLost = true;
        throw new ServiceError('STORAGE_UNAVAILABLE', 'the answer got lost');
      },
    }),
  });
  const session = sessionOf(engine);
  const sent = await session.send('Garden');
  await vi.waitUntil(async () => (await engine.turn('local', sent.id)).finished_at !== null);
  expect(await session.ask('Earth')).toMatchObject({ status: 'answered', output: 'Done' });
});
