import { expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { addManyTurns, rowsLeft } from '../support/engine/long-session.ts';
import { echo } from '../support/engine/model-answers.ts';
import { openSqliteEngine } from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';
import { longestBlock } from '../support/longest-block.ts';

/** Nearly as many as `session_turns` allows. */
const TURNS = 90_000;

/** No single piece of work may hold the event loop longer, in milliseconds of processor time. */
const BLOCK_MS_MAX = 50;

it(`a session of ${TURNS} turns, tasks, callbacks and kept calls is removed in pieces of ${BLOCK_MS_MAX} ms at most`, async () => {
  const { engine, store } = openSqliteEngine({ model: createScriptedModel(echo) });
  await sessionOf(engine).ask('Hello');
  addManyTurns(store.db, 's1', TURNS);
  store.db.pragma('wal_checkpoint(TRUNCATE)');
  const began = performance.now();
  const blockMs = await longestBlock(() => engine.remove('local', 's1'));
  console.log(JSON.stringify({ removeMs: performance.now() - began, blockMs }));
  expect(rowsLeft(store.db)).toBe(0);
  expect(blockMs).toBeLessThan(BLOCK_MS_MAX);
});
