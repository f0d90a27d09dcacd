import { Readable } from 'node:stream';
import { isToolUIPart, parseJsonEventStream, readUIMessageStream, type UIMessage, uiMessageChunkSchema } from 'ai';
import { describe, expect, it } from 'vitest';
import { answersByGoal } from '../support/anthropic/answers-by-goal.ts';
import { lastParts, openPage, type Page, shownIn } from '../support/front-ends/ai-sdk-page.ts';
import { answer, ask, done, plan, type Service, startService } from '../support/service/service.ts';

const GOAL = 'Plan the party';
const HOPELESS = 'Do what can not be done';

const KEYS = { TRIPACT_API_KEYS: 'anna:anna-0123456789abcdef,ben:ben-0123456789abcdef' };
const ANNA = { authorization: 'Bearer anna-0123456789abcdef' };
const BEN = { authorization: 'Bearer ben-0123456789abcdef' };

const start = (env: Record<string, string> = {}): Promise<Service> =>
  startService(
    answersByGoal({
      [GOAL]: [plan('Choose a day'), { ...ask('Which day?'), options: ['Saturday', 'Sunday'] }, answer('On Sunday.')],
      [HOPELESS]: [plan('Try'), done(), { ...answer('I can not do it.'), outcome: 'failed' }],
    }),
    env,
  );

const user = (text: string): UIMessage => ({ id: `m-${text}`, role: 'user', parts: [{ type: 'text', text }] });

const choose = async (page: Page, output: string): Promise<void> => {
  const over = page.finished();
  const toolCallId = lastParts(page.chat).find(isToolUIPart)?.toolCallId ?? '';
  await page.chat.addToolOutput({ tool: 'ask_user', toolCallId, output });
  await over;
};

describe('The AI SDK protocol, request by request', () => {
  it('posts again what it does not know to have arrived: the same turn', async () => {
    const service = await start();
    const body = { id: 'c1', messages: [user(HOPELESS)], trigger: 'submit-message' };
    const read = async (): Promise<UIMessage | undefined> => {
      const response = await service.post('/api/chat', body);
      expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
      const chunks = parseJsonEventStream({ stream: response.body!, schema: uiMessageChunkSchema });
      const stream = Readable.toWeb(Readable.from(chunks).map((chunk) => (chunk.success ? chunk.value : chunk.error)));
      return (await Array.fromAsync(readUIMessageStream({ stream: stream as never }))).at(-1);
    };
    const replies = [await read(), await read()];
    expect(replies[1]).toEqual(replies[0]);
    expect((await service.get<{ turns: unknown[] }>('/v1/sessions/c1/turns')).turns).toHaveLength(1);
  });

  it("keeps owners' chats apart, and needs a key", async () => {
    const service = await start(KEYS);
    const page = (headers: Record<string, string>) => openPage(() => service.url, { id: 'shared', headers });
    const anna = page(ANNA);
    await anna.chat.sendMessage({ text: GOAL });
    const ben = openPage(() => service.url, { id: 'shared', headers: BEN, messages: anna.chat.messages });
    await choose(ben, 'Saturday');
    expect(ben.chat.error?.message).toContain('not open any more');
    await choose(anna, 'Sunday');
    expect(shownIn(anna.chat).text).toBe('On Sunday.');
    const nobody = page({});
    await nobody.chat.sendMessage({ text: GOAL });
    expect(nobody.chat.error?.message).toMatch(/key/i);
  });

  it('is told what is wrong with a request, and nothing of it is stored', async () => {
    const service = await start();
    const asked = { type: 'tool-ask_user', toolCallId: 'x', state: 'output-available', output: 'yes' };
    const assistant = (...parts: unknown[]) => ({ id: 'a', role: 'assistant', parts });
    const wrong: [unknown, number][] = [
      [undefined, 400],
      [{ id: 'c', messages: [user('  ')] }, 400],
      [{ id: 'c', messages: [user('Hi')], on_busy: 'never' }, 400],
      [{ id: 'c', messages: [assistant()], trigger: 'regenerate-message' }, 400],
      [{ id: 'c', messages: [assistant(asked)] }, 409],
    ];
    for (const [body, status] of wrong) {
      const response = await service.post('/api/chat', body);
      const text = await response.text();
      const sent = String(JSON.stringify(body)).slice(0, 120);
      expect([sent, response.status, text]).toEqual([sent, status, expect.stringMatching(/\w/)]);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    }
    expect(await service.get('/v1/sessions')).toMatchObject({ sessions: [] });
  });
});
