import { Client, type ElicitResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isToolUIPart } from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { agUiPage } from '../support/front-ends/ag-ui-page.ts';
import { lastParts, openPage, shownIn } from '../support/front-ends/ai-sdk-page.ts';
import { createAskingServer, type Desk } from '../support/mcp/asking-server.ts';
import { serveSample } from '../support/mcp/http-server.ts';
import { act, answer, done, plan, startService } from '../support/service/service.ts';
import { startWithMail } from '../support/sign-in/mail-service.ts';

/** A form that a server asks for, as JSON Schema. */
const FORM = {
  type: 'object',
  properties: { day: { type: 'string' }, seats: { type: 'integer', minimum: 1, maximum: 8 } },
  required: ['day', 'seats'],
};

/** A service with a tool that asks for a form, and then for a visit to a page. */
const startWithDesk = async () => {
  const desk: Desk = { booked: [] };
  const server = await serveSample({}, () => createAskingServer(desk));
  const script = [plan('Book'), act('desk_book', '{"table":"T4"}'), done(), answer('Booked.')];
  const service = await startService(script, {}, { file: { mcpServers: { desk: { url: server.url } } } });
  return { desk, service };
};

const last = async (service: Awaited<ReturnType<typeof startService>>, session: string): Promise<TurnView> =>
  (await service.get<{ turns: TurnView[] }>(`/v1/sessions/${session}/turns`)).turns[0]!;

describe('AG-UI 1.0', () => {
  it("has a tool's form as the schema of an interrupt, and a page to visit with its address", async () => {
    const { desk, service } = await startWithDesk();
    const page = agUiPage('1.0')(() => service.url)();
    const resume = (payload: unknown, status: 'resolved' | 'cancelled' = 'resolved') =>
      page.run({ resume: page.agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status, payload })) });
    await page.say('Book a table');
    expect(page.agent.pendingInterrupts).toMatchObject([
      {
        reason: 'input_required',
        message: expect.stringContaining('When do you want T4?'),
        responseSchema: FORM,
        metadata: { tool_question: { kind: 'form', server: 'desk', tool: 'desk_book' } },
      },
    ]);
    await resume({ day: 'Friday', seats: 9 });
    expect(page.agent.pendingInterrupts[0]?.message).toContain('seats: at most 8');
    await resume({ day: 'Friday', seats: 2 });
    expect(page.agent.pendingInterrupts).toMatchObject([
      {
        metadata: {
          options: ['done', 'decline'],
          tool_question: { kind: 'link', url: 'https://pay.example/deposit?for=table', host: 'pay.example' },
        },
      },
    ]);
    expect(await resume({ answer: 'done' })).toMatchObject({ text: 'Booked.', error: null });
    expect(desk.booked).toEqual(['T4 Friday for 2 accept']);
  });

  it('tells the server of an interrupt that its user cancelled', async () => {
    const { desk, service } = await startWithDesk();
    const page = agUiPage('1.0')(() => service.url)();
    await page.say('Book a table');
    const [interrupt] = page.agent.pendingInterrupts;
    await page.run({ resume: [{ interruptId: interrupt!.id, status: 'cancelled' }] });
    expect(desk.booked).toEqual([]);
    expect(JSON.stringify(await service.trace(page.session))).toContain('Nothing booked');
  });
});

it('AG-UI 0.0, which knows no interrupts, has form and page in the text, and the next messages answer', async () => {
  const { desk, service } = await startWithDesk();
  const page = agUiPage('0.0')(() => service.url)();
  expect((await page.say('Book a table')).text).toMatch(/When do you want T4\?.*- seats: a whole number/s);
  expect((await page.say('day: Friday\nseats: 2')).text).toContain('https://pay.example/deposit?for=table');
  expect((await page.say('done')).text).toBe('Booked.');
  expect(desk.booked).toEqual(['T4 Friday for 2 accept']);
});

/** The open question of a page of the AI SDK. */
const question = ({ chat }: ReturnType<typeof openPage>) =>
  lastParts(chat)
    .filter(isToolUIPart)
    .find(({ state }) => state === 'input-available');

const give = async (page: ReturnType<typeof openPage>, output: unknown): Promise<void> => {
  const over = page.finished();
  await page.chat.addToolOutput({ tool: 'ask_user', toolCallId: question(page)?.toolCallId ?? '', output });
  await over;
};

it("the AI SDK has a tool's form and page in the input of ask_user, whose output has the fields", async () => {
  const { desk, service } = await startWithDesk();
  const page = openPage(() => service.url);
  await page.chat.sendMessage({ text: 'Book a table' });
  expect(question(page)).toMatchObject({
    type: 'tool-ask_user',
    input: { tool_question: { kind: 'form', server: 'desk', message: 'When do you want T4?', schema: FORM } },
  });
  await give(page, { day: 'Friday', seats: 2 });
  expect(question(page)?.input).toMatchObject({
    options: ['done', 'decline'],
    tool_question: { kind: 'link', url: 'https://pay.example/deposit?for=table', host: 'pay.example' },
  });
  await give(page, 'done');
  expect(shownIn(page.chat)).toMatchObject({ text: 'Booked.', error: null });
  expect(desk.booked).toEqual(['T4 Friday for 2 accept']);
});

describe('MCP', () => {
  /** A host that fills in each form with the next of these answers, and the forms that it was shown. */
  const startHost = async (era: 'auto' | 'legacy', url: string, answers: ElicitResult[]) => {
    const asked: { message: string; requestedSchema?: object }[] = [];
    const client = new Client(
      { name: 'host', version: '1' },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: era } },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params);
      return answers.shift() ?? { action: 'cancel' };
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    onTestFinished(() => client.close());
    const book = () => client.callTool({ name: 'run', arguments: { goal: 'Book a table' } });
    return { asked, book };
  };

  it.each(['auto', 'legacy'] as const)("asks a host (%s) for the fields of a tool's form", async (era) => {
    const { desk, service } = await startWithDesk();
    const { asked, book } = await startHost(era, service.url, [
      { action: 'accept', content: { day: 'Friday', seats: 2 } },
      { action: 'accept', content: { answer: 'done' } },
    ]);
    expect(await book()).toMatchObject({ structuredContent: { status: 'answered', output: 'Booked.' } });
    expect(asked).toMatchObject([
      {
        message: expect.stringContaining('When do you want T4?'),
        requestedSchema: {
          type: 'object',
          properties: {
            day: { type: 'string', enum: ['Monday', 'Friday'] },
            seats: { type: 'integer', minimum: 1, maximum: 8 },
          },
          required: ['day', 'seats'],
        },
      },
      { message: expect.stringContaining('https://pay.example/deposit?for=table') },
    ]);
    expect(desk.booked).toEqual(['T4 Friday for 2 accept']);
  });

  it('asks again for a value that does not fit, tells the tool of a form that was declined, and keeps one that was cancelled open', async () => {
    const { desk, service } = await startWithDesk();
    const content = { day: 'Friday', seats: 9 };
    const declining = await startHost('auto', service.url, [{ action: 'accept', content }, { action: 'decline' }]);
    await declining.book();
    expect(declining.asked[1]?.message).toContain('seats: at most 8');
    const [session] = (await service.get<{ sessions: { session_id: string }[] }>('/v1/sessions')).sessions;
    expect(JSON.stringify(await service.trace(session?.session_id ?? ''))).toContain('Nothing booked');
    service.model.answer([plan('Book'), act('desk_book', '{"table":"T4"}')]);
    const cancelling = await startHost('auto', service.url, []);
    expect(await cancelling.book()).toMatchObject({ structuredContent: { status: 'asking' } });
    expect(desk.booked).toEqual([]);
  });
});

describe('a sign-in, after which the task goes on by itself', () => {
  it('is a link in AG-UI, and a page that then says "done" gets the reply', async () => {
    const { mail, service, signIn } = await startWithMail();
    const page = agUiPage('1.0')(() => service.url)();
    await page.say('Mail Bob');
    const [interrupt] = page.agent.pendingInterrupts;
    const { kind, url, host } = interrupt!.metadata!['tool_question'];
    expect({ kind, host }).toEqual({ kind: 'sign_in', host: new URL(url).host });
    await signIn(url);
    await expect.poll(async () => (await last(service, page.session)).output).toBe('Sent.');
    const resumed = [{ interruptId: interrupt!.id, status: 'resolved' as const, payload: { answer: 'done' } }];
    expect(await page.run({ resume: resumed })).toMatchObject({ text: 'Sent.', error: null });
    expect(page.agent.pendingInterrupts).toEqual([]);
    expect(mail.sent).toEqual(['ada to bob']);
  });

  it('is a link in the AI SDK, and a page that then says "done" gets the reply', async () => {
    const { mail, service, signIn } = await startWithMail();
    const page = openPage(() => service.url);
    await page.chat.sendMessage({ text: 'Mail Bob' });
    const { tool_question } = question(page)!.input as { tool_question: { kind: string; url: string } };
    expect(tool_question.kind).toBe('sign_in');
    await signIn(tool_question.url);
    await expect.poll(async () => (await last(service, page.chat.id)).output).toBe('Sent.');
    await give(page, 'done');
    expect(shownIn(page.chat)).toMatchObject({ text: 'Sent.', error: null });
    expect(mail.sent).toEqual(['ada to bob']);
  });
});
