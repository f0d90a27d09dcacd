import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWorkspaces } from '../../src/workspace/folder.ts';
import { createWorkspaceRemoval } from '../../src/workspace/remove-workspace.ts';
import { freshDataDir } from '../support/engine/sqlite-engine.ts';
import { longestBlock } from '../support/longest-block.ts';

it('the folder of a removed session with 60,000 files is deleted without holding the event loop', {
  timeout: 120_000,
}, async () => {
  const dataDir = freshDataDir();
  const folder = createWorkspaces(dataDir)('ann', 's1');
  for (let i = 0; i < 60_000; i += 1) writeFileSync(join(folder, String(i)), '');
  const removal = createWorkspaceRemoval(dataDir);
  removal.setAside('ann', 's1');
  expect(await longestBlock(() => removal.empty())).toBeLessThan(50);
  expect(existsSync(join(dataDir, 'workspace', '.removed'))).toBe(false);
});
