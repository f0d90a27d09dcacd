import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { plainEnv, runCommand, succeed } from '../support/package/command.ts';
import { type Packed, pack } from '../support/package/packed.ts';

/** Largest published package, unpacked and without the console, in bytes. */
const PACKAGE_BYTES_MAX = 3_000_000;

/** Largest console in it, in bytes: pages, styles and scripts of all screens, each compressed twice, and two fonts. */
const CONSOLE_BYTES_MAX = 750_000;

/** Largest folder of packages that an installation leaves, in KiB as `du` counts them. */
const INSTALLED_KIB_MAX = 127 * 1024;

const MINUTES = 60_000;

/** The size of all files in a folder, as npm reports a package's unpacked size: folders weigh nothing. */
const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

/** A stranger's project: it uses every public entry, and its compiler is strict. */
const PROGRAM = `
import { createTripact, defineConfig, defineTool, type Tripact, type TripactConfig } from 'tripact';
import { expectTrace, recordTrace, scriptedModel, type TraceEntry, type TurnView } from 'tripact/testing';
import { z } from 'zod';

const tool = defineTool({
  name: 'echo',
  description: 'Repeats a text.',
  input: z.object({ text: z.string() }),
  effect: 'idempotent',
  writes: false,
  run: ({ text }) => text.toUpperCase(),
});
const config: TripactConfig = defineConfig({ tools: [tool], builtinTools: ['todo'], instructions: 'Be brief.' });
const model = scriptedModel([
  { status: 'planned', plan: ['Echo'] },
  { status: 'continue', current_step: 'Echo', next_action: { tool: 'echo', input: '{"text":"hi"}' } },
  { status: 'done' },
  { status: 'done', response: 'It said HI' },
]);
const { turns, replies, trace } = await recordTrace({ config, model, inputs: ['Say hi'] });
const [first]: TurnView[] = turns;
const status: 'answered' | 'failed' | string | undefined = first?.status;
const entries: readonly TraceEntry[] = trace;
await expectTrace(entries).toReplay();
const settings = { TRIPACT_MODEL: 'offline', TRIPACT_LOG_LEVEL: 'fatal', TRIPACT_DATA_DIR: './embedded' };
const tripact: Tripact = await createTripact({ config: { ...config, settings }, env: {} });
const { status: embedded } = await tripact.turn({ session: 'me', input: 'Add milk to my todos' });
await tripact.close();
console.log(JSON.stringify({ status, replies, embedded }));
`;

let packed: Packed;
let consumer: string;

beforeAll(async () => {
  packed = await pack();
  consumer = packed.folder('consumer');
  writeFileSync(join(consumer, 'package.json'), '{"name":"consumer","private":true,"type":"module"}');
  const { typescript, vitest, '@types/node': nodeTypes } = manifest.devDependencies;
  const install = ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund'];
  const path = dirname(process.execPath);
  await succeed([...install, packed.tarball], { cwd: consumer, path });
  packedKiB = Number((await succeed(['du', '-sk', 'node_modules'], { cwd: consumer })).split('\t')[0]);
  const tools = [
    `typescript@${typescript}`,
    `vitest@${vitest}`,
    `@types/node@${nodeTypes}`,
    `zod@${manifest.dependencies.zod}`,
  ];
  await succeed([...install, '--save-dev', ...tools], { cwd: consumer, path });
}, 10 * MINUTES);

let packedKiB = 0;

const installedManifest = () => JSON.parse(readFileSync(join(consumer, 'node_modules/tripact/package.json'), 'utf8'));

/**
 * Runs shell commands one after the other, as a user types them, until they print what matches, and ends what still
 * runs then. Gives all that they printed.
 */
const typeUntil = async (commands: readonly string[], shown: RegExp, path: string): Promise<string> => {
  const env = { ...plainEnv, PATH: `${path}:${plainEnv.PATH}` };
  const shell = spawn('sh', ['-c', commands.join(' && ')], { cwd: consumer, env, detached: true });
  let printed = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (part: Buffer) => {
      printed += part.toString();
      if (shown.test(printed) && shell.pid !== undefined && shell.exitCode === null)
        process.kill(-shell.pid, 'SIGTERM');
    });
  await once(shell, 'close');
  return printed;
};

afterAll(() => packed?.remove(), 2 * MINUTES);

describe('the published package', () => {
  it('is what publint takes without a word', async () => {
    const { messages, pkg } = await publint({
      pkgDir: join(consumer, 'node_modules/tripact'),
      pack: false,
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it('has every file that its pages link to', () => {
    const installed = join(consumer, 'node_modules/tripact');
    const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: installed });
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/tools.md']));
    const dead = pages.flatMap((page) =>
      [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !existsSync(join(installed, dirname(page), link)))
        .map((link) => `${page}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  it('has types that resolve for every importer', { timeout: 6 * MINUTES }, async () => {
    const attw = join(process.cwd(), 'node_modules/.bin/attw');
    const { code, stdout, stderr } = await runCommand([attw, packed.tarball, '--profile', 'esm-only'], {
      cwd: consumer,
      path: dirname(process.execPath),
    });
    expect({ code, said: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, said: '' });
  });

  it('is small, and so is what it brings along', async () => {
    const installed = join(consumer, 'node_modules/tripact');
    const consoleBytes = bytesIn(join(installed, 'dist/console'));
    expect(consoleBytes).toBeLessThan(CONSOLE_BYTES_MAX);
    expect(bytesIn(installed) - consoleBytes).toBeLessThan(PACKAGE_BYTES_MAX);
    expect(packedKiB).toBeLessThan(INSTALLED_KIB_MAX);
  });

  it('names nothing that only the checkout needs', () => {
    const published = installedManifest();
    for (const field of ['private', 'allowScripts', 'scripts', 'devDependencies', 'optionalDependencies'])
      expect(published).not.toHaveProperty(field);
    expect(JSON.stringify(published)).not.toMatch(/\.\/src\/|node-linux/);
  });

  it('has no dependency that needs a newer Node than it names', { timeout: 6 * MINUTES }, async () => {
    const oldest = /[\d.]+/.exec(installedManifest().engines.node)?.[0];
    const env = {
      NODE_OPTIONS: `--import=data:text/javascript,Object.defineProperty(process,'version',{value:'v${oldest}.0'})`,
    };
    const install = ['npm', 'install', '--engine-strict', '--dry-run', '--prefer-offline', packed.tarball];
    await succeed(install, { cwd: packed.folder('engines'), path: dirname(process.execPath), env });
  });

  it('type-checks in a strict project that skips no library', { timeout: 6 * MINUTES }, async () => {
    writeFileSync(join(consumer, 'program.ts'), PROGRAM);
    const options = [
      '--strict',
      '--noEmit',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      'node',
      '--noUncheckedIndexedAccess',
    ];
    await succeed(['npx', 'tsc', ...options, 'program.ts'], { cwd: consumer, path: dirname(process.execPath) });
  });
});

describe.each([22, 24])('installed, on Node %i', (major) => {
  let path: string;
  const inConsumer = (...words: string[]): Promise<string> => succeed(words, { cwd: consumer, path });

  beforeAll(async () => {
    path = await packed.nodeOf(major);
  }, 5 * MINUTES);

  it('runs from the command line', { timeout: 6 * MINUTES }, async () => {
    expect(await inConsumer('node', '--version')).toMatch(new RegExp(`^v${major}\\.`));
    expect(await inConsumer('npx', 'tripact', '--version')).toBe(`${manifest.version}\n`);
    expect(await inConsumer('npx', 'tripact', 'run', '--data-dir', `data-${major}`, 'Add a todo: buy milk')).toContain(
      'buy milk',
    );
    expect(await inConsumer('npx', 'tripact', 'sessions', '--data-dir', `data-${major}`)).toMatch(/^run-\w+ +idle /m);
    expect(await inConsumer('npx', 'tripact', 'tools')).toMatch(/^todo /m);
    const call = ['npx', 'tripact', 'tool', '--data-dir', `data-${major}`, 'todo', 'list'];
    expect(await inConsumer(...call)).toContain('buy milk');
  });

  it('serves a turn over HTTP, the console, the description of its API and a list of its operations', {
    timeout: 6 * MINUTES,
  }, async () => {
    const args = ['tripact', 'serve', '--port', '0', '--data-dir', `served-${major}`];
    const service = spawn('npx', args, { cwd: consumer, env: { ...process.env, PATH: `${path}:${process.env.PATH}` } });
    onTestFinished(async () => {
      service.kill('SIGTERM');
      await once(service, 'exit');
    });
    let base: string | undefined;
    for await (const line of createInterface({ input: service.stdout })) {
      base = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (base !== undefined) break;
    }
    const turn = await fetch(`${base}/v1/sessions/s1/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"input":"Add a todo: water the plants"}',
    });
    expect(await turn.json()).toMatchObject({
      status: 'answered',
      output: expect.stringContaining('water the plants'),
    });
    const { paths } = (await (await fetch(`${base}/openapi.json`)).json()) as { paths: object };
    const page = await (await fetch(`${base}/docs`)).text();
    expect(Object.keys(paths)).toContain('/v1/turns/{turn_id}');
    expect(page).toContain('/v1/turns/{turn_id}');
    const shown = await fetch(`${base}/console/sessions/s1`);
    const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(await shown.text()) ?? [];
    expect({ page: shown.status, script: (await fetch(base + script)).status }).toEqual({ page: 200, script: 200 });
  });

  it('is imported by a program, which Node runs as it is', { timeout: 6 * MINUTES }, async () => {
    writeFileSync(join(consumer, 'program.ts'), PROGRAM);
    expect(JSON.parse(await inConsumer('node', 'program.ts'))).toEqual({
      status: 'answered',
      replies: ['It said HI'],
      embedded: 'answered',
    });
  });

  it('makes a project whose agent and test work at once', { timeout: 6 * MINUTES }, async () => {
    const project = `agent-${major}`;
    await inConsumer('npx', 'tripact', 'init', project);
    // The project lies in the consumer's folder, and so finds what is installed there.
    const cwd = join(consumer, project);
    // A busy machine may need longer than the time that a user's test has.
    const tested = await succeed(['npx', 'vitest', 'run', `--testTimeout=${MINUTES}`], { cwd, path });
    expect(tested).toMatch(/Tests .*1 passed/);
    expect(await succeed(['npx', 'tsc'], { cwd, path })).toBe('');
    expect(await succeed(['npx', 'tripact', 'run', 'Add a todo: buy tea'], { cwd, path })).toContain('buy tea');
    const again = await runCommand(['npx', 'tripact', 'init', project], { cwd: consumer, path });
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('tripact.config.ts') });
  });

  it('says what to install where a feature needs more', { timeout: 6 * MINUTES }, async () => {
    const cwd = packed.folder(`consumer/with-mcp-${major}`);
    writeFileSync(join(cwd, 'tripact.config.ts'), "export default { mcpServers: { files: { command: 'true' } } };\n");
    const { code, stderr } = await runCommand(['npx', 'tripact', 'run', 'hello'], { cwd, path });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('npm install @modelcontextprotocol/client'),
    });
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', TRIPACT_LOG_LEVEL: 'warn' };
    const call = ['npx', 'tripact', 'run', '--data-dir', `traced-${major}`, 'Add a todo: buy milk'];
    const traced = await runCommand(call, { cwd: consumer, path, env });
    expect(traced).toMatchObject({ code: 0, stdout: expect.stringContaining('buy milk') });
    expect(traced.stderr).toMatch(/nothing is traced: .* must be installed: npm install @opentelemetry\/api /);
  });
});

describe('a project of init', () => {
  it.each<[string, string[], RegExp]>([
    ['small', [], /^Tea costs 4\.5 euros\.$/m],
    ['support-desk', ['--template', 'support-desk'], /^Please confirm: Refund 50 euros for order 17: arrived broken$/m],
    ['chat-bot', ['--template', 'chat-bot'], /^http:\/\/127\.0\.0\.1:\d+$/m],
    ['research', ['--template', 'research'], /^Kenya\. The report is in report\.md\.$/m],
  ])('%s shows its agent by the commands that init prints', { timeout: 6 * MINUTES }, async (name, options, shown) => {
    const path = await packed.nodeOf(22);
    const { stderr } = await runCommand(['npx', 'tripact', 'init', ...options, name], { cwd: consumer, path });
    const [, next = ''] = stderr.split('\nNext:\n');
    const commands = next
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    expect(commands.slice(0, 3)).toEqual([`cd ${name}`, 'npm install', 'npm test']);
    const printed = await typeUntil([...commands.slice(0, 3), `PORT=0 ${commands[3]}`], shown, path);
    expect(printed).toMatch(/Tests .*\d+ passed/);
    expect(printed).toMatch(shown);
  });
});

describe('installed, on an older Node', () => {
  it('says in one line which Node it needs', { timeout: 15 * MINUTES }, async () => {
    const path = await packed.nodeOf(20);
    const bin = join(consumer, 'node_modules/tripact/dist/src/cli/tripact.mjs');
    const { code, stdout, stderr } = await runCommand(['node', bin, '--version'], {
      cwd: packed.folder('elsewhere'),
      path,
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^tripact needs Node 22\.19 or newer, and this is v20\.[^\n]*\n$/);
  });
});
