import { readFileSync } from 'node:fs';
import Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/messages';
import { goalOf, LIFE_MS_MAX, SESSIONS } from './load.ts';

const [, , baseURL = '', bodiesFile = ''] = process.argv;
const bodies = JSON.parse(readFileSync(bodiesFile, 'utf8')) as string[];
const client = new Anthropic({ apiKey: 'bench', baseURL, maxRetries: 0, logLevel: 'off' });

/** The calls of one turn of the service, one after the other. Returns the milliseconds that they took. */
const chain = async (session: number): Promise<number> => {
  const began = performance.now();
  for (const body of bodies) {
    const params = JSON.parse(body.replace(goalOf(0), goalOf(session))) as MessageCreateParamsNonStreaming;
    const { content } = await client.messages.create(params, { timeout: 60_000 });
    if (content[0]?.type !== 'text') throw new Error('the answer has no text');
  }
  return performance.now() - began;
};

process.on('message', async () => {
  process.send?.(await Promise.all(Array.from({ length: SESSIONS }, (_, session) => chain(session + 1))));
});
process.on('disconnect', () => process.exit());
setTimeout(() => process.exit(1), LIFE_MS_MAX).unref();
process.send?.(await chain(0));
