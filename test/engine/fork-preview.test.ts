import { expect, it } from 'vitest';
import type { PreviewedEffect } from '../../contracts/turn-view.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { quickTool } from '../support/engine/controlled-tools.ts';
import { acts, asks, concludes, finishes, plans, replans } from '../support/engine/model-answers.ts';
import { openSqliteEngine } from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const names = (effects: readonly PreviewedEffect[]): string[] =>
  effects.map(({ type, tool, input, writes }) => (tool === null ? type : `${tool} ${input}${writes ? ' writes' : ''}`));

it('a fork says before it is made what it recalls, does again and leaves behind', async () => {
  const found = { ok: true, result: 'found' };
  const model = createScriptedModel([
    plans('Look', 'Book'),
    acts('search', 'trains'),
    asks('Which one?'),
    replans('Book'),
    acts('book', 'seat 1'),
    finishes(),
    concludes('Booked'),
  ]);
  const tools = [quickTool('search', () => found), { ...quickTool('book', () => found), writes: true }];
  const { engine } = await openSqliteEngine({ model, tools });
  const session = sessionOf(engine);
  const { task_id } = await session.ask('A trip');
  await session.ask('The first');
  const trace = await session.trace();
  const seqOf = (state: string): number => trace.find((entry) => entry.state === state)?.seq ?? 0;

  const asked = await engine.previewFork('local', String(task_id), seqOf('awaiting_user'));
  expect(asked).toMatchObject({
    state: 'awaiting_user',
    takes: 'answer',
    question: 'Which one?',
    options: null,
    performed: [],
  });
  expect(names(asked.recalled)).toEqual(['model.plan', 'model.thought', 'search trains', 'model.thought']);
  expect(names(asked.left)).toEqual([
    'model.replan',
    'model.thought',
    'book seat 1 writes',
    'model.thought',
    'model.replan',
  ]);

  const acting = await engine.previewFork('local', String(task_id), seqOf('acting'));
  expect(acting).toMatchObject({ takes: 'steer', question: null });
  expect(names(acting.performed)).toEqual(['search trains']);
  expect(names(acting.recalled)).toEqual(['model.plan', 'model.thought']);
  await expect(engine.previewFork('local', String(task_id))).rejects.toMatchObject({ code: 'TASK_FINISHED' });
  expect((await engine.sessions('local', { limit: 10 })).items).toHaveLength(1);
});
