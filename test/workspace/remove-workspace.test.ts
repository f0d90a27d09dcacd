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
    const removed = createWorkspaceRemoval(dataDir).remove({ owner: 'ann', session_id: 's1' });
    expect(existsSync(folder)).toBe(false);
    await removed;
    expect(readdirSync(join(dataDir, 'workspace', '.removed'))).toEqual([]);
  });

  it('deletes what a process that died meanwhile had taken away', async () => {
    const dataDir = freshDataDir();
    mkdirSync(join(dataDir, 'workspace', '.removed', 'left', 'notes'), { recursive: true });
    await createWorkspaceRemoval(dataDir).empty();
    expect(readdirSync(join(dataDir, 'workspace', '.removed'))).toEqual([]);
  });

  it('leaves the folders of other sessions and owners, and is not an error without a folder', async () => {
    const dataDir = freshDataDir();
    const others = [createWorkspaces(dataDir)('local', 's1'), createWorkspaces(dataDir)('bob', 's1')];
    await createWorkspaceRemoval(dataDir).remove({ owner: 'ann', session_id: 's1' });
    expect(others.map((folder) => existsSync(folder))).toEqual([true, true]);
  });

  it.each(['another folder', 'nowhere'])('moves a link to %s, and never follows it', async (target) => {
    const dataDir = freshDataDir();
    const elsewhere = join(freshDataDir(), 'elsewhere');
    if (target !== 'nowhere') mkdirSync(elsewhere);
    if (target !== 'nowhere') writeFileSync(join(elsewhere, 'notes'), 'kept');
    createWorkspaces(dataDir)('local', 'other');
    symlinkSync(elsewhere, workspacePath(dataDir, 'local', 's1'));
    await createWorkspaceRemoval(dataDir).remove({ owner: 'local', session_id: 's1' });
    expect(existsSync(createWorkspaces(dataDir)('local', 's1'))).toBe(true);
    if (target !== 'nowhere') expect(readFileSync(join(elsewhere, 'notes'), 'utf8')).toBe('kept');
  });
});
