import { expect, it } from 'vitest';
import { apiError } from '../support/anthropic/answers.ts';
import type { MessagesRequest, WireText } from '../support/anthropic/messages.ts';
import { act, answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';

const blocks = (text: WireText): { text: string; cache_control?: { type: string } }[] =>
  typeof text === 'string' ? [{ text }] : text;

/** The prefix before each `cache_control` of a request, its own block included. */
const marked = ({ sent }: MessagesRequest): string[] => {
  const all = [sent.system, ...sent.messages.map(({ content }) => content)].flatMap(blocks);
  return all.flatMap(({ cache_control }, i) =>
    cache_control === undefined ? [] : [JSON.stringify(all.slice(0, i + 1).map(({ text }) => text))],
  );
};

/** The prefixes that all requests of a contract have marked, and of how many requests. */
const shared = (requests: readonly MessagesRequest[], contract: string) => {
  const asked = requests.filter((request) => request.contract === contract).map(marked);
  return { asked: asked.length, prefixes: asked[0]!.filter((prefix) => asked.every((each) => each.includes(prefix))) };
};

it('marks what repeats from call to call, also after a restart', async () => {
  const goal = 'Buy milk and eggs';
  const service = await startService([
    plan('write it down', 'look at it'),
    act('todo', 'add milk'),
    act('todo', 'add eggs'),
    done('both noted'),
    replanned('look at it'),
    act('view', 'all'),
    ask('Which shop?'),
  ]);
  await service.say('s1', goal);
  await service.restart();
  service.model.answer([replanned('look at it'), act('view', 'today'), done(), answer('ok')]);
  expect((await service.say('s1', 'The corner shop')).output).toBe('ok');

  const { requests } = service.model;
  for (const request of requests) {
    expect(JSON.stringify(request.sent).split('"cache_control":{"type":"ephemeral"}')).toHaveLength(
      marked(request).length + 1,
    );
    expect(marked(request).length).toBeGreaterThan(0);
    expect(marked(request).length).toBeLessThanOrEqual(4);
    expect(marked(request).join('')).not.toContain('Current time');
  }
  const thoughts = shared(requests, 'thought');
  expect(thoughts.asked).toBe(7);
  expect(thoughts.prefixes).toHaveLength(3);
  expect(thoughts.prefixes.at(-1)).toContain(goal);
  const replans = shared(requests, 'replan');
  expect(replans.asked).toBe(3);
  expect(replans.prefixes).toHaveLength(2);
  expect(replans.prefixes.at(-1)).toContain(goal);
});

it('asks a server that knows no marks without them, at once, and shows it none again', async () => {
  const refuses = apiError(400, {
    type: 'invalid_request_error',
    text: 'system.0.cache_control: Extra inputs are not permitted',
  });
  const service = await startService([refuses, plan(), done(), answer('ok')]);
  expect((await service.say('s1', 'Hello')).output).toBe('ok');
  expect(service.model.requests.map(({ sent }) => typeof sent.system)).toEqual([
    'object',
    'string',
    'string',
    'string',
  ]);
  expect(service.model.requests.every(({ body }) => body.output_config !== undefined)).toBe(true);
});
