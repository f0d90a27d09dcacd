import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createForgetSessionFiles } from '../../src/app/retention.ts';
import { freshDataDir } from '../support/engine/sqlite-engine.ts';

it('files of a removed session that a process left when it died are removed by the next one', async () => {
  const dataDir = freshDataDir();
  const left = join(dataDir, 'workspace', '.removed', '0123456789abcdef');
  mkdirSync(left, { recursive: true });
  writeFileSync(join(left, 'notes.txt'), 'a secret');
  createForgetSessionFiles(dataDir, { forget: () => {} }, pino({ level: 'silent' }));
  await expect.poll(() => existsSync(left)).toBe(false);
});
