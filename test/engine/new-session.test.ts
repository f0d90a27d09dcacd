import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { asks, concludes, echo, plans } from '../support/engine/model-answers.ts';
import { type OpenedEngine, openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const rowsOf = ({ db }: OpenedEngine): unknown[] =>
  db.prepare('SELECT id, session_id, timezone FROM sessions ORDER BY id').all();

describe('A session that does not exist yet', () => {
  it('is stored with its first turn, in one commit', async () => {
    const before: unknown[][] = [];
    let opened: OpenedEngine | undefined;
    opened = await openEngine({
      model: createScriptedModel([plans('Paint'), asks('Which colour?'), concludes('Painted')]),
      around: (store) => ({
        ...store,
        commit: (image, decide) => {
          if (opened !== undefined) before.push(rowsOf(opened));
          return store.commit(image, decide);
        },
      }),
    });
    await sessionOf(opened.engine).send('Paint', { timezone: 'Asia/Tokyo' });
    expect(before[0]).toEqual([]);
    expect(rowsOf(opened)).toEqual([{ id: 1, session_id: 's1', timezone: 'Asia/Tokyo' }]);
  });

  it('is one session, also for simultaneous turns, commands, and a fork under its name', async () => {
    const opened = await openEngine({ model: createScriptedModel(echo) });
    const original = await sessionOf(opened.engine, 'original').ask('One');
    const session = sessionOf(opened.engine, 'new');
    const [first, command, second, fork] = await Promise.allSettled([
      ...['Two', '/status', 'Three'].map((input) => session.send(input)),
      opened.engine.fork('local', original.task_id!, { session_id: 'new', at: 2 }),
    ]);
    expect(fork).toMatchObject({ reason: { code: 'SESSION_EXISTS' } });
    expect(command).toMatchObject({ value: { kind: 'command', status: 'ran' } });
    for (const [sent, output] of [
      [first, 'did: Two'],
      [second, 'did: Three'],
    ] as const)
      expect(sent?.status === 'fulfilled' && (await session.reply(sent.value))).toMatchObject({ output });
    expect(rowsOf(opened).map((row) => (row as { session_id: string }).session_id)).toEqual(['original', 'new']);
    expect((await session.trace()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
