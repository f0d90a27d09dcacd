import { expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { openSqliteEngine } from '../support/engine/sqlite-engine.ts';

it.each(['x', '1e3', '0x', '--1', '1.x'])(
  'a cursor that no list gave is refused, and is no damage: %s',
  async (after) => {
    const { engine } = await openSqliteEngine({ model: createScriptedModel({}) });
    for (const list of [
      engine.sessions('local', { limit: 1, after }),
      engine.waiting('local', ['paused'], { limit: 1, after }),
    ])
      await expect(list).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await engine.isReady()).toBe(true);
  },
);
