import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openTools } from '../../src/app/tools.ts';
import { loadConfig } from '../../src/config/config.ts';
import { freshDataDir } from '../support/engine/open-engine.ts';

/** Whether there is a coding agent on this folder. */
const isMade = async (folder: string, tools = ''): Promise<boolean> => {
  const config = loadConfig({ TRIPACT_BRIDGE_DIR: folder, TRIPACT_TOOLS: tools });
  const { registry } = await openTools({
    config,
    file: {},
    log: pino({ level: 'silent' }),
    version: '0',
    signIns: null,
    now: Date.now,
    ownerDataChanged: () => {},
    wrap: (tool) => tool,
    textOf: async () => null,
    changeFile: async () => null,
  });
  return registry.get('coding_agent') !== undefined;
};

it("the coding agent's folder is created if it is missing, and the start is refused in one line if it is no folder", async () => {
  const root = freshDataDir();
  const file = join(root, 'file');
  writeFileSync(file, '');
  expect(await isMade(join(root, 'missing'))).toBe(true);
  const message = `The configuration is not valid:\n  TRIPACT_BRIDGE_DIR="${file}" cannot be used (EEXIST).`;
  await expect(isMade(file)).rejects.toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message }));
  expect(await isMade(file, 'todo')).toBe(false);
});
