import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { cli } from '../support/cli/cli-process.ts';

const LAUNCHER = fileURLToPath(new URL('../../src/cli/tripact.mjs', import.meta.url));

/** Makes a process report an old Node version, which is all that the launcher checks. */
const OLD_NODE =
  "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.1.0'});Object.defineProperty(process,'version',{value:'v20.1.0'})";

const COMMANDS = [
  ...['serve', 'run', 'chat', 'init', 'replay', 'trace', 'fork', 'sessions', 'tasks', 'cancel'],
  ...['prune', 'backup', 'restore', 'tools', 'tool', 'config'],
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

  it.each([
    { words: ['sevre'], says: "unknown command 'sevre'", usage: 'Usage: tripact [options] [command]' },
    { words: ['serve', '--prot', '1'], says: "unknown option '--prot'", usage: 'Usage: tripact serve' },
    { words: ['run'], says: "missing required argument 'goal'", usage: 'Usage: tripact run' },
  ])('answers $words with the usage', async ({ words, says, usage }) => {
    const { code, stdout, stderr } = await cli(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).toContain(usage);
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
    expect(stdout).toContain('TRIPACT_MAX_STEPS = 20 (default)');
    expect(stdout).toContain('ANTHROPIC_API_KEY = (set, not shown) (environment)');
    expect(stdout + stderr).not.toContain(key);
    expect(stderr).toContain('TRIPACT_MAX_STEP is not a setting');
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

  it('runs the commands', async () => {
    expect(await cli(['--version'], { main: LAUNCHER })).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
  });

  it('under an old Node finds the one that was installed, and ends as the command does', async () => {
    const options = { main: LAUNCHER, node: ['--import', OLD_NODE] };
    expect(await cli(['--version'], options)).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
    expect(await cli(['nonsense'], options)).toMatchObject({ code: 2 });
  });
});
