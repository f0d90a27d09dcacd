import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { straight } from '../support/engine/model-answers.ts';
import { openSqliteEngine } from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** An engine whose session files take as long to be written as the test lets them. */
const openSlow = () => {
  const files = Promise.withResolvers<void>();
  const answering = Promise.withResolvers<void>();
  const opened = openSqliteEngine({
    model: createScriptedModel([...straight('Hi'), ...straight('Ho')]),
    onTaskMoved: ({ session_id }, _task, isAnswering) => {
      if (!isAnswering || session_id !== 'slow') return null;
      answering.resolve();
      return files.promise;
    },
  });
  return { ...opened, files, answering: answering.promise };
};

/** True when it settles before the next turn of the event loop. */
const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  const late = Symbol('late');
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve(late)])) !== late;
};

describe('A reply whose session files are not written yet', () => {
  it('goes out neither to waiting callers nor to those that ask for the turn, until they are', async () => {
    const { engine, files, answering } = openSlow();
    const session = sessionOf(engine, 'slow');
    const turn = await session.send('Hello');
    const waits = session.reply(turn);
    await answering;
    const asks = engine.turn('local', turn.id);
    const asksAgain = session.reply(turn);
    expect([await isSettled(waits), await isSettled(asks), await isSettled(asksAgain)]).toEqual([false, false, false]);
    files.resolve();
    const reply = await waits;
    expect(reply).toMatchObject({ status: 'answered', output: 'Hi' });
    expect([await asks, await asksAgain]).toEqual([reply, reply]);
  });

  it('delays no other session', async () => {
    const { engine, files, answering } = openSlow();
    await sessionOf(engine, 'slow').send('Hello');
    await answering;
    expect(await sessionOf(engine, 'quick').ask('Hello')).toMatchObject({ output: 'Ho' });
    files.resolve();
  });

  it('still goes out to who waits when the service stops', async () => {
    const { engine, files, answering } = openSlow();
    const session = sessionOf(engine, 'slow');
    const reply = session.reply(await session.send('Hello'));
    await answering;
    const drained = engine.drain();
    files.resolve();
    expect(await reply).toMatchObject({ output: 'Hi' });
    await drained;
  });

  it('waits again after a crash, for the files are written again first', async () => {
    const { engine, crash, reopen, answering, files } = openSlow();
    const turn = await sessionOf(engine, 'slow').send('Hello');
    await answering;
    crash();
    const again = Promise.withResolvers<void>();
    const { engine: next } = reopen({ onTaskMoved: () => again.promise });
    await new Promise((resolve) => setImmediate(resolve));
    const asks = next.turn('local', turn.id);
    expect(await isSettled(asks)).toBe(false);
    again.resolve();
    expect(await asks).toMatchObject({ status: 'answered', output: 'Hi' });
    files.resolve();
  });
});
