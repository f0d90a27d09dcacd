import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildApp } from '../../src/app/app.ts';
import { createForgetSessionFiles } from '../../src/app/forget-session-files.ts';
import { createRetention, DAY_MS } from '../../src/app/retention.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import type { PruneOptions } from '../../src/runtime/port.ts';
import { createWorkspaces } from '../../src/workspace/folder.ts';
import { echo } from '../support/engine/model-answers.ts';
import { freshDataDir } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const START = Date.UTC(2026, 0, 1);
const log = pino({ level: 'silent' });

/** The whole service on a data folder, on a day of its own. */
const openService = async (dataDir: string, day: number, days: string) => {
  const config = loadConfig({ TRIPACT_DATA_DIR: dataDir, TRIPACT_RETENTION_DAYS: days });
  const model = createScriptedModel(echo);
  const app = await buildApp({ config, log, version: '0.0.0', model, now: () => START + day * DAY_MS });
  onTestFinished(() => app.close());
  return app;
};

describe('TRIPACT_RETENTION_DAYS', () => {
  it('removes old sessions with their folders when the service starts', async () => {
    const dataDir = freshDataDir();
    const workspaceOf = createWorkspaces(dataDir);
    const [old, young] = [workspaceOf('local', 'old'), workspaceOf('local', 'young')];
    writeFileSync(join(old, 'notes.txt'), 'gone');
    const first = await openService(dataDir, 0, '30');
    await sessionOf(first.engine, 'old').ask('One');
    await first.close();
    const second = await openService(dataDir, 20, '30');
    await sessionOf(second.engine, 'young').ask('Two');
    await second.close();
    const { engine, close } = await openService(dataDir, 40, '30');
    const names = async () => (await engine.sessions('local', { limit: 10 })).items.map(({ session_id }) => session_id);
    await expect.poll(async () => await names()).toEqual(['young']);
    await close();
    expect([old, young].map((folder) => existsSync(folder))).toEqual([false, true]);
    const aside = join(dataDir, 'workspace', '.removed');
    await expect.poll(() => (existsSync(aside) ? readdirSync(aside) : [])).toEqual([]);
    expect(existsSync(workspaceOf('local', 'old'))).toBe(true);
  });

  it('removes nothing at a start at which nothing was used for longer than that, for the clock may be wrong', async () => {
    const dataDir = freshDataDir();
    const first = await openService(dataDir, 0, '30');
    await sessionOf(first.engine).ask('One');
    await first.close();
    await (await openService(dataDir, 366, '30')).close();
    const { engine } = await openService(dataDir, 1, '30');
    expect((await engine.sessions('local', { limit: 10 })).items).toHaveLength(1);
  });
});

/** Retention of 30 days; `asked` has the days up to which it removes, and `pass` sets the clock on and lets a day of its timers go by. The first `failures` fail. */
const startDaily = (to: typeof log, { failures = 0, unusedDays = 0 } = {}) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let now = START;
  const asked: number[] = [];
  async function* prune({ before }: PruneOptions) {
    asked.push((before - START) / DAY_MS);
    if (asked.length <= failures) throw new Error('the disk is full');
    yield [];
  }
  const parts = {
    engine: { prune },
    retentionDays: 30,
    now: () => now,
    log: to,
    lastUsedAt: START - unusedDays * DAY_MS,
  };
  const { start, stop } = createRetention(parts);
  start();
  const pass = (days: number): void => {
    now += days * DAY_MS;
    vi.advanceTimersByTime(DAY_MS);
  };
  return { asked, stop, pass };
};

describe('The retention of a service that runs', () => {
  it('runs once a day by the clock of that day, continues after a failure, and stops when asked to', async () => {
    const { asked, stop, pass } = startDaily(log, { failures: 1 });
    pass(1);
    pass(1);
    await stop();
    vi.advanceTimersByTime(10 * DAY_MS);
    expect(asked).toEqual([-30, -28, -28]);
  });
});

it('files of a removed session that a process left when it died are removed by the next one', async () => {
  const dataDir = freshDataDir();
  const left = join(dataDir, 'workspace', '.removed', '0123456789abcdef');
  mkdirSync(left, { recursive: true });
  writeFileSync(join(left, 'notes.txt'), 'a secret');
  createForgetSessionFiles(dataDir, { forget: () => {} }, log);
  await expect.poll(() => existsSync(left)).toBe(false);
});
