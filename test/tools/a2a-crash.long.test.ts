import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openA2aAgents } from '../../src/tools/a2a/open-a2a-agents.ts';
import type { OutsideTool, TaskToolCall } from '../../src/tools/port.ts';
import { startAgent } from '../support/a2a/agent-server.ts';
import { act, answer, done, plan } from '../support/service/answers.ts';
import { startMortal } from '../support/service/mortal-service.ts';
import { sendTurn } from '../support/service/sent-turn.ts';

describe('a call of an A2A agent that a crash interrupts', () => {
  it('goes on with the task that it began, and begins no other', async () => {
    const agent = await startAgent(async ({ text, released }) => {
      await released;
      return { done: `Booked: ${text}` };
    });
    const service = await startMortal();
    const config = { a2aAgents: { travel: { url: agent.url } } };
    writeFileSync(join(service.cwd, 'tripact.config.ts'), `export default ${JSON.stringify(config)};`);
    await service.killAndStart();
    service.model.answer([plan('Book'), act('travel', 'A room'), done('Booked'), answer('Booked.')]);
    const sent = await sendTurn(service.url, 's1', 'Book a room');
    await expect.poll(() => agent.received.length).toBe(1);
    await service.kill();
    agent.release();
    await service.start();
    expect(await sent.finished(service.url)).toMatchObject({
      status: 'answered',
      output: 'Booked.',
    });
    expect(agent.received).toEqual(['A room']);
    const trace = await (await fetch(`${service.url}/v1/sessions/s1/trace`)).text();
    expect(trace).toContain('Booked: A room');
  });

  it('that its agent knows nothing of is sent again to one that takes a message id once, and to no other', async () => {
    const agent = await startAgent(({ text }) => ({ done: text }));
    const log = pino({ level: 'silent' });
    const run = (idempotent: boolean) => {
      const [tool] = openA2aAgents({ travel: { url: agent.url, idempotent } }, log).tools() as OutsideTool[];
      const call: Partial<TaskToolCall> = {
        language: 'en',
        task_id: 't',
        effect_id: `t.${idempotent}`,
        isRepeated: true,
      };
      return tool!.run('A room', { ...call, signal: new AbortController().signal } as TaskToolCall);
    };
    expect(await run(false)).toMatchObject({ ok: false, result: expect.stringContaining('outcome unknown') });
    expect(agent.received).toEqual([]);
    expect(await run(true)).toEqual({ ok: true, result: 'A room' });
  });
});
