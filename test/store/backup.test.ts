import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/history/replay.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { backUp, restore } from '../../src/store/sqlite/copies.ts';
import { asking, concludes, echo } from '../support/engine/model-answers.ts';
import { freshDataDir, openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const NOW = Date.UTC(2026, 0, 1);

/** SQLite's own default. */
const PAGE_BYTES = 4_096;

/** A folder with a backup of an engine in which `s1` waits for an answer. */
const backedUp = async () => {
  const { engine, dataDir } = await openEngine({ model: createScriptedModel(asking('Where to?')) });
  await sessionOf(engine).ask('Plan a trip');
  const folder = freshDataDir();
  const file = join(folder, 'backup.db');
  return { engine, dataDir, folder, file, facts: await backUp(dataDir, file) };
};

const put = (file: string, into: string, force = false) => restore(into, file, { force, now: NOW });

/** Writes nonsense over the head of a database's second page. */
const damage = (file: string): void => {
  const bytes = readFileSync(file);
  bytes.fill(0x5a, PAGE_BYTES, PAGE_BYTES + 100);
  writeFileSync(file, bytes);
};

describe('A backup', () => {
  it('is one file, for this user alone, and its contents are reported', async () => {
    const { folder, file, facts } = await backedUp();
    expect(facts).toMatchObject({ sessions: 1, tasks: 1 });
    expect(readdirSync(folder)).toEqual(['backup.db']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const db = new Database(file, { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
    db.close();
    expect(readdirSync(folder)).toEqual(['backup.db']);
  });

  it('is whole at one moment while many sessions write', async () => {
    const { engine, dataDir } = await openEngine({ model: createScriptedModel(echo) });
    const writing = Array.from({ length: 40 }, (_, i) => sessionOf(engine, `s${i}`).ask(`Goal ${i}`));
    const files = ['one', 'two', 'three'].map((name) => join(freshDataDir(), name));
    for (const file of files) await backUp(dataDir, file);
    await Promise.all(writing);
    const last = join(freshDataDir(), 'last');
    expect(await backUp(dataDir, last)).toMatchObject({ sessions: 40, tasks: 40 });
    for (const file of files) {
      const { engine: restored } = await openRestored(file);
      const { items } = await restored.sessions('local', { limit: 100 });
      const traces = await Promise.all(items.map(({ session_id }) => sessionOf(restored, session_id).trace()));
      for (const trace of traces.filter(({ length }) => length > 0))
        expect(await replay(trace, { gapless: true })).toMatchObject({ ok: true });
    }
  });

  it('never overwrites a file, and leaves none when there is nothing to back up', async () => {
    const { dataDir, folder } = await backedUp();
    const mine = join(folder, 'mine.txt');
    writeFileSync(mine, 'precious');
    await expect(backUp(dataDir, mine)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(readFileSync(mine, 'utf8')).toBe('precious');
    await expect(backUp(freshDataDir(), join(folder, 'none'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(backUp(dataDir, join(folder, 'no', 'folder'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(readdirSync(folder).sort()).toEqual(['backup.db', 'mine.txt']);
  });

  it('of a broken database is refused, and leaves no file', async () => {
    const { engine, dataDir, folder } = await backedUp();
    await engine.close();
    damage(join(dataDir, 'tripact.db'));
    await expect(backUp(dataDir, join(folder, 'broken.db'))).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(readdirSync(folder)).toEqual(['backup.db']);
  });
});

const openRestored = async (file: string, ...script: object[]) => {
  const dataDir = freshDataDir();
  await put(file, dataDir);
  return await openEngine({ dataDir, model: createScriptedModel(script.map((one) => ({ ...one }))) });
};

describe('A restored backup', () => {
  it('continues with a task that waited for an answer', async () => {
    const { file, engine: original } = await backedUp();
    const before = await sessionOf(original).trace();
    const { engine } = await openRestored(file, concludes('To Rome'));
    const session = sessionOf(engine);
    expect(await session.trace()).toEqual(before);
    expect(await session.ask('Rome')).toMatchObject({ status: 'answered', output: 'To Rome' });
  });
});

describe('Restoring', () => {
  it('refuses a database that is there; forced, it keeps that one beside', async () => {
    const { file } = await backedUp();
    const { engine, dataDir } = await openEngine({ model: createScriptedModel(echo) });
    await sessionOf(engine, 'mine').ask('Keep me');
    await engine.close();
    const before = readFileSync(join(dataDir, 'tripact.db'));
    await expect(put(file, dataDir)).rejects.toMatchObject({ message: expect.stringContaining('--force') });
    expect(readFileSync(join(dataDir, 'tripact.db'))).toEqual(before);
    const { kept } = await put(file, dataDir, true);
    expect(kept).toBe(join(dataDir, 'tripact.db.replaced-20260101T000000000Z'));
    expect(readFileSync(kept ?? '')).toEqual(before);
    const { engine: restored } = await openEngine({ dataDir, model: createScriptedModel(echo) });
    expect((await restored.sessions('local', { limit: 10 })).items.map(({ session_id }) => session_id)).toEqual(['s1']);
  });

  it('is refused while a service uses the folder', async () => {
    const { file } = await backedUp();
    const { dataDir } = await openEngine({ model: createScriptedModel(echo) });
    await expect(put(file, dataDir, true)).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED' });
  });

  const spoilt: [string, (file: string) => void, string][] = [
    ['cut off', (file) => truncateSync(file, 20_000), 'INVALID_REQUEST'],
    ['damaged', damage, 'INVALID_REQUEST'],
    ['no database', (file) => writeFileSync(file, 'Dear diary, '.repeat(1_000)), 'INVALID_REQUEST'],
    ['of a newer version', (file) => new Database(file).pragma('user_version = 999'), 'STORE_TOO_NEW'],
  ];

  it.each(spoilt)('refuses a backup that is %s, and changes nothing', async (_, spoil, code) => {
    const { file } = await backedUp();
    spoil(file);
    const dataDir = freshDataDir();
    await expect(put(file, dataDir, true)).rejects.toMatchObject({ code });
    expect(readdirSync(dataDir).filter((name) => name !== 'tripact.lock')).toEqual([]);
  });

  it('says in one sentence when the data folder cannot be written', async () => {
    const { file } = await backedUp();
    const dataDir = freshDataDir();
    mkdirSync(join(dataDir, 'tripact.lock'));
    const refused = put(file, dataDir);
    await expect(refused).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: expect.stringContaining(dataDir),
    });
  });

  it('says so if there is no such file', async () => {
    await expect(put('/nowhere/backup.db', freshDataDir())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
