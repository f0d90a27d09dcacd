import { expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { asking, concludes, straight } from '../support/engine/model-answers.ts';
import { openSqliteEngine } from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** More than are kept in memory with nothing open. */
const OTHERS = 300;

it('turns that wait behind a question count as open while other sessions come, after a restart, and until they are finished', async () => {
  const gate = Promise.withResolvers<object>();
  const [plan, question] = asking('Which colour?');
  const [, done] = straight('');
  const rest = [done!, concludes('Painted'), ...straight('Dried'), ...straight('Sold')];
  const first = await openSqliteEngine({
    model: createScriptedModel([plan!, gate.promise as Promise<never>, ...rest]),
  });
  const session = sessionOf(first.engine);
  const turn = await session.send('Paint');
  const queued = [
    await session.send('Dry', { on_busy: 'enqueue' }),
    await session.send('Sell', { on_busy: 'enqueue' }),
  ];
  expect(await first.engine.activity()).toMatchObject({ turns_running: 3, turns_queued: 2 });
  gate.resolve(question!);
  expect(await session.reply(turn)).toMatchObject({ status: 'asking' });
  for (let i = 0; i < OTHERS; i += 1) await sessionOf(first.engine, `other${i}`).ask('/status');
  expect(await first.engine.activity()).toMatchObject({ turns_running: 2, turns_queued: 2 });
  await first.engine.close();

  const { engine } = await first.reopen();
  await sessionOf(engine, 'other0').ask('/status');
  expect(await engine.activity()).toMatchObject({ turns_running: 2, turns_queued: 2 });
  const again = sessionOf(engine);
  expect(await again.ask('Green')).toMatchObject({ status: 'answered' });
  for (const each of queued) expect(await again.reply(each)).toMatchObject({ status: 'answered' });
  expect(await engine.activity()).toMatchObject({ turns_running: 0, turns_queued: 0 });
});
