import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/cli/cli-process.ts';

/** Builds the service in a process of its own and prints which modules of protocols it loaded. */
const PROGRAM = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
const { buildApp } = await import('./src/app.ts');
const { loadConfig } = await import('./src/config.ts');
const { createLog } = await import('./src/log.ts');
const app = await buildApp({
  config: loadConfig({ TRIPACT_DATA_DIR: process.argv[1], TRIPACT_MODEL: 'offline' }),
  log: createLog({ level: 'silent' }),
  version: '0.0.0',
});
const { statusCode } = await app.http.inject('/v1/models');
await app.close();
const found = loaded.filter((url) => url.includes('/src/http/protocols/')).map((url) => url.split('/protocols/')[1]);
console.log(JSON.stringify({ statusCode, found }));
`;

it('loads nothing of a protocol before one of its addresses is used', () => {
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM, temporaryFolder()], {
    encoding: 'utf8',
  });
  const { statusCode, found } = JSON.parse(out) as { statusCode: number; found: string[] };
  expect(statusCode).toBe(200);
  const loadedProtocols = new Set(
    found.filter((file) => file.includes('/') && !file.endsWith('/routes.ts')).map((file) => file.split('/')[0]),
  );
  expect([...loadedProtocols]).toEqual(['openai']);
});
