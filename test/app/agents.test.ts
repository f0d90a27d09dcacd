import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentView } from '../../contracts/agent.ts';
import type { Problem, SessionView } from '../../contracts/http.ts';
import type { AppParts } from '../../src/app/app.ts';
import { checkConfigFile } from '../../src/app/config-file.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { MessagesScript } from '../support/anthropic/messages.ts';
import { act, answer, ask, done, plan, startService } from '../support/service/service.ts';

const tool = (name: string, more: { approval?: true } = {}) =>
  defineTool({ name, description: name, input: z.string(), writes: false, run: (text) => `${name} ${text}`, ...more });

const FILE = {
  instructions: 'You work for a shop.',
  tools: [tool('mail_send'), tool('mail_read'), tool('restart')],
  agents: {
    desk: { description: 'Answers customers', instructions: 'You are the desk.', tools: ['mail_*'] },
    ops: {
      tools: ['restart', tool('deploy')],
      approvals: [{ tools: 'restart', approval: true as const }],
      model: 'anthropic:claude-small',
    },
  },
} satisfies AppParts['file'];

const HELLO: MessagesScript = { plan: plan(), thought: done('Hello'), replan: answer('Hello') };

/** A service with these agents, whose configuration another start can change. */
const start = async (script: MessagesScript, file: NonNullable<AppParts['file']> = FILE) => {
  const parts = { file };
  const service = await startService(script, {}, parts);
  const restartWith = async (next: NonNullable<AppParts['file']>): Promise<void> => {
    parts.file = next;
    await service.restart();
  };
  return { service, restartWith };
};

type Started = Awaited<ReturnType<typeof start>>['service'];

const refused = async (service: Started, session: string, body: object): Promise<Problem> =>
  (await (await service.post(`/v1/sessions/${session}/turns`, body)).json()) as Problem;

const agentOf = async (service: Started, session: string): Promise<string | null> =>
  (await service.get<SessionView>(`/v1/sessions/${session}`)).agent;

describe('an agent', () => {
  it('has its own instructions, tools and model, and its name is in the trace and the view of its sessions', async () => {
    const { service } = await start(HELLO);
    await service.say('s1', 'Hello', { agent: 'ops' });
    await service.say('s2', 'Hello');

    const [ops, desk] = [service.model.requests[0]!.body, service.model.requests.at(-1)!.body];
    expect(ops).toMatchObject({ model: 'claude-small', system: expect.stringContaining('You work for a shop.') });
    expect(desk.system).toContain('# Who you are\nYou are the desk.\n');
    const toolsOf = ({ tools = [] }: typeof ops) => tools.map(({ name }) => String(name));
    expect(toolsOf(ops)).toEqual(expect.arrayContaining(['deploy', 'restart']));
    expect(toolsOf(ops)).not.toContain('mail_send');
    expect(toolsOf(desk)).toEqual(expect.arrayContaining(['mail_read', 'mail_send']));
    expect(toolsOf(desk)).not.toContain('deploy');
    expect((await service.trace('s1'))[0]?.event).toMatchObject({ type: 'task.opened', agent: 'ops' });
    expect([await agentOf(service, 's1'), await agentOf(service, 's2')]).toEqual(['ops', 'desk']);
    const { agents } = await service.get<{ agents: AgentView[] }>('/v1/agents');
    expect(agents).toMatchObject([
      { name: 'desk', description: 'Answers customers', is_default: true, tools: ['mail_send', 'mail_read'] },
      { name: 'ops', is_default: false, model: 'anthropic:claude-small', tools: ['restart', 'deploy'] },
    ]);
  });

  it('has its own tools alone in /tools and /tool of its sessions', async () => {
    const { service } = await start(HELLO);
    await service.say('s1', 'Hello', { agent: 'desk' });
    const listed = (await service.say('s1', '/tools')).output;
    expect(listed).toMatch(/mail_send/);
    expect(listed).not.toMatch(/restart|deploy/);
    expect(await service.say('s1', '/tool mail_read all')).toMatchObject({ output: 'mail_read all' });
    const refusal = (await service.say('s1', '/tool restart now')).output;
    expect(refusal).toMatch(/restart.*mail_send/s);
    expect(refusal).not.toContain('deploy');
    // Where no agent was chosen yet, all can be tried.
    expect(await service.say('s2', '/tool restart now')).toMatchObject({ output: 'restart now' });
  });

  it('calls no tool of another one, and asks by its own approvals', async () => {
    const script = { plan: plan('Look'), thought: [act('restart', 'now'), done()], replan: answer('Done') };
    const { service } = await start(script);
    await service.say('s1', 'Restart it', { agent: 'desk' });
    const events = (await service.trace('s1')).map(({ event }) => event.type);
    expect(events).toContain('thought.rejected');
    expect(events).not.toContain('observation.recorded');

    const { service: other } = await start({ ...script, thought: [act('restart', 'now'), done()] });
    const turn = await other.say('s1', 'Restart it', { agent: 'ops' });
    expect(turn).toMatchObject({ status: 'asking', approval: { tool: 'restart' } });
  });

  it('is chosen by the first turn of a session and stays, also behind a command', async () => {
    const { service } = await start(HELLO);
    await service.say('s1', '/help');
    expect(await agentOf(service, 's1')).toBeNull();
    await service.say('s1', 'Hello', { agent: 'ops' });
    await service.say('s1', 'Hello again', { agent: 'ops' });
    expect(await refused(service, 's1', { input: 'Hello', agent: 'desk' })).toMatchObject({
      type: '/problems/another-agent',
      status: 409,
      detail: 'The agent "ops" works in this session; begin another session for "desk"',
    });
    expect(await refused(service, 's2', { input: 'Hello', agent: 'sales' })).toMatchObject({
      status: 400,
      detail: expect.stringContaining('the agents are desk, ops'),
    });
    const { task_id } = await service.say('s1', 'And?');
    const { seq } = (await service.trace('s1')).find((entry) => entry.task_id === task_id)!;
    await service.post(`/v1/tasks/${task_id}/fork`, { at: seq, session_id: 'forked' });
    expect(await agentOf(service, 'forked')).toBe('ops');
  });

  it('that is gone leaves its sessions as they are: they say so, and go on once it is back', async () => {
    const script = { plan: plan('Send'), thought: [ask('To whom?'), done('Sent')], replan: answer('Sent to Ada') };
    const { service, restartWith } = await start(script);
    const { task_id } = await service.say('s1', 'Send it', { agent: 'desk' });
    const { agents, ...shared } = FILE;
    await restartWith({ ...shared, agents: { ops: agents.ops } });

    expect(await service.say('s1', 'To Ada')).toMatchObject({
      status: 'ran',
      ok: false,
      output: expect.stringContaining('"desk", which is not configured any more'),
    });
    expect(await service.say('s1', '/status')).toMatchObject({ output: expect.stringContaining('To whom?') });
    expect(await refused(service, 's1', { input: 'To Ada', agent: 'ops' })).toMatchObject({ status: 409 });
    expect(await service.say('s2', '/help', { agent: 'ops' })).toMatchObject({ status: 'ran' });
    await service.post(`/v1/tasks/${task_id}/fork`, { session_id: 'forked', input: 'To Ada' });
    const forked = () => service.engine.session('local', 'forked');
    await expect.poll(async () => (await forked()).last_task?.state).toBe('paused');
    expect(JSON.stringify(await service.trace('forked'))).toContain('the agent \\"desk\\" is not configured any more');
    await restartWith(FILE);
    expect(await service.say('s1', 'To Ada')).toMatchObject({ status: 'answered', output: 'Sent to Ada' });
    expect(await service.say('forked', 'continue')).toMatchObject({ status: 'answered' });
  });

  it('that is gone is waited for by a goal that comes due, too', async () => {
    let now = Date.UTC(2026, 0, 5, 8);
    const parts: Partial<AppParts> & { file: NonNullable<AppParts['file']> } = { file: FILE, now: () => now };
    const service = await startService(HELLO, {}, parts);
    await service.say('s1', 'Hello', { agent: 'desk' });
    await service.say('s1', '/schedule goal "2026-01-05 09:00 UTC" read the mail');
    parts.file = { ...FILE, agents: { ops: FILE.agents.ops } };
    now = Date.UTC(2026, 0, 5, 9, 1);
    await service.restart();
    const session = () => service.get<SessionView>('/v1/sessions/s1');
    await expect.poll(async () => (await session()).last_task?.state).toBe('paused');
    parts.file = FILE;
    await service.restart();
    expect(await service.say('s1', 'continue')).toMatchObject({ status: 'answered' });
  });

  it('whose list of tools became shorter calls none of the others in a task that began before', async () => {
    const script = {
      plan: plan('Send'),
      thought: [ask('To whom?'), act('mail_send', 'Ada'), done('Not sent')],
      replan: [{ status: 'keep', plan: [], response: null }, answer('Not sent')],
    };
    const { service, restartWith } = await start(script);
    await service.say('s1', 'Send it');
    await restartWith({ ...FILE, agents: { ...FILE.agents, desk: { ...FILE.agents.desk, tools: ['mail_read'] } } });
    await service.say('s1', 'To Ada');
    expect(JSON.stringify(await service.trace('s1'))).not.toContain('mail_send Ada');
  });
});

it('the example has two agents, of which one has the skill', async () => {
  const { default: example } = await import('../../examples/agents/tripact.config.ts');
  const { service } = await start(HELLO, { ...checkConfigFile(example), skills: 'examples/agents/skills' });
  const { agents } = await service.get<{ agents: AgentView[] }>('/v1/agents');
  expect(agents).toMatchObject([
    { name: 'desk', is_default: true, tools: ['order', 'todo', 'skill'], skills: ['refunds'] },
    { name: 'ops', tools: ['restart'], skills: [] },
  ]);
});

it.each([
  { agents: { desk: { tools: ['fax'] } }, says: 'agents › desk: no tool is "fax"' },
  { agents: { desk: { approvals: [{ tools: 'fax_*', approval: true as const }] } }, says: 'no tool is "fax_*"' },
  { agents: { desk: { skills: ['refunds'] } }, says: 'there is no skill "refunds"' },
  { agents: { desk: { model: 'gpt' } }, says: 'agents › desk › model: "gpt" must be' },
])('agents are refused at the start where $says', async ({ agents, says }) => {
  await expect(start(HELLO, { ...FILE, agents })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(says),
  });
});
