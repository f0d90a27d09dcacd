import { Readable } from 'node:stream';
import { parseJsonEventStream, readUIMessageStream, type UIMessage, uiMessageChunkSchema } from 'ai';
import { describe, expect, it } from 'vitest';
import { answersByGoal } from '../support/anthropic/answers-by-goal.ts';
import { answer, ask, done, plan, type Service, startService } from '../support/service/service.ts';

const GOAL = 'Plan the party';
const HOPELESS = 'Do what cannot be done';

const start = (env: Record<string, string> = {}): Promise<Service> =>
  startService(
    answersByGoal({
      [GOAL]: [plan('Choose a day'), { ...ask('Which day?'), options: ['Saturday', 'Sunday'] }, answer('On Sunday.')],
      [HOPELESS]: [plan('Try'), done(), { ...answer('I cannot do it.'), outcome: 'failed' }],
    }),
    env,
  );

const user = (text: string): UIMessage => ({ id: `m-${text}`, role: 'user', parts: [{ type: 'text', text }] });

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

  it('learns what is wrong with a request, and nothing of it is stored', async () => {
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
