import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkspaceRemoval, createWorkspaces, workspacePath } from '../../src/workspace/folder.ts';
import { freshDataDir } from '../support/engine/open-engine.ts';

describe('Removing the folder of a removed session', () => {
  it('takes it away at once, and deletes it with all that was in it afterwards', async () => {
    const dataDir = freshDataDir();
    const folder = createWorkspaces(dataDir)('ann', 's1');
    writeFileSync(join(folder, 'notes'), 'text');
    const removal = createWorkspaceRemoval(dataDir);
    removal.setAside('ann', 's1');
    expect(existsSync(folder)).toBe(false);
    await createWorkspaceRemoval(dataDir).empty();
    expect(readdirSync(join(dataDir, 'workspace', '.removed'))).toEqual([]);
  });

  it('leaves the folders of other sessions and owners, and is no error where there is none', async () => {
    const dataDir = freshDataDir();
    const others = [createWorkspaces(dataDir)('local', 's1'), createWorkspaces(dataDir)('bob', 's1')];
    const removal = createWorkspaceRemoval(dataDir);
    removal.setAside('ann', 's1');
    await removal.empty();
    expect(others.map((folder) => existsSync(folder))).toEqual([true, true]);
  });

  it.each(['another folder', 'nowhere'])('moves a link to %s, and never follows it', async (target) => {
    const dataDir = freshDataDir();
    const elsewhere = join(freshDataDir(), 'elsewhere');
    if (target !== 'nowhere') mkdirSync(elsewhere);
    if (target !== 'nowhere') writeFileSync(join(elsewhere, 'notes'), 'kept');
    createWorkspaces(dataDir)('local', 'other');
    symlinkSync(elsewhere, workspacePath(dataDir, 'local', 's1'));
    const removal = createWorkspaceRemoval(dataDir);
    removal.setAside('local', 's1');
    await removal.empty();
    expect(existsSync(createWorkspaces(dataDir)('local', 's1'))).toBe(true);
    if (target !== 'nowhere') expect(readFileSync(join(elsewhere, 'notes'), 'utf8')).toBe('kept');
  });
});
