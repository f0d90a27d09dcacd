import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { serviceLimitsWith } from '../../contracts/service-limits.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { createBuiltInTools } from '../../src/app/create-built-in-tools.ts';
import { freshDataDir } from '../support/engine/sqlite-engine.ts';

/** Whether there is a coding agent on this folder. */
const isMade = (folder: string, tools = ''): boolean => {
  const config = loadConfig({ TRIPACT_BRIDGE_DIR: folder, TRIPACT_TOOLS: tools });
  const parts = { limits: serviceLimitsWith(), log: pino({ level: 'silent' }), now: Date.now };
  return createBuiltInTools({ ...parts, config, ownerDataChanged: () => {} }).codingAgent !== null;
};

it("the coding agent's folder may be missing, and refuses the start in one line where it is none", () => {
  const root = freshDataDir();
  mkdirSync(join(root, 'there'));
  writeFileSync(join(root, 'file'), '');
  symlinkSync('loop', join(root, 'loop'));
  for (const name of ['there', 'missing']) expect(isMade(join(root, name)), name).toBe(true);
  for (const [name, why] of [
    ['file', 'it is no folder'],
    ['file/below', 'ENOTDIR'],
    ['loop', 'ELOOP'],
  ] as const) {
    const path = join(root, name);
    const message = `The configuration is not valid:\n  TRIPACT_BRIDGE_DIR="${path}" can not be used: ${why}.`;
    expect(() => isMade(path)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message }));
  }
  expect(isMade(join(root, 'file'), 'todo')).toBe(false);
});
