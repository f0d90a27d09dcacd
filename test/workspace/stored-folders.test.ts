import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/lib/errors.ts';
import type { FileStore } from '../../src/workspace/port.ts';
import { StoredFolders } from '../../src/workspace/stored-folders.ts';
import { freshDataDir } from '../support/engine/open-engine.ts';

type Stored = Parameters<FileStore['change']>[1][number];

const session = { owner: 'ada', session_id: 's1' };
const away = () => new ServiceError('STORAGE_UNAVAILABLE', 'away');

/** A keeper on a data folder of its own, with what it stores and logs. */
const openFolders = ({ isShared = false, quota = { files: 10, bytes: 1_000 } } = {}) => {
  const dataDir = freshDataDir();
  const rows = new Map<string, Stored>();
  const lines: string[] = [];
  const state = { isAway: false, changes: 0 };
  const store: FileStore = {
    list: async () => [...rows.values()].map(({ bytes, ...row }) => ({ ...row, size: bytes.length })),
    read: async (_, path) => rows.get(path)?.bytes ?? null,
    change: async (_, changed, removed) => {
      state.changes += 1;
      if (state.isAway) throw away();
      for (const file of changed) rows.set(file.path, file);
      for (const path of removed) rows.delete(path);
    },
  };
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const folders = new StoredFolders({ dataDir, store, quota, isShared, log });
  /** Stores a file as another node did. */
  const put = (path: string, text: string): void =>
    void rows.set(path, { path, bytes: Buffer.from(text), modified_at: 1_000, stored_at: 9_000 });
  const change = (work: (root: string) => void, signal: AbortSignal | null = null): Promise<void> =>
    folders.within(session, signal, async (workspaceOf) => work(workspaceOf('ada', 's1')));
  const texts = () => Object.fromEntries([...rows.values()].map(({ path, bytes }) => [path, String(bytes)]));
  return { folders, change, put, texts, lines, state, root: join(dataDir, 'workspace/.sessions/ada~s1') };
};

describe('the files of a session that are stored elsewhere', () => {
  it('are laid out before a work, and stored as it left them where it asked for the folder', async () => {
    const { folders, change, put, texts, state, root } = openFolders();
    put('notes/a.txt', 'a');
    put('b.txt', 'b');
    expect(await folders.within(session, null, async () => readFileSync(join(root, 'notes/a.txt'), 'utf8'))).toBe('a');
    expect(state.changes).toBe(0);
    await change(() => writeFileSync(join(root, 'b.txt'), 'new'));
    expect(texts()).toEqual({ 'notes/a.txt': 'a', 'b.txt': 'new' });
    await change(() => {});
    expect(texts()).toEqual({ 'notes/a.txt': 'a', 'b.txt': 'new' });
  });

  it('are stored again where they changed within one tick of the disk’s clock', async () => {
    const { change, texts, root } = openFolders();
    const at = new Date();
    const write = (text: string) => (): void => {
      writeFileSync(join(root, 'a.txt'), text);
      utimesSync(join(root, 'a.txt'), at, at);
    };
    await change(write('one'));
    await change(write('two'));
    expect(texts()).toEqual({ 'a.txt': 'two' });
  });

  it('are stored up to the limits of a session, the smallest first, and the log says so', async () => {
    const { change, texts, lines } = openFolders({ quota: { files: 3, bytes: 10 } });
    const write = (root: string): void => {
      for (const [name, size] of Object.entries({ big: 9, a: 1, b: 2 }))
        writeFileSync(join(root, name), 'x'.repeat(size));
    };
    await change(write);
    expect(Object.keys(texts())).toEqual(['a', 'b']);
    expect(lines.join()).toContain('session_file_bytes');
  });

  it('are waited for by an effect while they can’t be stored, and refused to a request', async () => {
    const { change, texts, state } = openFolders();
    state.isAway = true;
    const write = (root: string): void => writeFileSync(join(root, 'a.txt'), 'a');
    await expect(change(write)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    const effect = change(write, new AbortController().signal);
    await expect.poll(() => state.changes).toBe(3);
    state.isAway = false;
    await effect;
    expect(texts()).toEqual({ 'a.txt': 'a' });
  });

  it('are not stored by a node that is not the home any more', async () => {
    const { folders, change, texts } = openFolders({ isShared: true });
    const late = change((root) => {
      writeFileSync(join(root, 'a.txt'), 'a');
      folders.drop('ada');
      mkdirSync(root, { recursive: true });
    });
    await expect(late).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    expect(texts()).toEqual({});
  });

  it.each([true, false])('take the place of what is in the folder (other nodes: %s)', async (isShared) => {
    const { folders, put, root } = openFolders({ isShared });
    mkdirSync(root, { recursive: true });
    const plan = '{"id": "p-7"}';
    for (const [name, text] of Object.entries({ old: 'older', mine: 'mine', 'plan.json': plan }))
      writeFileSync(join(root, name), text);
    put('old', 'newer');
    await folders.within(session, null, async () => {});
    expect(readFileSync(join(root, 'old'), 'utf8')).toBe('newer');
    // Where there are no other nodes it is nobody's copy.
    expect(existsSync(join(root, 'mine'))).toBe(!isShared);
    expect(readFileSync(join(root, 'plan.json'), 'utf8')).toBe(plan);
  });

  it('are never written through a link', async () => {
    const { folders, put, root } = openFolders();
    const outside = freshDataDir();
    mkdirSync(outside, { recursive: true });
    mkdirSync(root, { recursive: true });
    symlinkSync(outside, join(root, 'out'));
    put('out/a.txt', 'a');
    await folders.within(session, null, async () => {});
    expect(existsSync(join(outside, 'a.txt'))).toBe(false);
  });
});
