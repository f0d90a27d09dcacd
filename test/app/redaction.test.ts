import pg from 'pg';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { OBSERVATION_CHARS_MAX } from '../../contracts/limits.ts';
import { cutText } from '../../contracts/text.ts';
import { withFileSettings } from '../../src/app/config-file.ts';
import { createRedaction, secretsOf } from '../../src/app/redaction.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { ModelReply, ModelRequest } from '../../src/models/port.ts';
import { connectionTo } from '../../src/store/postgres/connection.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import type { OutsideTool } from '../../src/tools/port.ts';
import { streamedMessage } from '../support/anthropic/streams.ts';
import { act, answer, done, plan, startService } from '../support/service/service.ts';
import { taskCall } from '../support/tools/task-call.ts';

const SECRET = 'sk-test-0123456789';

const tool = (name: string, run: (text: string) => Promise<string>) =>
  defineTool({ name, description: 'Does a thing.', input: z.string(), writes: false, run });

it('a key that a model or a tool repeats stands in no reply, trace or stored file', async () => {
  const service = await startService(
    [
      plan(`Find out what ${SECRET} is`),
      act('echo', `print ${SECRET}`),
      act('fail', 'x'),
      done(`It is ${SECRET}`),
      answer(`The key is ${SECRET}.`),
    ],
    {},
    {
      file: {
        tools: [
          tool('echo', async (text) => `${text}, that is ${SECRET}`),
          tool('fail', async () => {
            throw new Error(`no access with ${SECRET}`);
          }),
        ],
      },
    },
  );
  const turn = await service.say('s1', 'What is my key?');
  expect(turn.output).toContain('The key is [redacted].');
  const trace = JSON.stringify(await service.trace('s1'));
  expect(trace).toContain('that is [redacted]');
  expect(trace).toContain('no access with [redacted]');
  expect(JSON.stringify(turn) + trace).not.toContain(SECRET);
  const path = `/v1/tasks/${turn.task.id}/calls`;
  const kept = async () => (await service.get<{ calls: { effect_id: string }[] }>(path)).calls;
  await expect.poll(async () => (await kept()).length).toBe(5);
  for (const { effect_id } of await kept())
    expect(JSON.stringify(await service.get(`${path}/${effect_id}`))).not.toContain(SECRET);
  expect(JSON.stringify(service.model.requests.map(({ body }) => body))).not.toContain(SECRET);
});

it('a key that a model writes in pieces stands in nothing that a watcher sees of it', async () => {
  const halves = Array.from(SECRET.slice(1), (_, i) => [SECRET.slice(0, i + 1), `${SECRET.slice(i + 1)} `]);
  const pieces = ['{"status":"done","plan":[],"response":"Keys: ', ...halves.flat(), ...SECRET, ' or sk-te', 'a."}'];
  const isWatched = Promise.withResolvers<void>();
  const service = await startService([
    plan('Look'),
    done(),
    async (response, request) => {
      await isWatched.promise;
      await streamedMessage(pieces)(response, request);
    },
  ]);
  const watched = { accept: 'text/event-stream' };
  const { body } = await service.post('/v1/sessions/s1/turns', { input: 'Which key?' }, watched);
  let stream = '';
  for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
    stream += piece;
    if (stream.includes('"state":"replanning"')) isWatched.resolve();
  }
  const deltas = stream.matchAll(/^event: answer\.delta\ndata: (.*)$/gm);
  const seen = Array.from(deltas, ([, data = '']) => (JSON.parse(data) as { text: string }).text).join('');
  expect(seen).toBe(`Keys: ${'[redacted] '.repeat(halves.length)}[redacted] or sk-tea.`);
});

it('the beginning of a key goes with the attempt that is void', async () => {
  const given: (string | null)[] = [];
  const model = createRedaction([SECRET]).model({
    name: 'scripted',
    answer: async ({ onText }: ModelRequest) => {
      for (const piece of ['It is sk-te', null, 'st-0123456789', ' or sk-', 'no']) onText?.(piece);
      return {} as ModelReply;
    },
  });
  const request = { onText: (piece: string | null) => void given.push(piece) } as ModelRequest;
  await model.answer(request, new AbortController().signal).catch(() => {});
  expect(given).toEqual(['It is ', null, 'st-0123456789', ' or ', 'sk-no']);
});

it('characters that no store accepts are replaced in the texts of models and tools', async () => {
  const odd = tool('odd', async () => 'a\u0000b\ud800c');
  const service = await startService(
    [
      plan('Look'),
      '{"status":"continue","current_step":"w\\u0000\\\\u0000","next_action":{"tool":"odd","input":"\\ud83d\\ude00\\ud83d"}}',
      done('ok'),
      answer('Fine.'),
    ],
    {},
    { file: { tools: [odd] } },
  );
  await service.say('s1', 'Look');
  const trace = await service.trace('s1');
  const [thought] = trace.filter(({ event }) => event.type === 'thought.made');
  expect(thought?.event).toMatchObject({
    current_step: 'w\ufffd\\u0000',
    next_action: { tool: 'odd', input: '😀\ufffd' },
  });
  const [seen] = trace.filter(({ event }) => event.type === 'observation.recorded');
  expect(seen?.event).toMatchObject({ result: 'a\ufffdb\ufffdc' });
});

it('what a verifier throws shows no secret', async () => {
  const verifier = createRedaction([SECRET]).verifier(async () => {
    throw new Error(`no access with ${SECRET}`);
  });
  const check = { signal: new AbortController().signal } as never;
  await expect(verifier(check)).rejects.toThrow('no access with [redacted]');
});

it('a long result shows no part of a secret where it is cut', async () => {
  const given = async () => ({ page: `${'x'.repeat(OBSERVATION_CHARS_MAX - 25)}${SECRET}${'y'.repeat(50_000)}` });
  const page = defineTool({ name: 'page', description: 'Reads.', input: z.string(), writes: false, run: given });
  const { tool: wrap } = createRedaction([SECRET]);
  const made = (await (wrap(page) as OutsideTool).run('go', taskCall())) as { result: string };
  expect(cutText(made.result, OBSERVATION_CHARS_MAX)).toMatch(/^{"page":"x{9000}[^s]*… \[cut/);
});

it('what a user writes is not searched', async () => {
  const service = await startService([plan('Think'), done(), answer('Fine.')]);
  expect(JSON.stringify(await service.say('s1', `/todo add buy ${SECRET}`))).toContain(SECRET);
});

it.each([
  ['100%', '100%'],
  ['p%w', 'p%w'],
  ['50%abc', '50%abc'],
  ['%ff', '%ff'],
  ['a%zz%4a', 'a%zzJ'],
  ['p%25w', 'p%w'],
  ['%E5%AF%86', '密'],
])('the password %s in the address of a database is %s, for the database and as a secret', (written, password) => {
  const url = `postgres://${written}:${written}@host/tripact`;
  const settings = { TRIPACT_DATABASE_URL: url };
  expect(secretsOf(loadConfig(settings), settings)).toEqual([url, password]);
  expect(new pg.Client(connectionTo(url))).toMatchObject({ user: password, password, host: 'host' });
});

it('the secrets are the keys of callers and providers, of the environment and of the configuration file', () => {
  const webhook = `whsec_${'ab/c'.repeat(8)}`;
  const [next, billing] = [`whsec_${'de+f'.repeat(8)}`, `whsec_${'x'.repeat(43)}=`];
  const env = {
    AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a+bc==, x-tenant=acme',
    TRIPACT_API_KEYS: 'anna:the-key-of-anna-0123',
  };
  const settings = withFileSettings(env, {
    settings: { TRIPACT_WEBHOOK_SECRET: `${webhook},${next}`, TRIPACT_CALLBACK_SECRETS: `billing.example=${billing}` },
  });
  expect(secretsOf(loadConfig(settings), settings).sort()).toEqual(
    ['Bearer a+bc==', env.AWS_SECRET_ACCESS_KEY, 'the-key-of-anna-0123', webhook, next, billing].sort(),
  );
});
