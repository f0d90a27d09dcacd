import { describe, expect, it } from 'vitest';
import { replay } from '../../src/engine/replay/replay.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { asks, echo, finishes } from '../support/engine/model-answers.ts';
import { openSqliteEngine } from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** An engine whose first task asks where to go; every later thought ends its item. */
const asking = async () => {
  const model = createScriptedModel({ ...echo, thought: [asks('Where to?'), finishes(), finishes(), finishes()] });
  const opened = await openSqliteEngine({ model });
  const { task_id } = await sessionOf(opened.engine).ask('Plan a trip');
  return { opened, model, taskId: task_id ?? 'none' };
};

describe('The tasks that a fork opens later', () => {
  it('know what was said and answered before the fork, also after a restart', async () => {
    const { opened, model, taskId } = await asking();
    const turn = await opened.engine.fork('local', taskId, { input: 'Rome' });
    const session = sessionOf(opened.engine, turn.session_id);
    expect(await session.reply(turn)).toMatchObject({ output: 'did: Plan a trip' });
    await session.ask('And then?');
    const before = [
      { said: 'Plan a trip', answered: 'Please confirm: Where to?' },
      { said: 'Rome', answered: 'did: Plan a trip' },
    ];
    expect(model.requests.at(-1)?.task.conversation).toEqual(before);
    expect(await replay(await session.trace(), { gapless: true })).toMatchObject({ ok: true });
    await opened.engine.close();
    const next = createScriptedModel(echo);
    await sessionOf((await opened.reopen({ model: next })).engine, turn.session_id).ask('And now?');
    expect(next.requests.at(-1)?.task.conversation).toEqual([
      ...before,
      { said: 'And then?', answered: 'did: And then?' },
    ]);
  });
});
