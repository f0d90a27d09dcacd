import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { LOCAL_RECEIVER } from '../support/service/receiver.ts';
import { ask, plan, startService } from '../support/service/service.ts';
import { fencedBlocks } from './fenced-blocks.ts';

it('the receiver of docs/front-ends/webhooks.md takes each post once, and none with another signature', async () => {
  const [code = ''] = fencedBlocks('docs/front-ends/webhooks.md', 'js');
  const folder = mkdtempSync(join(tmpdir(), 'tripact-receiver-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'receiver.mjs'), code);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const env = { ...process.env, PORT: '0', TRIPACT_WEBHOOK_SECRET: secret };
  const receiver = spawn(process.execPath, ['receiver.mjs'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void receiver.kill());
  const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => String((await lines.next()).value);
  const url = `http://127.0.0.1:${(await nextLine()).replace('listening on ', '')}/`;

  const settings = { ...LOCAL_RECEIVER, TRIPACT_WEBHOOK_URL: url, TRIPACT_WEBHOOK_SECRET: secret };
  const service = await startService([plan('book a room'), ask('Which day?')], settings);
  await service.say('s1', 'Book a room');
  const told = [await nextLine(), await nextLine()].sort();
  expect(told).toEqual(['local: asking: Please confirm: Which day?', 'local: s1 asks: Which day?']);
  const { callbacks } = await service.get<{ callbacks: { id: string }[] }>('/v1/callbacks');
  for (const { id } of callbacks) await service.post(`/v1/callbacks/${id}/resend`, {});
  await service.say('s1', '/status');
  expect(await nextLine()).toContain('local: ran:');
  const forged = await fetch(url, { method: 'POST', headers: { 'webhook-id': 'x' }, body: '{}' });
  expect(forged.status).toBe(400);
});
