import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { createForgetSessionFiles } from '../../src/app/retention.ts';
import { createWorkspaces } from '../../src/workspace/folder.ts';
import { createWorkspaceRemoval } from '../../src/workspace/remove-workspace.ts';
import { freshDataDir } from '../support/engine/sqlite-engine.ts';
import { longestBlock } from '../support/longest-block.ts';

/** A data folder with a session's folder of 60,000 files. */
const dataDirWithFiles = (): string => {
  const dataDir = freshDataDir();
  const folder = createWorkspaces(dataDir)('ann', 's1');
  for (let i = 0; i < 60_000; i += 1) writeFileSync(join(folder, String(i)), '');
  return dataDir;
};

it('the folder of a removed session with 60,000 files is deleted without holding the event loop', {
  timeout: 120_000,
}, async () => {
  const dataDir = dataDirWithFiles();
  const removal = createWorkspaceRemoval(dataDir);
  removal.setAside('ann', 's1');
  expect(await longestBlock(() => removal.empty())).toBeLessThan(50);
  expect(existsSync(join(dataDir, 'workspace', '.removed'))).toBe(false);
});

it('… also when it is removed over HTTP', { timeout: 120_000 }, async () => {
  const dataDir = dataDirWithFiles();
  const forget = createForgetSessionFiles(dataDir, { forget: () => {} }, pino({ level: 'silent' }));
  const removed = join(dataDir, 'workspace', '.removed');
  const block = await longestBlock(async () => {
    forget({ owner: 'ann', session_id: 's1' });
    await vi.waitUntil(() => !existsSync(removed) || readdirSync(removed).length === 0, { timeout: 60_000 });
  });
  expect(block).toBeLessThan(50);
});
