import { expect, it } from 'vitest';
import { message } from '../support/anthropic/answers.ts';
import { answersByGoal } from '../support/anthropic/answers-by-goal.ts';
import type { MessagesAnswer, Respond } from '../support/anthropic/messages.ts';
import { sendJson, serve } from '../support/http/local-server.ts';
import { act, answer, done, plan, startService } from '../support/service/service.ts';

type Say = (text: string) => Respond;

const usage = { input_tokens: 3, output_tokens: 2 };
const text = (said: string) => [{ type: 'text', text: said }];

/** A 200 with this body, and headers of the server's own. */
const send =
  (body: (said: string) => unknown, headers: Record<string, string> = { 'content-type': 'application/json' }): Say =>
  (said) =>
  (response) => {
    response.writeHead(200, headers).end(JSON.stringify(body(said)));
  };

const whole = (said: string) => ({ content: text(said), stop_reason: 'end_turn', usage });

/** Ways in which servers that speak `/v1/messages` differ from Anthropic's own. */
const servers: Record<string, Say> = {
  'gives no usage': send((said) => ({ content: text(said), stop_reason: 'end_turn' })),
  'gives content and nothing else': send((said) => ({ content: text(said) })),
  'gives null for stop_reason': send((said) => ({ ...whole(said), stop_reason: null })),
  'stops for a reason of its own': send((said) => ({ ...whole(said), stop_reason: 'stop' })),
  'adds fields': send((said) => ({ ...whole(said), service_tier: 'x', container: null, timings: { ms: 1 } })),
  'gives no content type': send(whole, {}),
  'calls it text': send(whole, { 'content-type': 'text/plain' }),
  'puts lines around the object': (said) => message(`\n\n${said}\n`),
  'indents the object': (said) => message(JSON.stringify(JSON.parse(said), null, 2)),
  'begins with a byte order mark': (said) => message(`\uFEFF${said}`),
};

it('works with a server that differs from the API in what does not matter', async () => {
  const said = [plan('write it down'), act('todo', 'add milk'), done(), answer('It is on the list.')];
  const scripts = Object.entries(servers).map(([name, say]): [string, MessagesAnswer[]] => [
    name,
    said.map((one) => say(JSON.stringify(one))),
  ]);
  const service = await startService(answersByGoal(Object.fromEntries(scripts)));
  const names = Object.keys(servers);
  const turns = await Promise.all(names.map((name, i) => service.say(`s${i}`, name)));
  expect(turns.map(({ status, output, task }, i) => [names[i], status, output, task.step_count])).toEqual(
    names.map((name) => [name, 'answered', 'It is on the list.', 4]),
  );
});

it.each([
  ['alone', '', ''],
  ['with a slash at its end', '/', ''],
  ['with a path', '/anthropic', '/anthropic'],
  ['with a path and a slash', '/anthropic/', '/anthropic'],
])('asks for /v1/messages behind a base URL %s', async (_, end, path) => {
  const { origin, seen } = await serve((_request, response) => sendJson(response, {}, 401));
  const service = await startService([], { ANTHROPIC_BASE_URL: origin + end });
  expect(await service.say('s1', 'hello')).toMatchObject({ status: 'paused' });
  expect(seen.map(({ url }) => url)).toEqual([`${path}/v1/messages`]);
});

it('asks a server of one’s own for the three contracts and nothing else: it has no web search', async () => {
  const service = await startService([plan('look'), act('internet_search', 'tea'), done(), answer('none')]);
  expect(await service.say('s1', 'look up tea')).toMatchObject({ status: 'answered', task: { failed_steps: 0 } });
  expect(service.contracts()).toEqual(['plan', 'thought', 'thought', 'replan']);
  expect((await service.trace('s1')).map(({ event }) => event.type)).toContain('thought.rejected');
  const tried = await service.say('s1', '/tool internet_search tea');
  expect(tried).toMatchObject({ ok: false, output: expect.stringContaining('TRIPACT_SEARXNG_URL') });
  expect(service.model.requests).toHaveLength(4);
});
