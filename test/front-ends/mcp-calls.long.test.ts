import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { answersByGoal } from '../support/anthropic/answers-by-goal.ts';
import { answer, ask, done, plan, type Service, startService } from '../support/service/service.ts';

const ANNA = 'anna-0123456789abcdef';
const BEN = 'ben-0123456789abcdef';

const GOAL = 'Choose a day';
const CHINESE = '找一天';
const CHOICE = '选一天';
const HOPELESS = 'Do what cannot be done';

const script = () =>
  answersByGoal({
    [GOAL]: [plan('Ask'), ask('Which day?'), answer('Sunday.')],
    [CHINESE]: [plan('选日子'), ask('哪一天？')],
    [CHOICE]: [plan('选日子'), { ...ask('哪一天？'), options: ['周六', '周日'] }],
    [HOPELESS]: [plan('Try'), done(), { ...answer('I cannot do it.'), outcome: 'failed' }],
  });

let service: Service;
beforeEach(async () => {
  service = await startService(script(), { TRIPACT_API_KEYS: `anna:${ANNA},ben:${BEN}` });
});

/** A host that looks at each result itself. */
const connect = async (key = ANNA, capabilities: object = { elicitation: { form: {} } }): Promise<Client> => {
  const client = new Client(
    { name: 'host', version: '1' },
    { capabilities, versionNegotiation: { mode: 'auto' }, inputRequired: { autoFulfill: false } },
  );
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
  onTestFinished(() => client.close());
  return client;
};

interface Result {
  resultType?: string;
  inputRequests?: { answer: { params: { message: string; requestedSchema: { properties: object } } } };
  requestState?: string;
  isError?: boolean;
  content?: { text: string }[];
  structuredContent?: { session: string; task_id: string; status: string; waiting?: unknown[] };
}

const call = async (client: Client, name: string, args: Record<string, unknown>, more: object = {}): Promise<Result> =>
  (await client.callTool(
    { name, arguments: args, ...more } as never,
    {
      allowInputRequired: true,
    } as never,
  )) as unknown as Result;

/** The answers in a session's trace. */
const answersIn = async (session: string): Promise<string[]> => {
  const url = `${service.url}/v1/sessions/${session}/trace`;
  const lines = await (await fetch(url, { headers: { authorization: `Bearer ${ANNA}` } })).text();
  return lines
    .split('\n')
    .flatMap((line) =>
      line.includes('answer.received') ? (JSON.parse(line) as { event: { text: string } }).event.text : [],
    );
};

const accepted = (content: object) => ({ inputResponses: { answer: { action: 'accept', content } } });

describe('MCP, call by call', () => {
  it('requires the answer to a question as a form, and goes on with it once', async () => {
    const client = await connect();
    const args = { goal: GOAL, session: 's1' };
    const asked = await call(client, 'run', args);
    expect(asked.inputRequests?.answer.params).toMatchObject({
      message: 'Please confirm: Which day?',
      requestedSchema: { properties: { answer: { type: 'string' } } },
    });
    const again = { ...accepted({ answer: 'Sunday' }), requestState: asked.requestState };
    const result = await call(client, 'run', args, again);
    expect(result.structuredContent).toMatchObject({ session: 's1', status: 'answered' });
    expect((await call(client, 'run', args, again)).structuredContent).toEqual(result.structuredContent);
    expect(service.contracts()).toEqual(['plan', 'thought', 'replan']);
  });

  it.each([
    [{ answer: '周日' }, '周日'],
    [{ answer: '其他', other: '周一' }, '周一'],
    [{ answer: '周日', other: '下午' }, '周日\n下午'],
    [{ answer: '周一' }, '周一'],
  ])('has the options of a question as a choice with something else, and takes %j', async (content, said) => {
    const client = await connect();
    const args = { goal: CHOICE, session: 's1' };
    const { inputRequests, requestState } = await call(client, 'run', args);
    expect(inputRequests?.answer.params.requestedSchema).toMatchObject({
      properties: { answer: { type: 'string', enum: ['周六', '周日', '其他'] }, other: { type: 'string' } },
      required: ['answer'],
    });
    await call(client, 'run', args, { ...accepted(content), requestState });
    expect(await answersIn('s1')).toEqual([said]);
  });

  it('leaves a question open if something else answers it without a word about it', async () => {
    const client = await connect();
    const args = { goal: CHOICE, session: 's1' };
    const { requestState } = await call(client, 'run', args);
    const again = { ...accepted({ answer: '其他', other: ' ' }), requestState };
    expect((await call(client, 'run', args, again)).structuredContent).toMatchObject({ status: 'asking' });
  });

  it.each([
    [{ url: {} }, false],
    [{ url: {}, form: {} }, true],
    [{}, true],
  ])('asks a host that declares elicitation %j by a form: %s', async (elicitation, byForm) => {
    const asked = await call(await connect(ANNA, { elicitation }), 'run', { goal: GOAL, session: 's1' });
    expect(asked.inputRequests !== undefined).toBe(byForm);
    if (!byForm) expect(asked.content?.[0]?.text).toContain('call the tool "answer"');
  });

  it('gives a host of 2025 that can only show links the question as text', async () => {
    const client = new Client({ name: 'host', version: '1' }, { capabilities: { elicitation: { url: {} } } });
    const requestInit = { headers: { authorization: `Bearer ${ANNA}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
    onTestFinished(() => client.close());
    expect((await call(client, 'run', { goal: GOAL, session: 's1' })).content?.[0]?.text).toContain('"answer"');
  });

  it('refuses every method but POST, and says that its list of tools never changes', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${service.url}/mcp`, { method, headers: { authorization: `Bearer ${ANNA}` } });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
    }
    expect((await connect()).getServerCapabilities()?.tools).toEqual({ listChanged: false });
  });

  it('takes back nothing that it did not sign itself, nor from another owner', async () => {
    const [anna, ben] = [await connect(), await connect(BEN)];
    const args = { goal: GOAL, session: 's1' };
    const { requestState = '' } = await call(anna, 'run', args);
    const [version, body = '', mac] = requestState.split('.');
    const state = JSON.parse(Buffer.from(body, 'base64url').toString()) as { p: { session: string } };
    const forged = Buffer.from(JSON.stringify({ ...state, p: { ...state.p, session: 's2' } })).toString('base64url');
    const forgery = { ...accepted({ answer: 'Sunday' }), requestState: [version, forged, mac].join('.') };
    await expect(call(anna, 'run', args, forgery)).rejects.toMatchObject({ code: -32602 });
    const echo = { ...accepted({ answer: 'Sunday' }), requestState };
    await expect(call(ben, 'run', args, echo)).rejects.toMatchObject({ code: -32602 });
    expect((await call(anna, 'run', args, echo)).structuredContent).toMatchObject({ status: 'answered' });
  });

  it('leaves the question open where the user declines, and says how to answer it', async () => {
    const client = await connect();
    const args = { goal: GOAL, session: 's1' };
    const { requestState } = await call(client, 'run', args);
    const declined = { inputResponses: { answer: { action: 'decline' } }, requestState };
    const { content, structuredContent } = await call(client, 'run', args, declined);
    expect(structuredContent).toMatchObject({ status: 'asking' });
    expect(content?.[0]?.text).toContain('"answer" with {"session": "s1", "answer": "…"}');
    expect((await call(client, 'answer', { session: 's1', answer: 'Sunday' })).structuredContent?.status).toBe(
      'answered',
    );
  });

  it('says that a task failed, and lists todos, the schedule and its goals', async () => {
    const client = await connect();
    expect(await call(client, 'run', { goal: HOPELESS })).toMatchObject({
      isError: true,
      structuredContent: { status: 'failed' },
    });
    expect((await call(client, 'todo', { command: 'add milk' })).isError).toBeUndefined();
    expect((await call(client, 'todo', { command: 'list' })).content?.[0]?.text).toContain('milk');
    expect((await call(client, 'schedule', { command: 'list' })).structuredContent).toMatchObject({ status: 'ran' });
    await call(client, 'schedule', { command: 'goal every day 9am Read the news' });
    expect((await call(client, 'schedule', { command: 'goals' })).content?.[0]?.text).toContain('Read the news');
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual([
      'answer',
      'approvals',
      'cancel',
      'continue',
      'decide',
      'remember',
      'run',
      'schedule',
      'status',
      'todo',
    ]);
  });

  it('says of each tool what a call of it may do', async () => {
    const { tools } = await (await connect()).listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name)).toEqual([
      'status',
      'approvals',
    ]);
    expect(tools.every(({ annotations }) => annotations?.openWorldHint !== undefined)).toBe(true);
  });

  it.each([{ elicitation: {} }, {}])(
    'of a host that gave up (%j) is found by its progress and by status',
    async (capabilities) => {
      const client = await connect(ANNA, capabilities);
      const leaving = new AbortController();
      const { promise, resolve } = Promise.withResolvers<string>();
      const onprogress = ({ message = '' }) => {
        resolve(message);
        leaving.abort();
      };
      const options = { onprogress, signal: leaving.signal, allowInputRequired: true };
      const left = client.callTool({ name: 'run', arguments: { goal: GOAL } }, options as never);
      await expect(left).rejects.toThrow();
      const [, session, task_id] = /^session (\S+) · task (\S+)$/.exec(await promise) ?? [];
      const last_turn = { input: GOAL, session, task_id, status: 'asking', question: 'Which day?' };
      await expect
        .poll(async () => (await call(client, 'status', { session })).structuredContent)
        .toMatchObject({ active_task: { id: task_id }, last_turn });
      expect((await call(client, 'status', { task_id })).structuredContent).toMatchObject({ last_turn });
      expect((await call(client, 'status', {})).structuredContent).toMatchObject({
        waiting: [{ session_id: session }],
        last_turns: [last_turn],
      });
    },
  );

  it('serves a host of 2025 that can ask its user also after a restart, then without asking', async () => {
    const client = new Client({ name: 'host', version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
    const requestInit = { headers: { authorization: `Bearer ${ANNA}` } };
    const toService: typeof fetch = (url, init) => fetch(String(url).replace(/^http:..[^/]*/, service.url), init);
    const url = new URL(`${service.url}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit, fetch: toService }));
    onTestFinished(() => client.close());
    expect((await call(client, 'run', { goal: GOAL, session: 's1' })).structuredContent?.status).toBe('asking');
    await service.restart();
    expect((await call(client, 'answer', { session: 's1', answer: 'Sunday' })).structuredContent?.status).toBe(
      'answered',
    );
  });

  it('lets nothing go on that is not paused', async () => {
    const client = await connect();
    const { requestState } = await call(client, 'run', { goal: GOAL, session: 's1' });
    expect(requestState).toBeDefined();
    expect(await call(client, 'continue', { session: 's1' })).toMatchObject({ isError: true });
    expect((await call(client, 'status', { session: 's1' })).structuredContent).toMatchObject({
      last_turn: { status: 'asking' },
    });
  });

  it.each([
    ['no goal', 'run', {}],
    ['a session that cannot be', 'run', { goal: GOAL, session: 'a/b' }],
    ['an answer and a decision at once', 'answer', { session: 's1', answer: 'x', decision: 'approve' }],
    ['a task that never was', 'cancel', { task_id: 'x' }],
  ])('refuses %s', async (_, name, args) => {
    const client = await connect();
    expect(await call(client, name, args)).toMatchObject({ isError: true });
    expect((await call(client, 'status', {})).structuredContent).toEqual({ waiting: [], last_turns: [] });
  });

  it('asks for a key, and answers invalid JSON in its own form', async () => {
    await expect(connect('wrong-0123456789')).rejects.toThrow();
    const post = (body: string, headers: object) =>
      fetch(`${service.url}/mcp`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      });
    const missing = await post('{"jsonrpc":"2.0","id":7,"method":"ping"}', {});
    expect([missing.status, await missing.json()]).toMatchObject([401, { jsonrpc: '2.0', error: { code: -32041 } }]);
    const broken = await post('{', { authorization: `Bearer ${ANNA}` });
    expect([broken.status, await broken.json()]).toMatchObject([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32700 } },
    ]);
  });
});
