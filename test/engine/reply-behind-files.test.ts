import { expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { straight } from '../support/engine/model-answers.ts';
import { openEngine } from '../support/engine/open-engine.ts';
import { never } from '../support/engine/test-session.ts';

it('a reply goes out, is read and is posted once the files of its session show it, and not before', async () => {
  const files = Promise.withResolvers<void>();
  const seen: string[] = [];
  let isAnswering = false;
  const { engine } = await openEngine({
    model: createScriptedModel(straight('Hi')),
    onTaskMoved: (_session, _task, answers) => {
      isAnswering ||= answers;
    },
    filesShown: () => {
      if (!isAnswering) return null;
      // Whoever would not wait has had its turn by then.
      if (seen.length === 0) setImmediate(() => setImmediate(() => setImmediate(files.resolve)));
      seen.push('asked');
      return files.promise.then(() => void seen.push('shown'));
    },
    postCallback: async () => {
      seen.push('posted');
      return new Response();
    },
  });
  const callback_url = 'https://example.com/done';
  const { turn } = await engine.submit({ owner: 'local', session_id: 's1', input: 'Hello', callback_url });
  const replied = engine.wait('local', turn.id, never).then(() => void seen.push('replied'));
  await expect.poll(() => seen[0]).toBe('asked');
  const read = engine.turn('local', turn.id).then(() => void seen.push('read'));
  await Promise.all([replied, read]);
  await expect.poll(() => seen).toContain('posted');
  const shownAt = seen.indexOf('shown');
  for (const reply of ['replied', 'read', 'posted'])
    expect([reply, seen.indexOf(reply) > shownAt]).toEqual([reply, true]);
});
