import { describe, expect, it } from 'vitest';
import { createScriptedModel, type ScriptedAnswer } from '../../src/models/scripted.ts';
import type { Store } from '../../src/store/port.ts';
import { asks, concludes, echo, plans, straight } from '../support/engine/model-answers.ts';
import { openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** A store that can be paused: commits that come meanwhile are stored when it resumes. */
const stoppableCommits = () => {
  let gate: PromiseWithResolvers<void> | null = null;
  let arrived = Promise.withResolvers<void>();
  return {
    stop: (): void => {
      gate = Promise.withResolvers();
      arrived = Promise.withResolvers();
    },
    /** Resolves when a commit waits. */
    waiting: () => arrived.promise,
    goOn: (): void => gate?.resolve(),
    around: (store: Store): Store => ({
      ...store,
      commit: async (image, decide) => {
        arrived.resolve();
        await gate?.promise;
        return store.commit(image, decide);
      },
    }),
  };
};

/** A session whose task is about to ask: the question is made, and its commit is pending. */
const aboutToAsk = async (...then: ScriptedAnswer[]) => {
  const store = stoppableCommits();
  const question = Promise.withResolvers<ScriptedAnswer>();
  const model = createScriptedModel([plans('Paint'), question.promise, ...then]);
  const { engine } = await openEngine({ model, around: store.around });
  const session = sessionOf(engine);
  const first = await session.send('Paint');
  await model.asked(2);
  store.stop();
  question.resolve(asks('Which colour?'));
  await store.waiting();
  return { session, first, goOn: store.goOn, model };
};

describe('An input that comes while a question is being stored', () => {
  it('is never its answer: it waits, and opens its own task after this one', async () => {
    const { session, first, goOn, model } = await aboutToAsk(concludes('Painted'), ...straight('Cleaned'));
    const early = session.send('Clean up');
    goOn();
    expect(await session.reply(first)).toMatchObject({ status: 'asking', question: 'Which colour?' });
    expect(await early).toMatchObject({ status: 'queued' });
    expect(await session.ask('Red')).toMatchObject({ output: 'Painted', task_id: first.task_id });
    expect(await session.reply(await early)).toMatchObject({ output: 'Cleaned' });
    expect(model.requests[2]?.task.clarification_history).toEqual([{ question: 'Which colour?', text: 'Red' }]);
  });
});

describe('A turn', () => {
  it('is acknowledged only when it is stored', async () => {
    const store = stoppableCommits();
    const { engine, db } = await openEngine({
      model: createScriptedModel(straight('Hi')),
      around: store.around,
    });
    const session = sessionOf(engine);
    store.stop();
    let isAcknowledged = false;
    const sent = session.send('Hello').then((turn) => {
      isAcknowledged = true;
      return turn;
    });
    await store.waiting();
    expect(db.prepare('SELECT count(*) FROM turns').pluck().get()).toBe(0);
    expect(isAcknowledged).toBe(false);
    store.goOn();
    expect(await session.reply(await sent)).toMatchObject({ output: 'Hi' });
  });

  it('that is cancelled while its outcome is being stored keeps that outcome, and is answered with it', async () => {
    const { session, first, goOn } = await aboutToAsk(concludes('Painted'));
    const cancel = session.ask('/cancel');
    goOn();
    await cancel;
    expect(await session.events()).toEqual(['task.opened', 'plan.made', 'thought.made', 'task.cancelled']);
    expect(await session.reply(first)).toMatchObject({ status: 'asking' });
  });
});

it('a session that is opened while its owner is removed goes with the owner, and works when it is used again', async () => {
  const model = createScriptedModel(echo);
  const came: Promise<unknown>[] = [];
  const around = (store: Store): Store => ({
    ...store,
    removeOwner: async (owner) => {
      if (came.length === 0) {
        came.push(engine.submit({ owner, session_id: 's2', input: '/status' }));
        await came[0];
      }
      return store.removeOwner(owner);
    },
  });
  const { engine } = await openEngine({ model, around });
  await sessionOf(engine).ask('Dig');
  expect(await engine.removeOwner('local')).toBe(true);
  expect((await engine.sessions('local', { limit: 10 })).items).toEqual([]);
  expect(await sessionOf(engine, 's2').ask('Dig')).toMatchObject({ output: 'did: Dig' });
});
