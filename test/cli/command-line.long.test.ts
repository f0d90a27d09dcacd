import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { cli, temporaryFolder } from '../support/cli/cli-process.ts';

const LAUNCHER = fileURLToPath(new URL('../../src/cli/tripact.mjs', import.meta.url));

/** Makes a process report an old Node version, which is all that the launcher checks. */
const OLD_NODE =
  "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.1.0'});Object.defineProperty(process,'version',{value:'v20.1.0'})";

const COMMANDS = [
  ...[
    'serve',
    'run',
    'chat',
    'init',
    'replay',
    'trace',
    'fork',
    'sessions',
    'tasks',
    'approvals',
    'approve',
    'refuse',
    'cancel',
  ],
  ...['prune', 'backup', 'restore', 'tools', 'tool', 'sign-ins', 'sign-in', 'sign-out', 'docs', 'config'],
];

describe('the command line', () => {
  it('lists its commands and exit codes', async () => {
    const { code, stdout } = await cli(['--help']);
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(stdout).toMatch(`  ${command} `);
    expect(stdout).toContain('3 asking');
  });

  it('says what each does, with an example', async () => {
    const helps = await Promise.all(COMMANDS.map((command) => cli([command, '--help'])));
    expect(helps.map(({ code, stdout }) => ({ code, stdout }))).toEqual(
      COMMANDS.map((command) => ({
        code: 0,
        stdout: expect.stringMatching(new RegExp(`^Usage: tripact ${command}[\\s\\S]*\n  \\$ tripact .*${command}`)),
      })),
    );
  });

  it.each<[string, string, string]>([
    ['sevre', "error: unknown command 'sevre' (Did you mean serve?)", 'tripact [options] [command]; tripact'],
    ['status', "error: unknown command 'status' (Did you mean tasks?)", 'tripact [options] [command]; tripact'],
    ['keys foo', "error: unknown command 'foo'", 'tripact keys [options] [command]; tripact keys'],
    ['keys add', "error: missing required argument 'owner'", 'tripact keys add [options] <owner>; tripact keys add'],
    [
      'serve --prot 1',
      "error: unknown option '--prot' (Did you mean --port?)",
      'tripact serve [options]; tripact serve',
    ],
    ['run', "error: missing required argument 'goal'", 'tripact run [options] <goal>; tripact run'],
  ])('answers "%s" in two lines, of which one is the usage', async (words, says, usage) => {
    expect(await cli(words.split(' '))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `${says}\nUsage: ${usage} --help says more\n`,
    });
  });

  it('warns of an unknown TRIPACT variable for every command, and continues', async () => {
    const env = { TRIPACT_MAX_STEP: '5', TRIPACT_DATA_DIR: temporaryFolder() };
    for (const words of [
      ['keys', 'list'],
      ['tool', 'todo', 'list'],
      ['run', 'Add milk to my todos'],
    ]) {
      const { code, stderr } = await cli(words, { env });
      expect(code).toBe(0);
      expect(stderr).toContain(
        'Warning: TRIPACT_MAX_STEP is not a setting of Tripact; did you mean TRIPACT_MAX_STEPS?\n',
      );
    }
  });

  it('has no colours where no terminal is', async () => {
    for (const words of [['config'], ['--help']]) {
      const { code, stdout } = await cli(words);
      expect(code).toBe(0);
      expect(stdout).not.toContain('\u001b');
    }
  });
});

describe('config', () => {
  it('shows values and where they come from, and no secret', async () => {
    const key = 'sk-not-to-be-seen-0001';
    const env = { TRIPACT_PORT: '9001', ANTHROPIC_API_KEY: key, TRIPACT_API_KEYS: `me:${key}`, TRIPACT_MAX_STEP: '3' };
    const { code, stdout, stderr } = await cli(['config'], { env });
    expect(code).toBe(0);
    expect(stdout).toContain('TRIPACT_PORT = 9001 (environment)');
    expect(stdout).toContain('TRIPACT_MAX_STEPS = 60 (default)');
    expect(stdout).toContain('ANTHROPIC_API_KEY = (set, not shown) (environment)');
    expect(stdout + stderr).not.toContain(key);
    expect(stderr).toContain('TRIPACT_MAX_STEP is not a setting of Tripact; did you mean TRIPACT_MAX_STEPS?');
    expect(stdout).toMatch(/ an owner \(then /);
  });

  it('shows what is right where one value is bad, and ends with what is wrong', async () => {
    const { code, stdout, stderr } = await cli(['config'], { env: { TRIPACT_PORT: 'x', TRIPACT_MAX_STEPS: '7' } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('TRIPACT_PORT="x" must be') });
    expect(stdout).toContain('TRIPACT_MAX_STEPS = 7 (environment)');
  });
});

describe('init', () => {
  it('adds to a package of npm init what it lacks, and makes it one of ES modules', async () => {
    const cwd = temporaryFolder();
    const scripts = { test: 'echo "Error: no test specified" && exit 1', lint: 'biome check' };
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'mine', type: 'commonjs', scripts }));
    const { code, stderr } = await cli(['init'], { cwd });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /added scripts, packages, "type": "module" to package\.json[\s\S]*npm install\n +npm test/,
      ),
    });
    expect(JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))).toEqual({
      name: 'mine',
      type: 'module',
      scripts: { start: 'tripact serve', test: 'vitest run', lint: 'biome check' },
      dependencies: { tripact: expect.stringMatching(/^file:.*tripact-\d.*\.tgz$/), zod: expect.any(String) },
      devDependencies: {
        vitest: expect.any(String),
        typescript: expect.any(String),
        '@types/node': expect.any(String),
      },
    });
    mkdirSync(join(cwd, 'node_modules'));
    symlinkSync(resolve('.'), join(cwd, 'node_modules/tripact'));
    for (const name of ['zod', 'vitest', '@types'])
      symlinkSync(resolve('node_modules', name), join(cwd, 'node_modules', name));
    const tsc = await promisify(execFile)(resolve('node_modules/.bin/tsc'), [], { cwd }).catch((error) => error);
    expect(tsc).toMatchObject({ stdout: '' });
  });

  it('leaves the kind of modules to a package that has sources, and says what that means', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'mine' }));
    writeFileSync(join(cwd, 'index.js'), "module.exports = require('node:path');\n");
    const { stderr } = await cli(['init'], { cwd });
    expect(stderr).toContain('left package.json without "type": "module", which these files need if Node runs them');
    expect(JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))).not.toHaveProperty('type');
  });

  it('gives tests time on a busy machine, unless the package configures them itself', async () => {
    const cwd = temporaryFolder();
    const plain = await cli(['init', 'plain'], { cwd });
    expect(plain.stderr).toContain('wrote plain/vitest.config.ts');
    expect(readFileSync(join(cwd, 'plain/vitest.config.ts'), 'utf8')).toContain('testTimeout: 60_000');
    mkdirSync(join(cwd, 'own'));
    writeFileSync(join(cwd, 'own/vite.config.mjs'), 'export default {};\n');
    expect((await cli(['init', 'own'], { cwd })).stderr).not.toContain('vitest.config.ts');
  });
});

describe('init --template', () => {
  it.each(['support-desk', 'chat-bot', 'research'])('%s writes a project whose types and tests hold', async (name) => {
    const cwd = temporaryFolder();
    expect(await cli(['init', '--template', name], { cwd })).toMatchObject({ code: 0 });
    const { dependencies } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
    expect(readFileSync(join(cwd, 'AGENTS.md'), 'utf8')).toContain('.agents/skills/tripact/SKILL.md');
    expect(readFileSync(join(cwd, '.agents/skills/tripact/SKILL.md'), 'utf8')).toMatch(/^---\nname: tripact\n/);
    mkdirSync(join(cwd, 'node_modules/@modelcontextprotocol'), { recursive: true });
    symlinkSync(resolve('.'), join(cwd, 'node_modules/tripact'));
    for (const each of [...Object.keys(dependencies).filter((own) => own !== 'tripact'), 'vitest', '@types'])
      symlinkSync(resolve('node_modules', each), join(cwd, 'node_modules', each));
    const run = (tool: string, ...words: string[]) =>
      promisify(execFile)(resolve('node_modules/.bin', tool), words, { cwd }).catch((error) => error);
    expect(await run('tsc')).toMatchObject({ stdout: '' });
    expect((await run('vitest', 'run')).stdout).toMatch(/Tests .*\d+ passed/);
  });
});

describe('the launcher', () => {
  it('says what to type next as it was called', async () => {
    const words = ['sessions', '--url', 'http://127.0.0.1:1'];
    const [byNpx, byName] = await Promise.all(
      ['exec', 'run-script'].map((npm_command) => cli(words, { main: LAUNCHER, env: { npm_command } })),
    );
    expect(byNpx?.stderr).toContain('start it with: npx tripact serve');
    expect(byName?.stderr).toContain('start it with: tripact serve');
  });

  it('under an old Node finds the one that was installed, and ends as the command does', async () => {
    const options = { main: LAUNCHER, node: ['--import', OLD_NODE] };
    expect(await cli(['--version'], options)).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
    expect(await cli(['nonsense'], options)).toMatchObject({ code: 2 });
  });
});
