import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { createFindSession } from '../../src/http/protocols/openai/find-session.ts';
import type { Conversations } from '../../src/http/protocols/port.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';

/** Longest block that is let pass, in milliseconds (SPEC 11). */
const BLOCKED_MS_MAX = 50;

const remembering = () => {
  const known = new Map<string, { session_id: string; request_key: string | null; at: number }>();
  const conversations: Partial<Conversations> = {
    remember: async (_, key, said) => void known.set(key, { ...said, at: 0 }),
    recall: async (_, key) => known.get(key) ?? null,
    take: async (_, key) => known.get(key) ?? null,
  };
  return createFindSession({ conversations: conversations as Conversations, now: () => 0 });
};

const request = (headers: Record<string, string> = {}): FastifyRequest =>
  ({ owner: 'ann', url: '/v1/chat/completions', headers }) as unknown as FastifyRequest;

const user = (text: string) => ({ role: 'user', text, hasMedia: false });
const assistant = (text: string) => ({ role: 'assistant', text, hasMedia: false });

it.each([['! '], ['!  '], ['!\n'], ['!\u3000']])(
  'compares 1.9 MB of %j said before over many turns of the event loop',
  MEASURED_AGAIN,
  async (unit) => {
    const find = remembering();
    const text = unit.repeat(1_900_000 / unit.length);
    const blockedMs = await longestBlock(async () => {
      const { answered } = await find(request({ 'x-stainless-retry-count': '0' }), {
        ...{ named: null, input: 'go on', earlier: [user(text)] },
      });
      await answered(text);
    });
    expect(blockedMs).toBeLessThan(BLOCKED_MS_MAX);
  },
);

it('finds a long conversation again whose blanks changed on the way, wherever they are', async () => {
  const find = remembering();
  const words = 'word '.repeat(60_000);
  const first = await find(request(), { named: null, input: words, earlier: [] });
  await first.answered(`${words}end`);
  for (const blank of [' ', '  ', '\n \n', '\u3000']) {
    const said = words.replaceAll(' ', blank);
    const earlier = [user(said), assistant(`\n${said}end `)];
    const { session_id } = await find(request(), { named: null, input: 'go on', earlier });
    expect(session_id).toBe(first.session_id);
  }
  const other = await find(request(), { named: null, input: 'go on', earlier: [user(words), assistant('end')] });
  expect(other.session_id).not.toBe(first.session_id);
});
