import Fastify from 'fastify';
import pino from 'pino';
import { expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type ScriptedAnswer, scriptedModel } from '../../src/testing/testing.ts';
import { createTripact, type Tripact, type TripactOptions } from '../../src/tripact.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';

const open = async (dataDir: string, options: TripactOptions = {}): Promise<Tripact> => {
  const settings = { TRIPACT_MODEL: 'offline', TRIPACT_DATA_DIR: dataDir, TRIPACT_LOG_LEVEL: 'fatal' };
  const tripact = await createTripact({ config: { settings }, env: {}, ...options });
  onTestFinished(() => tripact.close());
  return tripact;
};

it('a program embeds Tripact, and its question is answered by the next process that opens the folder', async () => {
  const folder = temporaryFolder();
  const first = await open(folder);
  const asked = await first.turn({ session: 's1', input: 'Schedule a meeting with Anna' });
  expect(asked).toMatchObject({ status: 'asking' });
  await first.close();

  const second = await open(folder);
  expect(await second.answer({ session: 's1', input: 'tomorrow at 3pm' })).toMatchObject({
    status: 'answered',
    task_id: asked.task_id,
  });
  await expect(second.answer({ session: 's1', input: 'at 4pm' })).rejects.toMatchObject({ code: 'QUESTION_NOT_OPEN' });
  await expect(second.turn({ session: 's 1', input: 'x' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  const last = await second.turns({ session: 's1', limit: 1 });
  expect(last.turns).toMatchObject([{ input: 'tomorrow at 3pm', status: 'answered' }]);
  expect(await second.turns({ session: 's1', cursor: String(last.next) })).toMatchObject({
    turns: [{ input: 'Schedule a meeting with Anna' }],
    next: null,
  });
  await expect(second.turns({ session: 'none' })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  await expect(second.turns({ session: 's1', limit: 0 })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  for await (const { seq, event } of second.events({ session: 's1' })) {
    expect([seq, event.type]).toEqual([1, 'task.opened']);
    break;
  }
});

it('the API is served below a prefix of a Fastify application', async () => {
  const tripact = await open(temporaryFolder());
  const app = Fastify();
  onTestFinished(() => app.close());
  app.get('/', async () => 'mine');
  await app.register(tripact.routes, { prefix: '/agent' });
  const url = await app.listen({ port: 0 });
  const post = (prefer: Record<string, string>): Promise<Response> =>
    fetch(`${url}/agent/v1/sessions/s1/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...prefer },
      body: JSON.stringify({ input: 'Add milk to my todos' }),
    });

  expect(await (await post({})).json()).toMatchObject({ status: 'answered', output: expect.stringContaining('milk') });
  const location = (await post({ prefer: 'respond-async' })).headers.get('location');
  expect(location).toMatch(/^\/agent\/v1\/turns\/turn_/);
  expect((await fetch(`${url}${location}`)).status).toBe(200);
  expect((await fetch(`${url}/agent/v1/none`)).status).toBe(404);
  expect(await (await fetch(url)).text()).toBe('mine');
});

it('without keys, callers from other machines are refused where it is embedded, whatever Host they write', async () => {
  const tripact = await open(temporaryFolder());
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(tripact.routes, { prefix: '/agent' });
  const { statusCode } = await app.inject({
    url: '/agent/v1/sessions',
    headers: { host: 'localhost', 'x-forwarded-for': '127.0.0.1' },
    remoteAddress: '10.0.0.7',
  });
  expect(statusCode).toBe(403);
});

const PLAN = { status: 'planned', plan: [] };
const THOUGHT = { status: 'done', current_step: null, next_action: null, question: null, response: 'thought' };

/** A model whose answer to the user comes in these pieces, and as a whole once it is let go on. */
const writing = (pieces: string[], goOn: Promise<unknown>): ScriptedAnswer =>
  (({ onText }: { onText?: (piece: string) => void }) => {
    for (const piece of pieces) onText?.(piece);
    return goOn.then(() => pieces.join(''));
  }) as ScriptedAnswer;

const answering = (replan: ScriptedAnswer): TripactOptions => ({
  config: {
    settings: { TRIPACT_DATA_DIR: temporaryFolder(), TRIPACT_LOG_LEVEL: 'fatal' },
    model: scriptedModel({ plan: [PLAN], thought: THOUGHT, replan: [replan] }),
  },
});

it('a reply is read as text while the model writes it, and the finished turn follows', async () => {
  const { promise: isRead, resolve: goOn } = Promise.withResolvers<void>();
  const pieces = ['{"status":"done","response":"Good ', 'morn', 'ing"}'];
  const tripact = await open('', answering(writing(pieces, isRead)));
  const reply = tripact.stream({ session: 's1', input: 'Hello there' });
  let text = '';
  for await (const piece of reply) {
    text += piece;
    // The model is still writing.
    if (text === 'Good morning') goOn();
  }
  expect(text).toBe('Good morning');
  expect(await reply.turn).toMatchObject({ status: 'answered', output: 'Good morning' });
});

it('whoever stops reading a reply still gets its turn', async () => {
  const { promise: isLeft, resolve: goOn } = Promise.withResolvers<void>();
  const tripact = await open('', answering(writing(['{"status":"done","response":"Good ', 'day"}'], isLeft)));
  const reply = tripact.stream({ session: 's1', input: 'Hello there' });
  for await (const piece of reply) {
    expect('Good day'.startsWith(piece)).toBe(true);
    break;
  }
  goOn();
  expect(await reply.turn).toMatchObject({ status: 'answered', output: 'Good day' });

  const refused = tripact.stream({ session: 's 1', input: 'Hello there' });
  await expect(Array.fromAsync(refused)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

it('an answer meets a zod schema, and has its type', async () => {
  const answer = { city: 'Bergen', days: 3 };
  const options = answering({ status: 'done', response: 'Bergen.', answer } as ScriptedAnswer);
  const tripact = await open('', options);
  const answer_schema = z.object({ city: z.string(), days: z.number().int() });
  const turn = await tripact.turn({ session: 's1', input: 'Three days in Norway: where?', answer_schema });
  if (turn.status !== 'answered') throw new Error(turn.output);
  expectTypeOf(turn.answer).toEqualTypeOf<{ city: string; days: number } | undefined>();
  expect(turn.answer).toEqual(answer);

  const dated = z.object({ when: z.date() });
  await expect(tripact.turn({ session: 's2', input: 'When?', answer_schema: dated })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('answer_schema'),
  });
});

it('a program gets the log by its own logger, at its level and without secrets', async () => {
  const lines: string[] = [];
  const own = pino({ level: 'info', base: { app: 'shop' } }, { write: (line: string) => void lines.push(line) });
  const key = 'sk-very-secret-key';
  const tripact = await open('', {
    config: {
      settings: { TRIPACT_DATA_DIR: temporaryFolder(), TRIPACT_MODEL: 'offline', TRIPACT_API_KEYS: `ada:${key}` },
    },
    logger: own,
  });
  await tripact.turn({ session: 's1', owner: 'ada', input: `Add a todo: keep ${key}` });
  await tripact.close();
  const logged = lines.map((line) => JSON.parse(line));
  expect(logged.length).toBeGreaterThan(0);
  for (const line of logged) expect(line).toMatchObject({ app: 'shop', level: expect.any(Number) });
  expect(Math.min(...logged.map(({ level }) => level))).toBe(30);
  expect(lines.join('')).not.toContain(key);
});
