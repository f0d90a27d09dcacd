import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { By } from '../../contracts/by.ts';
import type { ApprovalCard } from '../../contracts/http.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { AUDIENCE, startIssuer } from '../support/access/issuer.ts';
import { act, answer, done, plan, startService } from '../support/service/service.ts';

const OPS = 'key-of-ops-0123456789';

/** How a test names who may decide. */
interface Named {
  approvers?: string[];
  self?: false;
}

/** A service whose tool `refund` names approvers, and ada's task that waits with a refund. */
const refunding = async (
  { approvers = ['role:finance'], ...named }: Named = {},
  { times = 1, env = {} }: { times?: number; env?: Record<string, string> } = {},
) => {
  const ran: number[] = [];
  const refund = defineTool({
    name: 'refund',
    description: 'Refunds an order.',
    input: z.object({ euros: z.number() }),
    approvers,
    ...named,
    run: ({ euros }) => {
      ran.push(euros);
      return 'refunded';
    },
  });
  const script = [plan('Refund'), act('refund', '{"euros":50}'), done('Done'), answer('Refunded.')];
  const service = await startService(
    Array.from({ length: times }, () => script).flat(),
    { TRIPACT_API_KEYS: `ops:${OPS}`, TRIPACT_OPERATORS: 'ops', ...env },
    { file: { tools: [refund] } },
  );
  /** Makes callers of the service by their credentials. */
  const caller = (credentials: Record<string, string>) => {
    const post = async (path: string, body: unknown) => {
      const response = await service.post(path, body, credentials);
      const text = await response.text();
      return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
    };
    const get = async <Body>(path: string) =>
      (await (await fetch(service.url + path, { headers: credentials })).json()) as Body;
    return {
      post,
      get,
      seqOf: async (task: string, type: string) => {
        const text = await (await fetch(`${service.url}/v1/tasks/${task}/trace`, { headers: credentials })).text();
        const entries = text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as TraceEntry);
        return entries.find(({ event }) => event.type === type)?.seq;
      },
      say: async (input: string, session = 's1') =>
        (await post(`/v1/sessions/${session}/turns`, { input })).body as unknown as TurnView,
      cards: async () => (await get<{ approvals: ApprovalCard[] }>('/v1/approvals')).approvals,
      decide: async (id: string, body: unknown) => {
        const { status, body: reply } = await post(`/v1/approvals/${id}/decision`, body);
        return [status, reply.type] as const;
      },
    };
  };
  const ops = caller({ 'x-api-key': OPS });
  const keyOf = async (owner: string, more: Record<string, unknown> = {}) => {
    const { status, body } = await ops.post('/v1/keys', { owner, ...more });
    expect(status).toBe(201);
    return { 'x-api-key': String(body.key) };
  };
  const ada = caller(await keyOf('ada'));
  const asking = await ada.say('Refund the order');
  expect(asking.status).toBe('asking');
  return { service, caller, keyOf, ops, ada, ran, asking, id: asking.approval!.id };
};

const approve = { type: 'approve' };
const NOT_AN_APPROVER = [403, '/problems/not-an-approver'] as const;
const CLOSED = [409, '/problems/question-not-open'] as const;

describe('an action whose tool names approvers', () => {
  it('is decided by one of them, who sees the action and who asks, and nothing else of the task', async () => {
    const { caller, keyOf, ada, ran, asking, id } = await refunding();
    expect(asking.approval).toMatchObject({ approvers: ['role:finance'] });
    expect(asking.question).toContain('This waits for role:finance.');
    const fay = caller(await keyOf('fay', { roles: ['finance'] }));
    const since = expect.any(String);
    expect(await fay.cards()).toEqual([
      { id, tool: 'refund', input: '{"euros":50}', owner: 'ada', since, expires_at: null },
    ]);
    expect(await fay.decide(id, { type: 'approve', reason: 'fine' })).toEqual([204, undefined]);
    await expect.poll(async () => (await ada.get<{ state: string }>(`/v1/tasks/${asking.task_id}`)).state).toBe('done');
    expect(ran).toEqual([50]);
    expect(await fay.cards()).toEqual([]);
    const { turns } = await ada.get<{ turns: TurnView[] }>('/v1/sessions/s1/turns');
    const by: By = { owner: 'fay', key_id: expect.any(String), via: 'http' };
    expect(turns[0]).toMatchObject({ decision: { type: 'approve' }, by });
    expect(await fay.decide(id, approve)).toEqual(CLOSED);
  });

  it('is refused to everybody else, and waits on: its owner by words and by decision, others, operators', async () => {
    const { caller, keyOf, ops, ada, ran, asking, id } = await refunding();
    const bob = caller(await keyOf('bob', { roles: ['sales', 'role:finance'] }));
    for (const other of [ada, bob, ops]) {
      expect(await other.decide(id, approve)).toEqual(NOT_AN_APPROVER);
      expect(await other.decide(id, { type: 'edit', input: '{"euros":"x"}' })).toEqual(NOT_AN_APPROVER);
      expect(await other.decide(id, { type: 'reject' })).toEqual(NOT_AN_APPROVER);
      expect(await other.cards()).toEqual([]);
    }
    const direct = await ada.post('/v1/sessions/s1/turns', { decision: approve });
    expect([direct.status, direct.body.type]).toEqual(NOT_AN_APPROVER);
    for (const words of ['yes', 'always', 'no', '可以', 'Use 20']) {
      const said = await ada.say(words);
      expect(said).toMatchObject({ status: 'ran', ok: false, output: expect.stringContaining('role:finance') });
    }
    expect(await ada.say('/tool refund {"euros":1}')).toMatchObject({ ok: false });
    expect(await ada.get(`/v1/tasks/${asking.task_id}`)).toEqual(asking.task);
    expect(ran).toEqual([]);
  });

  it('is unknown under an id that never was', async () => {
    const { ada, id } = await refunding();
    const never = id.replace(/.{6}(?=-\d+$)/, 'never1');
    for (const other of [never, 'approval-1', 'x', `${id}0`])
      expect((await ada.decide(other, approve))[0]).toBe(other.startsWith(id) ? 409 : 404);
  });

  it('runs with an edited input that its tool takes, and waits on after another one', async () => {
    const { caller, keyOf, ran, id } = await refunding();
    const fay = caller(await keyOf('fay', { roles: ['finance'] }));
    expect((await fay.decide(id, { type: 'edit', input: '{"euros":"x"}' }))[0]).toBe(400);
    expect((await fay.decide(id, { type: 'edit' }))[0]).toBe(400);
    expect((await fay.decide(id, { type: 'edit', input: '{"euros":20}' }))[0]).toBe(204);
    await expect.poll(() => ran).toEqual([20]);
  });

  it('is decided once: of two at the same time the first counts', async () => {
    const { caller, keyOf, ran, id } = await refunding();
    const approvers = await Promise.all(
      ['fay', 'gil', 'hal'].map(async (owner) => caller(await keyOf(owner, { roles: ['finance'] }))),
    );
    const statuses = await Promise.all(approvers.map(async ({ decide }) => (await decide(id, approve))[0]));
    expect(statuses.toSorted()).toEqual([204, 409, 409]);
    await expect.poll(() => ran).toEqual([50]);
  });

  it('is closed where its task is cancelled', async () => {
    const { caller, keyOf, ada, id } = await refunding();
    const fay = caller(await keyOf('fay', { roles: ['finance'] }));
    await ada.say('/cancel');
    expect(await fay.cards()).toEqual([]);
    expect(await fay.decide(id, approve)).toEqual(CLOSED);
  });

  it('waits for them after a restart', async () => {
    const { service, caller, keyOf, ran, id } = await refunding();
    const key = await keyOf('fay', { roles: ['finance'] });
    await service.restart();
    const fay = caller(key);
    expect((await fay.cards()).map((card) => card.id)).toEqual([id]);
    expect((await fay.decide(id, approve))[0]).toBe(204);
    await expect.poll(() => ran).toEqual([50]);
  });
});

describe('self: false', () => {
  it('keeps the owner of a task from deciding, by any key of theirs, also where a role or name of theirs may', async () => {
    const { caller, keyOf, ada, ran, id } = await refunding({ approvers: ['role:finance', 'owner:ada'], self: false });
    const adaToo = caller(await keyOf('ada', { roles: ['finance'] }));
    for (const own of [ada, adaToo]) {
      expect(await own.cards()).toEqual([]);
      expect(await own.decide(id, approve)).toEqual(NOT_AN_APPROVER);
      expect(await own.say('yes')).toMatchObject({ status: 'ran', ok: false });
    }
    expect(ran).toEqual([]);
    const fay = caller(await keyOf('fay', { roles: ['finance'] }));
    expect((await fay.decide(id, approve))[0]).toBe(204);
  });
});

describe('an approver', () => {
  it('may be the owner of the task, who decides by words then', async () => {
    const { ada, ran } = await refunding({ approvers: ['owner:ada'] });
    expect(await ada.cards()).toHaveLength(1);
    expect(await ada.say('yes')).toMatchObject({ status: 'answered' });
    expect(ran).toEqual([50]);
  });

  it('may be known by the roles of a token, and by its subject in what is recorded', async () => {
    const issuer = await startIssuer();
    const env = {
      TRIPACT_JWT_ISSUER: issuer.url,
      TRIPACT_JWT_AUDIENCE: AUDIENCE,
      TRIPACT_JWT_ROLE_CLAIM: 'roles',
    };
    const { caller, ada, asking, id } = await refunding({}, { env });
    const withRoles = async (roles: unknown) =>
      caller({ authorization: `Bearer ${await issuer.sign({ sub: 'fay', roles })}` });
    for (const roles of [undefined, [], ['operator'], 'sales', ['role:finance']])
      expect(await (await withRoles(roles)).decide(id, approve)).toEqual(NOT_AN_APPROVER);
    expect((await (await withRoles(['finance', 'sales'])).decide(id, approve))[0]).toBe(204);
    const { turns } = await ada.get<{ turns: TurnView[] }>('/v1/sessions/s1/turns');
    expect(turns[0]!.by).toEqual({ owner: 'fay', subject: 'fay', via: 'http' });
    expect(turns[0]!.task_id).toBe(asking.task_id);
  });

  it('is no user of a front end by a role, and only that user by name', async () => {
    const { caller, keyOf, ops, id } = await refunding({ approvers: ['role:finance', 'owner:web~fay'] });
    const refused = await ops.post('/v1/keys', { owner: 'web', role: 'front_end', roles: ['finance'] });
    expect(refused.status).toBe(400);
    const key = await keyOf('web', { role: 'front_end' });
    const [fay, gil] = ['fay', 'gil'].map((user) => caller({ ...key, 'x-tripact-user': user })) as [
      ReturnType<typeof caller>,
      ReturnType<typeof caller>,
    ];
    expect(await gil.cards()).toEqual([]);
    expect(await gil.decide(id, approve)).toEqual(NOT_AN_APPROVER);
    expect((await fay.decide(id, approve))[0]).toBe(204);
  });
});

describe('a fork', () => {
  it('asks the same approvers again, and does nothing by a decision of the original', async () => {
    const { caller, keyOf, ada, asking, id, ran } = await refunding({}, { times: 2 });
    const fay = caller(await keyOf('fay', { roles: ['finance'] }));
    const fork = `/v1/tasks/${asking.task_id}/fork`;
    const answered = await ada.post(fork, { input: 'yes' });
    expect([answered.status, answered.body.type]).toEqual(NOT_AN_APPROVER);
    expect((await ada.post(fork, { session_id: 's2' })).status).toBe(201);
    expect((await fay.cards()).map(({ id: open }) => open)).toEqual([id, expect.not.stringMatching(id)]);
    expect((await fay.decide(id, { type: 'approve_always' }))[0]).toBe(204);
    await expect.poll(() => ran).toEqual([50]);
    const again = await ada.post(fork, { at: await ada.seqOf(asking.task_id!, 'decision.received') });
    expect([again.status, again.body.type]).toEqual(NOT_AN_APPROVER);
    expect(ran).toEqual([50]);
    expect(await fay.cards()).toHaveLength(1);
  });
});
