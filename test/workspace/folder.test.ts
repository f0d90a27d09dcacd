import { mkdirSync, rmdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkspaces } from '../../src/workspace/folder.ts';
import { freshDataDir } from '../support/engine/open-engine.ts';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe("A session's folder", () => {
  it('is made when first asked for, for its user alone, and bears the session’s name', () => {
    const dataDir = freshDataDir();
    const folder = createWorkspaces(dataDir)('local', 's1');
    expect(folder).toBe(join(dataDir, 'workspace', '.sessions', 's1'));
    expect([modeOf(folder), modeOf(join(dataDir, 'workspace'))]).toEqual(['700', '700']);
  });

  it('is shared with no other session, whatever owners and sessions are called', () => {
    const workspaceOf = createWorkspaces(freshDataDir());
    const sessions = [
      ['local', 's1'],
      ['ann', 's1'],
      ['bob', 's1'],
      ['ann', 'b'],
      ['ann-b', 's1'],
      ['ann', 'b-s1'],
      ['local', 'ann-s1'],
      ['local', 'ann'],
    ] as const;
    expect(new Set(sessions.map(([owner, session]) => workspaceOf(owner, session))).size).toBe(sessions.length);
  });

  it('is made anew when somebody removed it', () => {
    const workspaceOf = createWorkspaces(freshDataDir());
    const folder = workspaceOf('local', 's1');
    rmdirSync(folder);
    expect(statSync(workspaceOf('local', 's1')).isDirectory()).toBe(true);
  });

  it('is refused where it is a link to somewhere else, before and after it was in use', () => {
    const dataDir = freshDataDir();
    const elsewhere = freshDataDir();
    const workspaceOf = createWorkspaces(dataDir);
    const used = workspaceOf('local', 'used');
    rmdirSync(used);
    symlinkSync(elsewhere, used);
    symlinkSync(elsewhere, join(dataDir, 'workspace', '.sessions', 'new'));
    expect(() => workspaceOf('local', 'used')).toThrow(/is a link, or is not a folder/);
    expect(() => workspaceOf('local', 'new')).toThrow(/is a link, or is not a folder/);
    expect(() => createWorkspaces(dataDir)('local', 'used')).toThrow(/is a link, or is not a folder/);
  });

  it('may lie below a link that the operator made', () => {
    const dataDir = freshDataDir();
    const bigDisk = freshDataDir();
    mkdirSync(join(bigDisk, 'workspace'));
    symlinkSync(join(bigDisk, 'workspace'), join(dataDir, 'workspace'));
    expect(statSync(createWorkspaces(dataDir)('local', 's1')).isDirectory()).toBe(true);
  });
});
