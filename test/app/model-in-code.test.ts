import { expect, it } from 'vitest';
import type { Model } from '../../src/models/port.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { answer, done, plan, startService } from '../support/service/service.ts';

it('one that counts tokens wrongly leaves readable calls', async () => {
  const scripted = createScriptedModel({ plan: plan(), thought: done(), replan: answer('Done.') });
  const usage = { input_tokens: 1.5, output_tokens: Number.NaN };
  const model: Model = { name: 'odd', answer: async (...asked) => ({ ...(await scripted.answer(...asked)), usage }) };
  const service = await startService([], {}, { model });
  const { task_id } = await service.say('s1', 'hi');
  const kept = () => service.get<{ calls: { usage: unknown }[] }>(`/v1/tasks/${task_id}/calls`);
  await expect.poll(async () => (await kept()).calls).toHaveLength(3);
  expect((await kept()).calls.map((call) => call.usage)).toEqual([null, null, null]);
});
