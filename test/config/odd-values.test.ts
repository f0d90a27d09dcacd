import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { checkConfigFile, loadConfigFile } from '../../src/app/config/config-file.ts';
import { loadProblem } from '../../src/app/config/config-file-problems.ts';

const SECRET = 'hunter2hunter2hunter2';

/** The lines that say why something is refused. */
const problemsOf = (load: () => unknown): string[] => {
  try {
    load();
  } catch (error) {
    expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
    return (error as Error).message.split('\n').slice(1);
  }
  return [];
};

describe('a variable', () => {
  it('with the same name twice has it once', () => {
    const env = { TRIPACT_PROTOCOLS: 'mcp,mcp', TRIPACT_TOOLS: 'todo,todo', TRIPACT_APPROVE: 'todo,todo' };
    expect(loadConfig(env)).toMatchObject({ protocols: ['mcp'], builtInTools: ['todo'], approve: ['todo'] });
  });

  it.each(['http:/me:PW@h/', 'http:\\\\me:PW@h/', 'http://me:a/PW@h/', 'me:PW@h', 'http://me:PW@x@h/'])(
    'that is no address shows no credentials: %s',
    (text) => {
      const [problem, ...others] = problemsOf(() => loadConfig({ ANTHROPIC_BASE_URL: text.replace('PW', SECRET) }));
      expect(problem).toContain('…@');
      expect(problem).not.toContain(SECRET);
      expect(others).toEqual([]);
    },
  );

  it('with 100,000 characters is shown by its beginning', () => {
    const [problem] = problemsOf(() => loadConfig({ TRIPACT_PORT: '9'.repeat(100_000) }));
    expect(problem).toMatch(/^ {2}TRIPACT_PORT="9{200}…" must be a whole number from 0 to 65535\.$/);
  });

  it('that there is not is named as one plain line', () => {
    const env = { 'TRIPACT_\u001b[2J\u001b]0;title\u0007A\nB\u009b1A': '1', [`TRIPACT_${'X'.repeat(1_000)}`]: '1' };
    expect(loadConfig(env).unknown).toEqual(['TRIPACT_A B', `TRIPACT_${'X'.repeat(91)}…`]);
  });

  it.each([`${SECRET}\u200b`, `${SECRET}\ufeff${SECRET}`, `${SECRET}…`])(
    'refuses a key that no header can carry',
    (key) => {
      for (const name of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'TRIPACT_API_KEY'])
        expect(problemsOf(() => loadConfig({ [name]: key }))).toEqual([
          `  ${name} (not shown) must be a key of letters, digits and signs of ASCII, without spaces.`,
        ]);
    },
  );
});

describe('what a configuration file exports', () => {
  it('is refused in a few lines, however much is wrong', () => {
    const problems = problemsOf(() => checkConfigFile({ tools: Array.from({ length: 1_000 }, () => ({})) }));
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe('  and 5980 more.');
    const [problem, ...others] = problemsOf(() => checkConfigFile({ ['k'.repeat(1_000_000)]: 1 }, 'export'));
    expect(problem?.length).toBeLessThan(1_010);
    expect(others).toEqual([]);
  });

  it.each(['tools', 'executors'])('has 1,000 %s at most, of which no two have one name', (list) => {
    const ofTool = list === 'tools' && { usage: 'u', writes: true, effect: 'idempotent', run: () => {} };
    const made = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ name: `x${i}`, description: 'd', ...ofTool }));
    expect(problemsOf(() => checkConfigFile({ [list]: made(1_000) }))).toEqual([]);
    expect(problemsOf(() => checkConfigFile({ [list]: made(100_000) }))).toEqual([
      `  tripact.config.ts › ${list}: must have 1000 entries at most`,
    ]);
    expect(problemsOf(() => checkConfigFile({ [list]: [...made(2), { ...made(1)[0], name: 'X1' }] }))).toEqual([
      `  tripact.config.ts › ${list}: two of them have the same name: 1 and 2, "X1"`,
    ]);
  });

  it('has executors that name 20,000 tools together at most', () => {
    const made = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        ...{ name: `x${n}`, description: 'd', tools: Array.from({ length: 20 }, (_, i) => `tool_${i}`) },
      }));
    expect(problemsOf(() => checkConfigFile({ executors: made(1_000) }))).toEqual([]);
    const [first, ...others] = made(1_000);
    expect(
      problemsOf(() => checkConfigFile({ executors: [{ ...first, tools: Array(21).fill('x') }, ...others] })),
    ).toEqual([
      '  tripact.config.ts › executors: must name 20000 tools together at most; one that may use all names none',
    ]);
  });

  it('may throw where it is looked at', () => {
    const exported = {
      get tools() {
        throw new Error('not now');
      },
    };
    expect(problemsOf(() => checkConfigFile(exported))).toEqual([expect.stringContaining('not now')]);
  });

  it.each([
    Object.create(null),
    {
      toString() {
        throw new Error('no text');
      },
    },
    Object.defineProperty(new Error('x'), 'message', {
      get() {
        throw new Error('no text');
      },
    }),
  ])('may be nothing, and something thrown that has no text', (thrown) => {
    expect(loadProblem(thrown, '/a/tripact.config.ts')).toBe(
      'tripact.config.ts could not be loaded: it throws something that is no error.',
    );
  });

  it('may be an error whose stack is none', () => {
    const error = Object.assign(new Error('no luck'), { stack: 5 });
    expect(loadProblem(error, '/a/tripact.config.ts')).toBe('tripact.config.ts could not be loaded: no luck');
  });
});

describe('in the place of the file', () => {
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'tripact-odd-'));
    onTestFinished(() => rmSync(made, { recursive: true }));
    return made;
  };

  it.each([
    { what: 'a folder', make: (file: string) => void mkdirSync(file) },
    { what: 'a pipe', make: (file: string) => void execFileSync('mkfifo', [file]) },
    { what: 'a link to nothing', make: (file: string) => symlinkSync('/nowhere/at/all', file) },
    { what: 'a link to itself', make: (file: string) => symlinkSync('tripact.config.ts', file) },
    { what: 'an endless device', make: (file: string) => symlinkSync('/dev/zero', file) },
  ])('$what is refused at once', async ({ make }) => {
    const cwd = folder();
    make(join(cwd, 'tripact.config.ts'));
    await expect(loadConfigFile(cwd)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/tripact\.config\.ts is no file that can be read: remove it/),
    });
  });
});
