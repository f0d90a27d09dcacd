import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createServer } from 'vite';
import { expect, it, onTestFinished } from 'vitest';
import { answer, ask, done, plan, replanned, startService } from '../support/service/service.ts';
import { fencedBlocks } from './fenced-blocks.ts';

/** A folder with one file, and the packages of this checkout. */
const folderWith = (name: string, text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-snippet-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
};

const DOCUMENTED = 'http://127.0.0.1:8787';

it('the program of docs/front-ends/openai.md asks, and answers what it is asked', async () => {
  const service = await startService([plan('book'), ask('Which day?'), replanned('book'), done(), answer('Booked.')]);
  const [program = ''] = fencedBlocks('docs/front-ends/openai.md', 'ts');
  const cwd = folderWith('chat.ts', program.replace(DOCUMENTED, service.url));
  const chat = async (input: string): Promise<string> =>
    (await promisify(execFile)(process.execPath, ['chat.ts', input], { cwd })).stdout;
  expect(await chat('Book a room')).toContain('Which day?');
  expect(await chat('on Friday')).toBe('Booked.\n');
});

it("the settings of docs/front-ends/ai-sdk.md let a page of Vite's server call the service", async () => {
  const service = await startService([plan('book'), done(), answer('Booked.')]);
  const settings = fencedBlocks('docs/front-ends/ai-sdk.md', 'ts').find((block) => block.includes('vite.config.ts'));
  const root = folderWith('vite.config.ts', (settings ?? '').replace(DOCUMENTED, service.url));
  const vite = await createServer({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'silent' });
  onTestFinished(() => vite.close());
  await vite.listen(0);
  const page = new URL(vite.resolvedUrls?.local[0] ?? '').origin;
  const reply = await fetch(`${page}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: page },
    body: JSON.stringify({ id: 's1', messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Book' }] }] }),
  });
  expect({ status: reply.status, text: await reply.text() }).toEqual({
    status: 200,
    text: expect.stringContaining('Booked.'),
  });
});
