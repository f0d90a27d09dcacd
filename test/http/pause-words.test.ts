import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/lib/log.ts';
import { apiError } from '../support/anthropic/answers.ts';
import type { MessagesScript } from '../support/anthropic/messages.ts';
import { done, plan, startService } from '../support/service/service.ts';

/** Words for the operator: settings, addresses, statuses, and why a text could not be read. */
const OPERATORS_WORDS = /ANTHROPIC|https?:|\b401\b|JSON|next_action|status |response/;

const serviceWithLog = async (script: MessagesScript) => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ level: 'warn', pretty: false, destination });
  return { service: await startService(script, {}, { log }), logged: () => lines.join('') };
};

describe.each([
  ['en', 'Tidy up', 'Send "continue"', 'ask the operator'],
  ['zh', '打扫房子', '发送“继续”', '询问服务的管理员'],
])('a reply in %s', (_language, goal, onward, operator) => {
  it('says what its user can do when the model brings no answer, and the log and the trace say why', async () => {
    const { service, logged } = await serviceWithLog([apiError(401, { type: 'authentication_error' })]);
    const followed = await service.post('/v1/sessions/s1/turns', { input: goal }, { accept: 'text/event-stream' });
    const told = (await followed.text()).split('\n\n').filter((block) => /^event: (progress|turn)$/m.test(block));
    expect(told.join()).toContain('"pause_reason":"model_unavailable"');
    for (const block of told) expect(block).not.toMatch(OPERATORS_WORDS);
    const { turns } = await service.get<{ turns: { output: string }[] }>('/v1/sessions/s1/turns');
    expect(turns[0]?.output).toContain(onward);
    expect(turns[0]?.output).toContain(operator);
    const { event } = (await service.trace('s1')).at(-1)!;
    expect(event).toMatchObject({ type: 'model.unavailable', reason: expect.stringContaining('ANTHROPIC_API_KEY') });
    expect(logged()).toContain('ANTHROPIC_API_KEY');
  });

  it('says of replans that could not be used only how many', async () => {
    const { service } = await serviceWithLog([plan('1'), done('1'), '?', 'none', '{"status":"done"}']);
    const { output, task } = await service.say('s1', goal);
    expect(task.pause_reason).toBe('contract_failure');
    expect(output).toContain(onward);
    expect(output).not.toMatch(OPERATORS_WORDS);
  });
});
