import { expect, it } from 'vitest';
import type { AnswerNews } from '../../contracts/stream.ts';
import type { Narration } from '../../src/history/narration.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { controlledTool } from '../support/engine/controlled-tools.ts';
import { acts, asks, concludes, echo, finishes, plans, replans, straight } from '../support/engine/model-answers.ts';
import { openEngine } from '../support/engine/open-engine.ts';
import { never, sessionOf } from '../support/engine/test-session.ts';

it('a follower that keeps up reads the store when it joins, and not again', async () => {
  let reads = 0;
  const { engine } = await openEngine({
    model: createScriptedModel(echo),
    around: (store) => ({
      ...store,
      entries: async (...asked) => {
        reads += 1;
        return store.entries(...asked);
      },
    }),
  });
  const session = sessionOf(engine);
  await session.ask('One');
  const follower = engine.follow('local', 's1', 0, never)[Symbol.asyncIterator]();
  for (let seq = 1; seq <= 4; seq += 1) await follower.next();
  const next = follower.next();
  const readsToJoin = reads;
  await session.ask('Two');
  expect(await next).toMatchObject({ value: { seq: 5 } });
  for (let seq = 6; seq <= 8; seq += 1) expect(await follower.next()).toMatchObject({ value: { seq } });
  expect(reads).toBe(readsToJoin);
  await follower.return?.();
});

/** The messages of a session's entries, up to its last event. */
const messages = async (items: AsyncIterable<Narration | AnswerNews>, last: string) => {
  const told: Pick<Narration, 'entry' | 'stateChange' | 'progress'>[] = [];
  for await (const item of items) {
    if (!('entry' in item)) continue;
    const { entry, stateChange, progress } = item;
    told.push({ entry, stateChange, progress });
    if (entry.event.type === last) return told;
  }
  throw new Error(`there is no ${last}`);
};

it('the messages of a session are the same while it happens as afterwards, those of late results too', async () => {
  const { tool, called } = controlledTool('dig');
  const model = createScriptedModel([
    ...[plans('Dig', 'Fill'), acts('dig', 'sand'), 'no JSON', finishes('a hole')],
    ...[replans('Fill'), asks('With what?'), concludes('Done')],
    ...[plans('Mow'), acts('dig', 'rock')],
    ...straight('Hello'),
  ]);
  const { engine } = await openEngine({ model, tools: [tool] });
  const session = sessionOf(engine);
  await engine.openSession({ owner: 'local', session_id: 's1' });
  const live = messages(engine.followLive('local', 's1', 0, never), 'result.superseded');
  const first = session.ask('Garden');
  (await called(1)).gives('a hole');
  await first;
  await session.ask('Earth');
  await session.send('Mow');
  const late = await called(2);
  await session.ask('/cancel');
  await session.ask('Hi');
  late.gives('a stone');
  const told = await live;
  expect(told).toEqual(await messages(engine.followLive('local', 's1', 0, never), 'result.superseded'));
  expect(told.map(({ entry }) => entry)).toEqual(await session.trace());
});
