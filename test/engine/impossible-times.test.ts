import { expect, it } from 'vitest';
import { CallbackState } from '../../contracts/callback.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { asking } from '../support/engine/model-answers.ts';
import { openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** Epoch milliseconds that no date has, as a program that writes the database by hand may leave. */
const NEVER = 9e15;

const LAST = '9999-12-31T23:59:59.999Z';

it('rows with times that no date has break no list, no trace and no start', async () => {
  const postCallback = (): Promise<Response> => Promise.reject(new Error('nobody listens'));
  const opened = await openEngine({ model: createScriptedModel(asking('Which day?')), postCallback });
  for (const name of ['bad', 'good'])
    await sessionOf(opened.engine, name).ask('Book', { callback_url: 'http://own.example/' });
  await opened.engine.close();
  const { engine, store } = await opened.reopen({ postCallback });
  const of = "(SELECT id FROM sessions WHERE session_id = 'bad')";
  store.db.exec(`
    UPDATE sessions SET created_at = ${NEVER}, updated_at = ${NEVER} WHERE id = ${of};
    UPDATE tasks SET waiting_since = ${NEVER} WHERE session = ${of};
    UPDATE entries SET at = ${NEVER} WHERE session = ${of};
    UPDATE turns SET created_at = ${NEVER}, finished_at = ${NEVER} WHERE session = ${of};
    UPDATE outbox SET created_at = ${NEVER}, due_at = ${NEVER} WHERE session = ${of};`);
  const page = { limit: 10 };
  const sessions = (await engine.sessions('local', page)).items;
  expect(sessions.map(({ session_id, updated_at }) => [session_id, updated_at])).toEqual([
    ['bad', LAST],
    ['good', expect.any(String)],
  ]);
  const waiting = (await engine.waiting('local', ['awaiting_user'], page)).items;
  expect(waiting).toMatchObject([{ session_id: 'bad', since: LAST }]);
  expect((await engine.turns('local', 'bad', page)).items[0]).toMatchObject({ created_at: LAST });
  const callbacks = await engine.callbacks({ owner: 'local', isOperator: false }, CallbackState.options, page);
  expect(callbacks.items.map(({ created_at }) => created_at)).toContain(LAST);
  expect((await sessionOf(engine, 'bad').trace())[0]).toMatchObject({ at: LAST });
});
