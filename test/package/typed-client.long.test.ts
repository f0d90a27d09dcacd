import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemTypes } from '../../contracts/error-code.ts';
import { fencedBlocks } from '../docs/fenced-blocks.ts';
import { runCommand, succeed } from '../support/package/command.ts';
import { startServing } from '../support/package/serve.ts';

const MINUTES = 60_000;

/** Packages that generate a client: the generator reads TypeScript's own API, which its version 7 has not. */
const PACKAGES = ['openapi-fetch@0.17.0', 'openapi-typescript@7.13.0', 'typescript@5.9.3'];

const ROOT = process.cwd();
const path = dirname(process.execPath);
const [program = ''] = fencedBlocks('docs/api-client.md', 'ts');

let folder: string;
let service: { base: string; stop(): Promise<void> };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tripact-client-'));
  writeFileSync(join(folder, 'package.json'), '{"name":"client","private":true,"type":"module"}');
  await succeed(['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...PACKAGES], { cwd: folder, path });
  const env = { TRIPACT_DATA_DIR: join(folder, 'data'), TRIPACT_APPROVE: 'todo' };
  service = await startServing(`node ${join(ROOT, 'src/main.mjs')} serve --port 0`, { cwd: folder, path, env });
  const generate = ['npx', 'openapi-typescript', `${service.base}/openapi.json`, '-o', 'tripact.d.ts'];
  await succeed(generate, { cwd: folder, path });
}, 5 * MINUTES);

afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Complaints of a strict compiler about a program beside the generated client. */
const complaints = async (tsc: string, text: string): Promise<string> => {
  writeFileSync(join(folder, 'program.mts'), text);
  const options = [
    ...['--strict', '--noEmit', '--noUncheckedIndexedAccess', '--module', 'nodenext', '--target', 'es2024'],
    ...['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')],
  ];
  const { stdout } = await runCommand(['node', tsc, ...options, 'program.mts'], { cwd: folder, path });
  return stdout;
};

const switchOver = (types: readonly string[]): string => `
import type { components } from './tripact.js';
export const kindOf = (type: components['schemas']['ProblemType']): string => {
  switch (type) {
${types.map((type) => `    case '${type}':`).join('\n')}
      return type;
    default:
      return type satisfies never;
  }
};`;

describe('a client that is generated from the description', () => {
  it.each([
    ['its own TypeScript', () => join(folder, 'node_modules/typescript/bin/tsc')],
    ["this service's TypeScript", () => join(ROOT, 'node_modules/typescript/bin/tsc')],
  ])('reads turns, sessions, traces and errors without a cast, with %s', { timeout: 6 * MINUTES }, async (_, tsc) => {
    expect(program).toContain("data?.status === 'asking'");
    expect(program).not.toMatch(/\bas (any|unknown|never|[A-Z])/);
    expect(await complaints(tsc(), program)).toBe('');
  });

  it('is refused an unknown status, field or event', { timeout: 6 * MINUTES }, async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    expect(await complaints(tsc, program.replace("=== 'asking'", "=== 'waiting'"))).toContain('no overlap');
    expect(await complaints(tsc, program.replace('session_id, active_task', 'session, active_task'))).toContain(
      "'session' does not exist",
    );
    expect(await complaints(tsc, program.replace("'observation.recorded'", "'observation.made'"))).toContain(
      'no overlap',
    );
  });

  it('tells every type of problem apart', { timeout: 6 * MINUTES }, async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    expect(await complaints(tsc, switchOver(problemTypes))).toBe('');
    expect(await complaints(tsc, switchOver(problemTypes.slice(1)))).toContain('never');
  });
});

it('the client has types for all that streams, too', () => {
  const types = readFileSync(join(folder, 'tripact.d.ts'), 'utf8');
  expect(types).toContain('"text/event-stream": components["schemas"]["TurnMessage"][]');
  expect(types).toContain('"text/event-stream": components["schemas"]["SessionMessage"][]');
  expect(types).toContain('"application/x-ndjson": components["schemas"]["TraceEntry"][]');
});
