import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/tools/define-tool.ts';
import { message as answerWith } from '../support/anthropic/answers.ts';
import type { Respond } from '../support/anthropic/messages.ts';
import { act, plan, startService } from '../support/service/service.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MIB = 1024 * 1024;
const SESSIONS = 30;

const NOT_KEPT = { TRIPACT_KEEP_PROMPTS: '0' };

/** Memory that is in use, in MiB, once nothing is left to be collected. */
const usedMiB = (): number => {
  collect();
  return process.memoryUsage().heapUsed / MIB;
};

const start = async (parts: Parameters<typeof startService>[2], script: Parameters<typeof startService>[0]) => {
  const service = await startService(script, NOT_KEPT, parts);
  const run = (session: string): Promise<Response> =>
    service.post(`/v1/sessions/${session}/turns`, { input: 'Run' }, { prefer: 'respond-async' });
  const waits = (count: number) =>
    expect
      .poll(async () => (await service.engine.activity()).effects_open['model.thought'], { timeout: 20_000 })
      .toBe(count);
  return { run, waits };
};

it('holds of a long answer what the task keeps of it', async () => {
  const prose = 'I wonder. '.repeat(50_000);
  const script = {
    plan: `${prose}${JSON.stringify(plan('look at the first thing', 'look at the second thing'))}`,
    thought: () => {},
  };
  const { run, waits } = await start({}, script);
  await run('first');
  await waits(1);
  const before = usedMiB();
  for (let i = 0; i < SESSIONS; i += 1) await run(`s${i}`);
  await waits(SESSIONS + 1);
  // In all the answers have 14 MiB.
  expect(usedMiB() - before).toBeLessThan(6);
});

it('holds of what a tool cut out of a long text the piece alone', async () => {
  const cutting = defineTool({
    name: 'cutting',
    description: 'Gives the end of a long text.',
    input: z.string(),
    run: (_, { session_id }) => `${'x'.repeat(MIB)} the end for ${session_id}`.slice(-30),
  });
  let asked = 0;
  const thought: Respond = (response, request) => {
    asked += 1;
    return request.body.messages.some(({ content }) => content.includes('the end for'))
      ? undefined
      : answerWith(JSON.stringify(act('cutting', 'go')))(response, request);
  };
  const { run, waits } = await start({ file: { tools: [cutting] } }, { plan: plan('cut'), thought });
  const before = usedMiB();
  for (let i = 0; i < SESSIONS; i += 1) await run(`s${i}`);
  await expect.poll(() => asked, { timeout: 20_000 }).toBe(2 * SESSIONS);
  await waits(SESSIONS);
  expect(usedMiB() - before).toBeLessThan(12);
});
