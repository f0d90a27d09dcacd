import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Played, playDialogue } from '../../bench/models/play-dialogue.ts';
import { calls } from '../support/anthropic/answers.ts';
import type { MessagesScript } from '../support/anthropic/messages.ts';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { serveSample } from '../support/mcp/http-server.ts';

/** Plays a dialogue with a scripted server in a real model's place. */
const play = async (script: MessagesScript, turns: string[], given: Partial<Played> = {}) => {
  const model = await startMessagesServer(script);
  const sample = await serveSample();
  const dir = mkdtempSync(join(tmpdir(), 'tripact-'));
  onTestFinished(async () => {
    await model.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const env = { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: model.url };
  return playDialogue({ turns, tools: sample.url, dir, model: 'anthropic:test-model', env, ...given });
};

it('counts the calls of a model, those with several tool calls, those refused, and what they cost', async () => {
  const outcome = await play(
    [
      calls([
        ['bfcl_add', { a: 1, b: 2 }],
        ['bfcl_add', { a: 3, b: 4 }],
      ]),
      calls([['rm', { input: '-rf' }]]),
      calls([['finish', { response: '3 and 7.' }]]),
      calls([['ask_user', { question: 'How much more?' }]]),
      calls([['finish', { response: 'One more is 8.' }]]),
    ],
    ['Add 1 and 2, and 3 and 4', 'And one more?'],
    { prices: { currency: 'USD', models: { 'test-model': { input: 1, output: 2 } } } },
  );
  expect(outcome).toEqual({
    failure: null,
    calls: 5,
    native: 5,
    chained: 1,
    missed: 1,
    input: 50,
    cacheRead: 0,
    output: 25,
    cost: { amount: '0.0001', currency: 'USD' },
  });
});

it('says how the first turn ended that has no answer', async () => {
  const questions = ['Which?', 'How many?', 'To what?', 'Why?'].map((question) => calls([['ask_user', { question }]]));
  const outcome = await play(questions, ['Add something', 'never said']);
  expect(outcome).toMatchObject({ failure: expect.stringMatching(/^asking: .*Why\?$/), calls: 4, cost: null });
});
