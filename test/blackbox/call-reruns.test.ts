import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CallPrompt, CallRerun } from '../../contracts/call-rerun.ts';
import type { Problem } from '../../contracts/http.ts';
import type { UsageDay } from '../../contracts/usage.ts';
import { apiError, calls as called, message } from '../support/anthropic/answers.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { shutGate } from '../support/service/gate.ts';
import { PNG, sent } from '../support/service/sample-files.ts';
import { act, answer, done, plan, type Service, startService } from '../support/service/service.ts';

const USD = 'USD';
const prices = { currency: USD, models: { m: { input: 3, output: 15 } } };
const env = { TRIPACT_MODEL: 'anthropic:m' };

/** A service in which one task was done, in four calls: the plan, two thoughts and the end. */
const openRecorded = async (more: Record<string, string> = {}, body: Record<string, unknown> = {}) => {
  const script = [plan('Note it'), act('todo', 'add Tea'), done('noted'), answer('It is on the list.')];
  const service = await startService(script, { ...env, ...more }, { file: { prices } });
  const { task_id } = await service.say('s1', 'Note tea', body);
  const { trace, post, url } = service;
  const entries = await trace('s1');
  const calls = entries.flatMap(({ effects }) => effects.filter(({ type }) => type.startsWith('model.')));
  const [made, thought, , end] = calls.map(({ effect }) => `/v1/tasks/${task_id}/calls/${task_id}.${effect}`);
  const kept = (count: number) =>
    expect
      .poll(async () => (await service.get<{ calls: unknown[] }>(`/v1/tasks/${task_id}/calls`)).calls)
      .toHaveLength(count);
  const prompt = (call: string | undefined, query = '') => service.get<CallPrompt>(`${call}/prompt${query}`);
  const rerun = async (call: string | undefined, edits: Record<string, unknown> = {}, signal?: AbortSignal) => {
    const response = await fetch(`${url}${call}/rerun`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(edits),
      ...(signal !== undefined && { signal }),
    });
    return { status: response.status, json: (await response.json()) as CallRerun & Problem };
  };
  return { service, task_id, made, thought, end, entries, kept, prompt, rerun, post };
};

const today = async (service: Service): Promise<UsageDay> =>
  (await service.get<{ today: UsageDay }>('/v1/usage')).today;

/** The last request that the model got. */
const lastOf = ({ model }: Service) => model.requests.at(-1)!.body;

describe('a recorded call', () => {
  it('is made again as it was sent, and changes nothing but the usage', async () => {
    const { service, thought, kept, prompt, rerun, entries } = await openRecorded();
    await kept(4);
    const was = service.model.requests[1]!.body;
    const shown = await prompt(thought);
    expect(shown).toMatchObject({
      contract: 'thought',
      model: 'anthropic:m',
      models: ['anthropic:m'],
      is_any_model: true,
      is_exact: true,
      system: was.system,
      recorded: { model: 'anthropic:m', text: JSON.stringify(act('todo', 'add Tea')), is_accepted: true, reason: null },
    });
    expect(shown.messages.map(({ content }) => content).join('')).toBe(was.messages[0]!.content);

    service.model.answer([called([['todo', { input: 'add Coffee' }]], 'Coffee, rather.')]);
    const { status, json } = await rerun(thought);
    expect(lastOf(service)).toEqual({ ...was, stream: undefined });
    expect([status, json]).toMatchObject([
      200,
      {
        contract: 'thought',
        is_exact: true,
        gone: [],
        recorded: { usage: { input_tokens: 10, output_tokens: 5, cost: { amount: '0.000105', currency: USD } } },
        again: {
          model: 'anthropic:m',
          text: 'Coffee, rather.',
          calls: [{ name: 'todo', input: { input: 'add Coffee' } }],
          fault: 'none',
          is_accepted: true,
          reason: null,
          usage: { input_tokens: 10, output_tokens: 5, cost: { amount: '0.000105', currency: USD } },
        },
      },
    ]);
    expect(await service.trace('s1')).toEqual(entries);
    expect((await service.get<{ todos: unknown[] }>('/v1/todos')).todos).toHaveLength(1);
    await kept(4);
    expect(await today(service)).toMatchObject({ calls: 5, turns: 1 });
  });

  it('is made again with edited texts', async () => {
    const { service, thought, kept, prompt, rerun } = await openRecorded();
    await kept(4);
    const { messages, system } = await prompt(thought);
    const goal = messages.findIndex(({ content }) => content.includes('Note tea'));
    service.model.answer({ thought: act('todo', 'add Coffee') });
    const edited = messages[goal]!.content.replace('tea', 'coffee');
    await rerun(thought, { system: 'You like coffee.', messages: [{ index: goal, content: edited }] });
    expect(lastOf(service)).toMatchObject({ system: 'You like coffee.' });
    expect(lastOf(service).messages[0]!.content).toBe(
      messages.map(({ content }, i) => (i === goal ? edited : content)).join(''),
    );
    await rerun(thought, { instructions: 'You are a barista.', messages: [{ index: goal, content: '' }] });
    expect(lastOf(service).system).toBe(`# Who you are\nYou are a barista.\n\n${system}`);
    expect(lastOf(service).messages[0]!.content).not.toContain('Note tea');
  });

  it('says why its contract refuses the new answer, or why none came', async () => {
    const { service, thought, end, rerun } = await openRecorded();
    service.model.answer([{ nonsense: true }, apiError(400, { text: 'no such model' })]);
    expect((await rerun(thought)).json.again).toMatchObject({
      is_accepted: false,
      reason: expect.stringMatching(/call|status/),
    });
    expect((await rerun(end)).json.again).toMatchObject({
      text: null,
      is_accepted: false,
      reason: expect.stringContaining('no such model'),
      usage: null,
    });
    expect(await today(service)).toMatchObject({ calls: 5 });
  });

  it('is made again by another model, which only an operator may choose freely', async () => {
    const keys = { TRIPACT_API_KEYS: 'ada:key-of-ada-0123456789', TRIPACT_FALLBACK_MODEL: 'anthropic:spare' };
    const { service, thought, rerun } = await openRecorded();
    service.model.answer({ thought: done('by another') });
    expect((await rerun(thought, { model: 'anthropic:n' })).json.again.model).toBe('anthropic:n');
    expect(lastOf(service).model).toBe('n');
    await service.restart(keys);
    const asAda = async (body: object) => {
      const headers = { authorization: 'Bearer key-of-ada-0123456789' };
      const turn = await service.post('/v1/sessions/s2/turns', { input: 'Note tea' }, headers);
      const { task_id } = (await turn.json()) as { task_id: string };
      const response = await service.post(`/v1/tasks/${task_id}/calls/${task_id}.1/rerun`, body, headers);
      return { status: response.status, json: (await response.json()) as CallRerun & Problem };
    };
    service.model.answer({ plan: plan(), replan: answer('ok') });
    expect((await asAda({ model: 'anthropic:n' })).json.detail).toBe(
      '"model" must be one of anthropic:m, anthropic:spare',
    );
    expect((await asAda({ model: 'anthropic:spare' })).json.again.model).toBe('anthropic:spare');
    expect((await asAda({})).status).toBe(200);
  });

  it('is made from the history where it is not kept, with the files that are still there', async () => {
    const dataDir = temporaryFolder();
    const files = [sent('a.png', PNG), sent('b.txt', 'see')];
    const seeing = { TRIPACT_DATA_DIR: dataDir, TRIPACT_KEEP_PROMPTS: '0', TRIPACT_MODEL_FILES: 'anthropic:m=image' };
    const { service, thought, prompt, rerun } = await openRecorded(seeing, { files });
    const was = service.model.requests[1]!.body;
    const shown = await prompt(thought);
    expect(shown).toMatchObject({ is_exact: false, system: was.system });
    expect(shown.messages.flatMap(({ file }) => file ?? [])).toMatchObject([
      { path: 'files/a.png', is_gone: false },
      { path: 'files/b.txt', is_gone: false },
    ]);
    service.model.answer({ thought: done() });
    expect((await rerun(thought)).json).toMatchObject({ is_exact: false, gone: [] });
    expect(JSON.stringify(service.model.raw.at(-1))).toContain(PNG.toString('base64'));
    rmSync(join(dataDir, 'workspace', '.sessions', 's1', 'files', 'a.png'));
    expect((await rerun(thought)).json).toMatchObject({ gone: ['files/a.png'] });
    expect(JSON.stringify(service.model.raw.at(-1))).not.toContain(PNG.toString('base64'));
  });

  it('is aborted with its request', async () => {
    const { service, thought, rerun } = await openRecorded();
    const left = new AbortController();
    const { opened, open } = shutGate();
    service.model.answer([(response) => void response.on('close', open)]);
    const asked = rerun(thought, {}, left.signal);
    await service.model.asked(5);
    left.abort();
    await expect(asked).rejects.toThrow();
    await opened;
    expect(await today(service)).toMatchObject({ calls: 4 });
  });

  it('keeps to the daily quota', async () => {
    const { service, thought, rerun } = await openRecorded();
    await fetch(`${service.url}/v1/quotas/local`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tokens_per_day: 75 }),
    });
    service.model.answer({ thought: message(done(), { usage: { input_tokens: 100, output_tokens: 1 } }) });
    expect((await rerun(thought)).status).toBe(200);
    expect(await rerun(thought)).toMatchObject({ status: 429, json: { type: '/problems/quota-exhausted' } });
    expect(service.model.requests).toHaveLength(5);
  });

  it('is refused for anything else than a call that is over, its texts and a model', async () => {
    const { task_id, thought, entries, kept, rerun } = await openRecorded();
    await kept(4);
    const tool = entries.flatMap(({ effects }) => effects).find(({ type }) => type === 'tool.call')!;
    const at = (effect: unknown) => `/v1/tasks/${task_id}/calls/${task_id}.${effect}`;
    const refused: [call: string | undefined, edits: Record<string, unknown>, status: number, type: string][] = [
      [at(tool.effect), {}, 404, 'call-not-found'],
      [at(99), {}, 404, 'call-not-found'],
      [at('x'), {}, 404, 'call-not-found'],
      ['/v1/tasks/task_0/calls/task_0.1', {}, 404, 'task-not-found'],
      [thought, { temperature: 1 }, 400, 'invalid-request'],
      [thought, { system: 'a', instructions: 'b' }, 400, 'invalid-request'],
      [thought, { messages: [{ index: 99, content: 'a' }] }, 400, 'invalid-request'],
      [thought, { model: 'gpt' }, 400, 'invalid-request'],
      [thought, { model: 'offline', system: 'a' }, 400, 'invalid-request'],
    ];
    for (const [call, edits, status, type] of refused)
      expect([edits, await rerun(call, edits)]).toMatchObject([edits, { status, json: { type: `/problems/${type}` } }]);
    expect((await rerun(thought, { model: 'offline' })).json.again).toMatchObject({ model: 'offline' });
  });
});
